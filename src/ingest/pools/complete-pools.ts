import { fromAccountBytes } from '../../chain/address.ts';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readBoc } from '../../chain/boc/bag.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { writeCellBoc } from '../../chain/boc/writer.ts';
import { ACCOUNT_NONE, type Account, codeHash, readAccount } from '../../chain/tlb/account.ts';
import { readShardAccount, writeShardAccount } from '../../chain/tlb/shard-accounts.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { Db } from '../../db/tables/tables.ts';
import { readTransactionsOfAccount, type TransactionPlace } from '../../index/read/transaction-pages.ts';
import { readMasterchainBlock } from '../../index/snapshot.ts';
import { POOL_QUEUE, type PoolTransaction, type WaitingRow } from '../../index/write/write-pools.ts';
import type { Writer } from '../../index/write/writer.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { pause } from '../../lib/wait.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import { getAccountState, type ProvenAccount } from '../../lite/methods/accounts.ts';
import { getConfigAll } from '../../lite/methods/config.ts';
import { lookupBlockWithProof } from '../../lite/methods/lookups.ts';
import type { LiteSession } from '../../lite/session.ts';
import { VmCrash, VmRunTooLong } from '../../vm/errors.ts';
import type { TransactionCause, TransactionRun } from '../../vm/runs.ts';
import { prepareConfig, type VmConfig } from '../../vm/shared-inputs.ts';
import type { Vm } from '../../vm/vm.ts';
import { eventsOf, type PoolState } from './find-pool-events.ts';

interface CompletePoolsOptions {
  readonly db: Db;
  readonly writer: Pick<Writer, 'savePoolEvents'>;
  readonly vm: Pick<Vm, 'runTransactions'>;
  readonly context: FetchContext;
  /** Called after each round with the backlog, if it can be counted. */
  readonly onRound: (waiting: number) => void;
  /** Pause when no pool waits. */
  readonly pauseMs: number;
}

const BATCH_SIZE = 16;
const CONCURRENCY = 4;
const FETCH_BUDGET_MS = 10_000;

/** Finds the events of waiting pools with states from lite servers, until the signal aborts. */
export async function completePools(options: CompletePoolsOptions): Promise<void> {
  const { db, context, onRound, pauseMs } = options;
  const { signal, onError } = context;
  const retry = { ...context, task: 'complete nominator pools' };
  while (!signal.aborted) {
    const rows = await retryUntilDone(() => completeSome(options), retry);
    await POOL_QUEUE.count(db).then(onRound, (error) => onError?.(error));
    if (rows < BATCH_SIZE) await pause(pauseMs, signal);
  }
}

async function completeSome(options: CompletePoolsOptions): Promise<number> {
  const { db, context } = options;
  if (context.pool.head === undefined) return 0;
  // Those with the newest transactions first.
  const rows = await POOL_QUEUE.take(db, (queue) =>
    POOL_QUEUE.due(queue).orderBy('mc_seqno', 'desc').limit(BATCH_SIZE),
  );
  const left = new Set(rows);
  try {
    await mapInOrder(rows, CONCURRENCY, async (row) => {
      if (!(await complete(options, row))) await POOL_QUEUE.postpone(db, row);
      left.delete(row);
    });
  } finally {
    if (left.size > 0) await POOL_QUEUE.reserve(db, [...left], 0).catch(() => {});
  }
  return rows.length;
}

/** Completes a pool; false when it must be retried. */
async function complete(options: CompletePoolsOptions, row: WaitingRow): Promise<boolean> {
  const { signal, log, onError } = options.context;
  const placed = await readPlaced(options.db, row);
  const last = placed.at(-1)?.transaction.hash;
  // The seqno was taken back or dropped, and the row with it.
  if (last === undefined) return false;
  if (row.last_trans_hash !== null && !last.equals(row.last_trans_hash)) return false;
  try {
    const transactions = await readEvents(options, row, placed);
    await options.writer.savePoolEvents(row, transactions);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    onError?.(error);
    log.warn(
      { err: error, pool: row.account.toString('hex'), mcSeqno: row.mc_seqno },
      'States of a nominator pool unavailable, retrying',
    );
    return false;
  }
}

interface Placed extends ReplayedTransaction {
  readonly place: TransactionPlace;
}

/** Reads the transactions of a pool in a seqno, in order. */
async function readPlaced(db: Db, { account, mc_seqno: mcSeqno }: WaitingRow): Promise<Placed[]> {
  const transactions = await readTransactionsOfAccount(db, { account, mcSeqno });
  const blocks = await db
    .selectFrom('blocks')
    .select(['workchain', 'shard', 'seqno', 'rand_seed'])
    .where('mc_seqno', '=', mcSeqno)
    .execute();
  return transactions.map((one) => {
    const { workchain, shard, blockSeqno } = one.place;
    const block = blocks.find(
      (each) => each.workchain === workchain && BigInt(each.shard) === shard && each.seqno === blockSeqno,
    );
    return { ...one, randSeed: block!.rand_seed };
  });
}

/** The events of the transactions of a pool in a seqno. */
async function readEvents(
  { db, vm, context }: CompletePoolsOptions,
  { account, mc_seqno: mcSeqno }: WaitingRow,
  placed: readonly Placed[],
): Promise<PoolTransaction[]> {
  const { pool, check, signal, log } = context;
  const session = await pool.session({ seqno: mcSeqno, budgetMs: FETCH_BUDGET_MS, signal });
  const id = fromAccountBytes(account);
  const stateAt = (block: BlockId) => session.run(({ query }) => getAccountState(query, block, id, check));
  const blockBefore = await masterchainBlock(db, context, session, mcSeqno - 1);
  const before = await stateAt(blockBefore);
  const after = await stateAt(await masterchainBlock(db, context, session, mcSeqno));
  checkHash(before, placed[0]!.transaction.oldStateHash);
  checkHash(after, placed.at(-1)!.transaction.newStateHash);
  const ends = { before: stateOf(before.account), after: stateOf(after.account) };
  const toTransactions = (parts: readonly Placed[], states: readonly PoolState[]): PoolTransaction[] =>
    parts.flatMap(({ transaction }, i) => {
      const events = eventsOf(transaction, states[i - 1] ?? ends.before, states[i]!);
      return events === undefined ? [] : [{ pool: account, mcSeqno, transaction, ...events }];
    });
  if (placed.length === 1) return toTransactions(placed, [ends.after]);
  const config = await session.run(({ query }) => getConfigAll(query, blockBefore, check));
  try {
    const states = await replayStates(vm, {
      shardAccount: writeShardAccount(before),
      config: prepareConfig(writeCellBoc(config.cells, config.cell)),
      transactions: placed,
      signal,
    });
    return toTransactions(placed, states);
  } catch (error) {
    if (!(error instanceof ReplayMismatch)) throw error;
    // What happened is then told as if the last transaction had done it: sums stay right.
    log.error(
      { err: error, pool: account.toString('hex'), mcSeqno, transactions: placed.length },
      'Replay of a nominator pool failed, events of its transactions joined',
    );
    return toTransactions(placed.slice(-1), [ends.after]);
  }
}

function checkHash({ account }: ProvenAccount, hash: Buffer): void {
  if (!hashOf(account).equals(hash)) throw new Error('the state of the pool is not that of its transactions');
}

/** The id of a masterchain block: that of the index, or from a lite server for one before its beginning. */
async function masterchainBlock(db: Db, { pool, check }: FetchContext, session: LiteSession, seqno: number) {
  if (seqno === 0) return pool.zeroState;
  const block = await readMasterchainBlock(db, seqno);
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  if (block !== undefined) return { ...key, rootHash: block.root_hash, fileHash: block.file_hash };
  return session.run(
    async ({ query, reference }) => (await lookupBlockWithProof(query, reference, key, check)).block,
  );
}

/** A transaction with what its block gave to it. */
interface ReplayedTransaction {
  readonly transaction: Transaction;
  readonly randSeed: Buffer;
}

/** A replay did not give the states of the chain, and will not. */
class ReplayMismatch extends Error {
  override readonly name = 'ReplayMismatch';
}

interface Replay {
  /** The ShardAccount before the first transaction as a bag of cells. */
  readonly shardAccount: Buffer;
  readonly config: VmConfig;
  readonly transactions: readonly ReplayedTransaction[];
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/** The states after each of the transactions of an account, executed again; throws ReplayMismatch if a state has another hash. */
async function replayStates(
  vm: Pick<Vm, 'runTransactions'>,
  { shardAccount, config, transactions, signal }: Replay,
): Promise<PoolState[]> {
  const runs = transactions.map(({ transaction, randSeed }, i): TransactionRun => {
    const { lt, now: utime } = transaction;
    return {
      ...causeOf(transaction),
      ...(i === 0 && { shardAccount }),
      config,
      lt,
      utime,
      randSeed,
    };
  });
  const outcomes = await vm.runTransactions(runs, { timeoutMs: TIMEOUT_MS, signal }).catch((error) => {
    const hasFailed = error instanceof VmCrash || error instanceof VmRunTooLong;
    throw hasFailed ? new ReplayMismatch('the emulator failed', { cause: error }) : error;
  });
  return outcomes.map((outcome, i) => {
    const { transaction } = transactions[i]!;
    if (outcome.kind !== 'done')
      throw new ReplayMismatch(`transaction at ${transaction.lt} was ${outcome.kind}`);
    const bag = readBoc(outcome.shardAccount);
    const account: CellRef = { cells: bag, cell: readShardAccount(new Slice(bag, bag.root)).account };
    if (!hashOf(account).equals(transaction.newStateHash))
      throw new ReplayMismatch(`transaction at ${transaction.lt} left another state`);
    return stateOf(account);
  });
}

function causeOf({ inMessage, description, lt }: Transaction): TransactionCause {
  if (inMessage !== undefined) return { message: writeCellBoc(inMessage.cells, inMessage.cell) };
  if (description.kind === 'tick_tock') return { tickTock: description.isTock ? 'tock' : 'tick' };
  throw new ReplayMismatch(`transaction at ${lt} has no message`);
}

function hashOf(account: CellRef | undefined): Buffer {
  return account === undefined ? ACCOUNT_NONE : account.cells.hash(account.cell, 0);
}

/** Code and data of an account. */
function stateOf(found: CellRef | undefined): PoolState {
  const account: Account | undefined = found && readAccount(found.cells, found.cell);
  if (found === undefined || account?.state.kind !== 'active')
    return { codeHash: undefined, data: undefined };
  const { data } = account.state.init;
  return {
    codeHash: codeHash(found.cells, account),
    data: data < 0 ? undefined : writeCellBoc(found.cells, data),
  };
}
