import Type from 'typebox';
import { CellError } from '../chain/boc/cells.ts';
import { sliceOf } from '../chain/tlb/message.ts';
import { type PlacedTransaction, senderOf } from '../chain/tlb/placed-transaction.ts';
import type { Db } from '../db/tables/tables.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import { readActionById } from '../index/read/actions.ts';
import { readKnownWallets } from '../index/read/jettons.ts';
import { readTrace } from '../index/read/stored-traces.ts';
import { readTraceTransactions } from '../index/read/traces.ts';
import { TransactionReader } from '../index/read/transaction-reader.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { Failure } from '../lib/errors.ts';
import { defineV3Operation, type V3Call } from './operation.ts';
import { hashParam } from './parameter-kinds.ts';
import { invalidParameter } from './parameters.ts';
import { readIndex } from './read-index.ts';
import { selectShownTraces } from './traces.ts';
import { formatAccount, MapOf } from './values.ts';

export const createBalanceChanges = () =>
  defineV3Operation({
    name: 'balanceChanges',
    tag: 'actions',
    summary: 'Balance changes',
    description:
      'Balance changes of a trace or an action: nanotons by account, after fees, and jettons by owner. For an action only its own transactions count, and the first one of the trace if it started the action.',
    parameters: {
      trace_id: hashParam('Trace id.'),
      action_id: hashParam('Action id; of that trace if `trace_id` is given too.'),
    },
    result: Type.Object(
      {
        changes: MapOf(Int64()),
        fees: MapOf(Int64()),
        jettons: MapOf(MapOf(PlainText())),
      },
      { title: 'BalanceChangesResult' },
    ),
    errors: [{ code: 404, when: 'The trace or the action does not exist' }],
    handler: ({ trace_id, action_id }, call) => {
      if (trace_id === undefined && action_id === undefined)
        throw invalidParameter('trace_id', 'trace_id or action_id is required');
      return readIndex(call, async (db) => {
        const transactions = await readCountedTransactions(call, db, { trace_id, action_id });
        const accounts = transactions.map(({ account }) => account);
        const { jettons, ...sums } = sumBalanceChanges(
          transactions,
          await readKnownWallets(db, { accounts }),
        );
        const jettonTexts = Object.entries(jettons).map(([owner, amounts]) => [
          owner,
          Object.fromEntries(Object.entries(amounts).map(([jetton, amount]) => [jetton, String(amount)])),
        ]);
        return { ...sums, jettons: Object.fromEntries(jettonTexts) };
      });
    },
  });

async function readCountedTransactions(
  call: V3Call,
  db: Db,
  { trace_id, action_id }: { readonly trace_id: Buffer | undefined; readonly action_id: Buffer | undefined },
): Promise<readonly PlacedTransaction[]> {
  const action = action_id && (await readActionById(db, { action_id, trace_id }));
  if (action_id && action === undefined) throw new Failure('not_found', 'action_id not found');
  const wanted = action?.trace_id ?? trace_id!;
  const trace = await readTrace(db, wanted);
  if (trace === undefined) throw new Failure('not_found', 'trace not found');
  const { omitted } = selectShownTraces([trace]);
  const [reason] = omitted.values();
  if (reason !== undefined) throw invalidParameter('trace_id', `trace_id: ${reason}`);
  const all = await readTraceTransactions(new TransactionReader(db, call), trace);
  if (action === undefined) return all;
  const own = new Set(action.tx_hashes.map((hash) => bytesKey(hash)));
  // The transactions of an action include the one that sent its first message, which belongs to what came before.
  const isCounted = ({ transaction: { hash, lt, inMessage } }: PlacedTransaction) =>
    own.has(bytesKey(hash)) &&
    (lt >= BigInt(action.start_lt) || inMessage === undefined || senderOf(inMessage) === undefined);
  return all.filter(isCounted);
}

/**
 * Adds up the changes of transactions. Each transaction counts its in message: the value moves from the sender to the
 * account, and the forward fee is a fee of the sender. Everything else that the account paid is in the fees of the
 * transaction.
 */
function sumBalanceChanges(
  transactions: readonly PlacedTransaction[],
  wallets: Awaited<ReturnType<typeof readKnownWallets>>,
) {
  const values = new Sums();
  const fees = new Sums();
  const walletOf = new Map(wallets.map((wallet) => [bytesKey(wallet.account), wallet]));
  // Amounts by owner, then by jetton.
  const jettons: Record<string, Record<string, bigint>> = {};
  for (const placed of transactions) {
    const { inMessage, totalFees } = placed.transaction;
    const account = formatAccount(placed.account);
    fees.add(account, totalFees.grams);
    const from = inMessage && senderOf(inMessage);
    if (from !== undefined && inMessage?.info.kind === 'internal') {
      const sender = formatAccount(from);
      const { value, extraFlags, fwdFee } = inMessage.info;
      // The fee reserved for instant hypercube routing, which does not exist, arrives with the value.
      const moved = value.grams + (placed.hasExtraFlags ? 0n : extraFlags);
      values.add(sender, -moved);
      values.add(account, moved);
      fees.add(sender, fwdFee);
    }
    const wallet = walletOf.get(bytesKey(placed.account));
    const moved = wallet && movedJettons(placed);
    if (moved === undefined) continue;
    const owner = formatAccount(wallet!.owner);
    const jetton = formatAccount(wallet!.jetton);
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

const TRANSFER = 0x0f8a7ea5;
const INTERNAL_TRANSFER = 0x178d4519;
const BURN = 0x595f07bc;
const BURN_NOTIFICATION = 0x7bdd97de;
const BOUNCED = 0xffffffff;

/** How a request changes the balance of the jetton wallet that receives it. */
const SIGNS: ReadonlyMap<number, bigint> = new Map([
  [TRANSFER, -1n],
  [BURN, -1n],
  [INTERNAL_TRANSFER, 1n],
]);
/** Requests whose bounce gives the jettons back. */
const RETURNED: ReadonlySet<number> = new Set([INTERNAL_TRANSFER, BURN_NOTIFICATION]);

/** How a transaction changed the balance of a jetton wallet; undefined if it did not. */
function movedJettons({ transaction }: PlacedTransaction): bigint | undefined {
  const { description, inMessage } = transaction;
  if (inMessage === undefined || ('aborted' in description && description.aborted)) return undefined;
  try {
    const body = sliceOf(inMessage.cells, inMessage.body);
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
