import { defineOperation, type Operation } from '../../http/operation.ts';
import { toAccountBytes } from '../account-bytes.ts';
import type { V3Call } from '../call.ts';
import { MapOf } from '../map-of.ts';
import { loadMetadata, metadataEntrySchema } from '../metadata.ts';
import { addressKind } from '../params/address.ts';
import { readIndex } from '../read-index.ts';
import { addressListParam } from './address-list.ts';

const JETTON = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';

/** What is shown of tokens. */
export function createMetadata(): Operation<V3Call> {
  return defineOperation({
    name: 'metadata',
    methods: ['GET'],
    tag: 'accounts',
    summary: 'Metadata of tokens',
    description:
      'Entries are by raw address. Addresses that belong to no token have none; the jettons of jetton wallets have one unasked.',
    // No address has a comma, and a wallet that many people use joins addresses by them.
    parameters: { address: addressListParam({ splitCommas: true }) },
    result: MapOf(metadataEntrySchema),
    cache: 'head',
    examples: [
      {
        title: 'A jetton',
        params: { address: [JETTON] },
        varies: true,
        result: {
          [JETTON]: {
            is_indexed: true,
            token_info: [
              {
                valid: true,
                type: 'jetton_masters',
                name: 'Example',
                symbol: 'EXA',
                is_nsfw: false,
                is_scam: false,
                extra: { decimals: '9' },
              },
            ],
          },
        },
      },
      { title: 'No token', params: { address: ['nobody'] }, result: {} },
      { title: 'Nothing given', params: {}, failure: { code: 422, text: 'at least 1 address required' } },
    ],
    handler: async ({ address: texts }, call: V3Call) => {
      const accounts = texts.flatMap((text) => {
        const parsed = addressKind.convert(text);
        return parsed === undefined ? [] : [toAccountBytes(parsed)];
      });
      if (accounts.length === 0) return {};
      return Object.fromEntries(await readIndex(call, (db) => loadMetadata(call, db, accounts)));
    },
  });
}
