import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import Type from 'typebox';
import {
  type JettonWalletRow,
  readTokenInfos,
  type TokenInfoRow,
  type TokenRow,
} from '../db/queries/token-metadata.ts';
import type { Tables } from '../db/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import type { V3Call } from './call.ts';
import { addressKind, addressListParam } from './parameter-kinds.ts';
import { readIndex } from './read-index.ts';
import { formatAccount, MapOf, toAccountBytes } from './values.ts';

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

const tokenInfoSchema = Type.Object({
  valid: Type.Optional(Type.Boolean({ description: 'Absent as long as nothing was fetched.' })),
  type: Type.Enum(['nft_items', 'nft_collections', 'jetton_masters', 'jetton_wallets']),
  name: Type.Optional(Type.String()),
  symbol: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  nft_index: Type.Optional(Type.String({ description: 'Decimal; of NFTs.' })),
  is_nsfw: Type.Optional(Type.Boolean()),
  is_scam: Type.Optional(Type.Boolean()),
  extra: Type.Optional(MapOf(Type.Unknown())),
});

type TokenInfo = Static<typeof tokenInfoSchema>;

/** What is shown of an address that belongs to a token, in each of its roles. */
export const metadataEntrySchema = Type.Object({
  is_indexed: Type.Boolean({ description: 'False as long as something is still to be fetched.' }),
  token_info: Type.Array(tokenInfoSchema),
});

export type MetadataEntry = Static<typeof metadataEntrySchema>;

/** Looks accounts up, and the jettons of wallets among them; the entries are by raw address, none where there is no token. */
export async function loadMetadata(
  { ports }: Pick<V3Call, 'ports'>,
  db: Kysely<Tables>,
  accounts: readonly Buffer[],
): Promise<ReadonlyMap<string, MetadataEntry>> {
  if (accounts.length === 0) return new Map();
  const rows = await readTokenInfos(db, { accounts });
  ports.metadataQueue.add(rows.filter(hasNothingToShow));
  return toMetadata(rows, ports.imgproxyUrl);
}

function hasNothingToShow(row: TokenInfoRow): row is TokenRow {
  return row.kind !== 'jetton_wallets' && row.valid !== true;
}

/** Roles to entries: an address is indexed when nothing is to be fetched for any of its roles. */
function toMetadata(
  rows: readonly TokenInfoRow[],
  imgproxyUrl: string | undefined,
): ReadonlyMap<string, MetadataEntry> {
  const entries = new Map<string, MetadataEntry>();
  for (const row of rows) {
    const key = formatAccount(row.account);
    const before = entries.get(key) ?? { is_indexed: true, token_info: [] };
    const isWallet = row.kind === 'jetton_wallets';
    entries.set(key, {
      is_indexed: before.is_indexed && (isWallet || row.valid !== null),
      token_info: [...before.token_info, isWallet ? walletInfo(row) : tokenInfo(row, imgproxyUrl)],
    });
  }
  return entries;
}

function walletInfo({ kind, owner, jetton, balance }: JettonWalletRow): TokenInfo {
  const extra = { balance, jetton: formatAccount(jetton), owner: formatAccount(owner) };
  return { valid: true, type: kind, extra };
}

function tokenInfo(row: TokenRow, imgproxyUrl: string | undefined): TokenInfo {
  const { kind: type, valid, image } = row;
  const index = row.nft_index === null ? {} : { nft_index: row.nft_index };
  if (valid === null) return { type, ...index };
  if (!valid) return { valid, type, ...index };
  const isNsfw = row.is_nsfw ?? false;
  const baseUrl = image === null ? undefined : imgproxyUrl;
  const extra = resolveImageUrls(row.extra ?? {}, { isNsfw, baseUrl });
  return {
    valid,
    type,
    ...(row.name !== null && { name: row.name }),
    ...(row.symbol !== null && { symbol: row.symbol }),
    ...(row.description !== null && { description: row.description }),
    ...(image !== null && { image }),
    ...index,
    is_nsfw: isNsfw,
    is_scam: row.is_scam ?? false,
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

type Extra = Readonly<Record<string, unknown>>;

const SIZES = ['_image_small', '_image_medium', '_image_big'] as const;

/**
 * The images of a token in three sizes, which are stored as paths of an imgproxy: with the base URL in front, and blurred
 * if the token is not for everybody's eyes. The blurred ones of other tokens stay paths, as clients know them.
 */
export function resolveImageUrls(
  extra: Extra,
  { isNsfw, baseUrl }: { readonly isNsfw: boolean; readonly baseUrl: string | undefined },
): Extra {
  const shown: Record<string, unknown> = { ...extra };
  for (const size of SIZES) {
    if (isNsfw) {
      if (size in shown) shown[size] = shown[`${size}_blur`] ?? '';
      delete shown[`${size}_blur`];
    }
    const path = shown[size];
    if (baseUrl !== undefined && typeof path === 'string' && path !== '')
      shown[size] = joinUrl(baseUrl, path);
  }
  return shown;
}

function joinUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
