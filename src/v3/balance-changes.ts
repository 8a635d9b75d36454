import type { Kysely } from 'kysely';
import Type from 'typebox';
import { CellError } from '../chain/boc/cells.ts';
import { readRootBoc } from '../chain/boc/read-root-boc.ts';
import { Slice } from '../chain/boc/slice.ts';
import { readActionById } from '../db/queries/actions.ts';
import { readKnownWallets } from '../db/queries/jettons.ts';
import { readTraces, readTraceTransactions } from '../db/queries/traces.ts';
import type { TransactionDetails } from '../db/queries/transaction-details.ts';
import type { Tables } from '../db/tables.ts';
import { defineOperation, type Operation } from '../http/operation.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import type { V3Call } from './call.ts';
import { hashParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { selectShownTraces } from './traces.ts';
import { formatAccount, MapOf } from './values.ts';

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
      if (trace_id === undefined && action_id === undefined) throw invalidParameter('trace_id', NEITHER);
      return readIndex(call, async (db) => {
        const transactions = await readCounted(db, trace_id, action_id);
        const accounts = transactions.map(({ row }) => row.account);
        const { jettons, ...sums } = sumBalanceChanges(
          transactions,
          await readKnownWallets(db, { accounts }),
        );
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
): Promise<readonly TransactionDetails[]> {
  const action = action_id && (await readActionById(db, { action_id, trace_id }));
  if (action_id && action === undefined) throw new Failure('not_found', 'action_id not found');
  const wanted = action?.trace_id ?? trace_id!;
  const [trace] = await readTraces(db, {
    filters: { hashes: { of: 'traces', values: [wanted] }, span: {} },
    sort: 'desc',
    page: { limit: 1, offset: 0 },
  });
  if (trace === undefined) throw new Failure('not_found', 'trace not found');
  const { shown, omitted } = selectShownTraces([trace]);
  const [why] = omitted.values();
  if (why !== undefined) throw invalidParameter('trace_id', `trace_id: ${why}`);
  const all = (await readTraceTransactions(db, { traces: shown })).get(wanted.toString('hex')) ?? [];
  if (action === undefined) return all;
  const own = new Set(action.tx_hashes.map((hash) => hash.toString('latin1')));
  // The transaction that sent its first message is one of those of an action, yet it belongs to what was before.
  const begins = ({ row, inMessage }: TransactionDetails) =>
    BigInt(row.lt) >= BigInt(action.start_lt) || !inMessage?.peer;
  return all.filter((whole) => own.has(whole.row.hash.toString('latin1')) && begins(whole));
}

/** A wallet of a jetton. */
interface JettonWallet {
  readonly account: Buffer;
  readonly owner: Buffer;
  readonly jetton: Buffer;
}

/** What transactions changed, by raw address. */
interface BalanceChanges {
  /** Nanotons, fees taken off. */
  readonly changes: Record<string, bigint>;
  readonly fees: Record<string, bigint>;
  /** Amounts by owner, then by jetton. */
  readonly jettons: Record<string, Record<string, bigint>>;
}

/**
 * Adds up what transactions changed. Each counts the message that led to it: what it brought goes from the sender to the
 * account, what it cost to forward is a fee of the sender. All else that the account paid is in the fees of the transaction.
 */
function sumBalanceChanges(
  transactions: readonly TransactionDetails[],
  wallets: readonly JettonWallet[],
): BalanceChanges {
  const [values, fees] = [new Sums(), new Sums()];
  const walletOf = new Map(wallets.map((wallet) => [wallet.account.toString('latin1'), wallet]));
  const jettons: Record<string, Record<string, bigint>> = {};
  for (const whole of transactions) {
    const { row, inMessage } = whole;
    const account = formatAccount(row.account);
    fees.add(account, BigInt(row.total_fees));
    if (inMessage?.peer) {
      const sender = formatAccount(inMessage.peer);
      // What was set aside for instant routing, which there is not, comes with the value.
      const value = BigInt(inMessage.value ?? 0) + BigInt(inMessage.ihr_fee ?? 0);
      values.add(sender, -value);
      values.add(account, value);
      fees.add(sender, BigInt(inMessage.fwd_fee ?? 0));
    }
    const wallet = walletOf.get(row.account.toString('latin1'));
    const moved = wallet && movedJettons(whole);
    if (moved === undefined) continue;
    const [owner, jetton] = [formatAccount(wallet!.owner), formatAccount(wallet!.jetton)];
    jettons[owner] ??= {};
    jettons[owner][jetton] = (jettons[owner][jetton] ?? 0n) + moved;
  }
  for (const [account, fee] of fees.all) values.add(account, -fee);
  return { changes: Object.fromEntries(values.all), fees: Object.fromEntries(fees.all), jettons };
}

class Sums {
  readonly all = new Map<string, bigint>();

  add(key: string, amount: bigint): void {
    this.all.set(key, (this.all.get(key) ?? 0n) + amount);
  }
}

const [TRANSFER, INTERNAL_TRANSFER, BURN, BURN_NOTIFICATION] = [
  0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x7bdd97de,
];
const BOUNCED = 0xffffffff;

/** What a request does to the jettons of the wallet that gets it; whatever came back was not spent. */
const SIGNS: ReadonlyMap<number, bigint> = new Map([
  [TRANSFER, -1n],
  [BURN, -1n],
  [INTERNAL_TRANSFER, 1n],
]);
const RETURNED: ReadonlySet<number> = new Set([INTERNAL_TRANSFER, BURN_NOTIFICATION]);

/** How the jettons of a wallet changed by one of its transactions; undefined where they did not. */
function movedJettons({ row, inMessage }: TransactionDetails): bigint | undefined {
  if (row.aborted || !inMessage?.body) return undefined;
  try {
    const bag = readRootBoc(inMessage.body);
    const body = new Slice(bag, bag.root);
    const opcode = body.uint(32);
    const isReturned = opcode === BOUNCED;
    const request = isReturned ? body.uint(32) : opcode;
    const sign = isReturned ? (RETURNED.has(request) ? 1n : undefined) : SIGNS.get(request);
    if (sign === undefined) return undefined;
    body.uint64();
    return sign * body.coins();
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}
