import Type from 'typebox';
import { jettonMasterKeys, readJettonMasters } from '../../db/queries/jettons.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema, loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage, pageParams } from '../page.ts';
import { accountsParam } from '../params/accounts.ts';
import type { PageLimits } from '../params/limit.ts';
import { readIndex } from '../read-index.ts';
import { JETTON_MASTER_EXAMPLE, jettonMasterSchema, toJettonMaster } from './master.ts';

const MAX_ADDRESSES = 1024;

/** Jettons. */
export function createJettonMasters(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'jetton/masters',
    methods: ['GET'],
    tag: 'jettons',
    summary: 'Jettons',
    description: 'In the order in which they were found; by address where addresses are given.',
    parameters: {
      address: accountsParam({ description: 'Jettons with these addresses.', max: MAX_ADDRESSES }),
      admin_address: accountsParam({ description: 'Jettons with one of these admins.', max: MAX_ADDRESSES }),
      ...pageParams(limits),
    },
    result: Type.Object({ jetton_masters: Type.Array(jettonMasterSchema), ...booksSchema }),
    cache: 'head',
    examples: [
      {
        title: 'A jetton',
        params: { address: [JETTON_MASTER_EXAMPLE.address] },
        varies: true,
        result: { jetton_masters: [JETTON_MASTER_EXAMPLE], address_book: {}, metadata: {} },
      },
      {
        title: 'Too many',
        params: { limit: 1001 },
        failure: { code: 422, text: 'limit is not allowed: 1001 > 1000' },
      },
    ],
    handler: (params, call: V3Call) => {
      const filters = { accounts: params.address, admins: params.admin_address };
      const keys = jettonMasterKeys(filters);
      const page = openPage(params, keys);
      return readIndex(call, async (db) => {
        const rows = await readJettonMasters(db, { ...filters, page });
        notePage(call, keys, page, rows);
        const books = await loadBooks(
          call,
          db,
          rows.flatMap(({ account, admin }) => [account, admin]),
        );
        return { jetton_masters: rows.map(toJettonMaster), ...books };
      });
    },
  });
}
