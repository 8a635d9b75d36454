import type { Kysely } from 'kysely';
import Type from 'typebox';
import { readActionById } from '../../db/queries/action-by-id.ts';
import { readKnownWallets } from '../../db/queries/known-wallets.ts';
import { readTraceTransactions } from '../../db/queries/trace-transactions.ts';
import { readTraces } from '../../db/queries/traces.ts';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import type { Tables } from '../../db/tables.ts';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { Failure } from '../../lib/failure.ts';
import type { V3Call } from '../call.ts';
import { MapOf } from '../map-of.ts';
import { hashParam } from '../params/hash.ts';
import { refuse } from '../params/kind.ts';
import { readIndex } from '../read-index.ts';
import { chooseShown } from '../traces/choose-shown.ts';
import { addUpChanges } from './trace-changes.ts';

const HASH = 'gIkGGGf3kFGzLYqWQkSKmm2ST/pHmpzdl2bGjEkUlSc=';
const NEITHER = 'trace_id or action_id is required';

/** What a trace or an action changed of balances. */
export function createBalanceChanges(): Operation<V3Call> {
  return defineOperation({
    name: 'balanceChanges',
    methods: ['GET'],
    tag: 'actions',
    summary: 'What a trace or an action changed of balances',
    description:
      'Nanotons by account, with fees taken off, and jettons by owner. An action counts the transactions that belong to it, and the first of the trace if it began the action.',
    parameters: {
      trace_id: hashParam({ description: 'The id of a trace.' }),
      action_id: hashParam({ description: 'The id of an action; of the trace, if that is given too.' }),
    },
    result: Type.Object({
      changes: MapOf(Int64()),
      fees: MapOf(Int64()),
      jettons: MapOf(MapOf(PlainText())),
    }),
    errors: [{ code: 404, when: 'There is no such trace, or no such action' }],
    cache: 'head',
    examples: [
      {
        title: 'A trace',
        params: { trace_id: HASH },
        varies: true,
        result: { changes: { [`0:${'1'.repeat(64)}`]: -1000000 }, fees: {}, jettons: {} },
      },
      { title: 'Neither', params: {}, failure: { code: 422, text: NEITHER } },
      {
        title: 'A trace that is not there',
        params: { trace_id: HASH },
        failure: { code: 404, text: 'trace not found' },
      },
    ],
    handler: ({ trace_id, action_id }, call: V3Call) => {
      if (trace_id === undefined && action_id === undefined) throw refuse('trace_id', NEITHER);
      return readIndex(call, async (db) => {
        const transactions = await readCounted(db, trace_id, action_id);
        const accounts = transactions.map(({ row }) => row.account);
        const { jettons, ...sums } = addUpChanges(transactions, await readKnownWallets(db, { accounts }));
        const texts = Object.entries(jettons).map(([owner, amounts]) => [
          owner,
          Object.fromEntries(Object.entries(amounts).map(([jetton, amount]) => [jetton, String(amount)])),
        ]);
        return { ...sums, jettons: Object.fromEntries(texts) };
      });
    },
  });
}

/** The transactions that count for a trace or for an action. */
async function readCounted(
  db: Kysely<Tables>,
  trace_id: Buffer | undefined,
  action_id: Buffer | undefined,
): Promise<readonly WholeTransaction[]> {
  const action = action_id && (await readActionById(db, { action_id, trace_id }));
  if (action_id && action === undefined) throw new Failure('not_found', 'action_id not found');
  const wanted = action?.trace_id ?? trace_id!;
  const [trace] = await readTraces(db, {
    filters: { hashes: { of: 'traces', values: [wanted] }, span: {} },
    sort: 'desc',
    page: { limit: 1, offset: 0 },
  });
  if (trace === undefined) throw new Failure('not_found', 'trace not found');
  const { shown, omitted } = chooseShown([trace]);
  const [why] = omitted.values();
  if (why !== undefined) throw refuse('trace_id', `trace_id: ${why}`);
  const all = (await readTraceTransactions(db, { traces: shown })).get(wanted.toString('hex')) ?? [];
  if (action === undefined) return all;
  const own = new Set(action.tx_hashes.map((hash) => hash.toString('latin1')));
  // The transaction that sent its first message is one of those of an action, yet it belongs to what was before.
  const begins = ({ row, inMessage }: WholeTransaction) =>
    BigInt(row.lt) >= BigInt(action.start_lt) || !inMessage?.peer;
  return all.filter((whole) => own.has(whole.row.hash.toString('latin1')) && begins(whole));
}
