import {
  isNominatorPoolCode,
  type PoolEvents,
  poolEvents,
  readNominatorPool,
} from '../../chain/contracts/nominator-pool.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import type { Db } from '../../db/tables/tables.ts';
import { readAccountData } from '../../index/read/accounts.ts';
import {
  type AccountChange,
  type DecodedSeqno,
  type StateSummary,
  transactionsOfAccount,
} from '../../index/write/decoded-seqno.ts';
import type { PoolBatch, PoolTransaction, WaitingPool } from '../../index/write/write-pools.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { DataAssembler } from '../states/data-assembler.ts';

const NO_POOLS: PoolBatch = { transactions: [], waiting: [] };

interface KnownData {
  readonly hash: Buffer;
  readonly boc: Buffer;
}

/**
 * Finds the events of the pools in a batch that follows what is indexed. Where a pool has one transaction in a seqno, and
 * the index has the data before it, the block shows the rest. All other pools wait: states between the transactions of a
 * block are in no block, and history may be indexed before what precedes it.
 */
export async function findPoolEvents(db: Db, seqnos: readonly DecodedSeqno[]) {
  const changes = seqnos.flatMap((seqno) => poolChanges(seqno).map((change) => ({ seqno, ...change })));
  if (changes.length === 0) return NO_POOLS;
  const accounts = new Map(changes.map(({ account }) => [bytesKey(account), account]));
  const known = new Map<string, KnownData>();
  for (const { account, hash, boc } of await readAccountData(db, [...accounts.values()]))
    known.set(bytesKey(account), { hash, boc });
  const found: PoolTransaction[] = [];
  const waiting: WaitingPool[] = [];
  for (const { seqno, account, blocks } of changes) {
    const { mcSeqno } = seqno;
    const [first, last] = [blocks[0]!, blocks.at(-1)!];
    const before = dataBefore(first, known.get(bytesKey(account)));
    const after = dataAfter(blocks, before);
    if (after === undefined) known.delete(bytesKey(account));
    else known.set(bytesKey(account), after);
    if (!isPool(last)) continue;
    const transactions = transactionsOfAccount(seqno, account);
    const [transaction] = transactions;
    if (transactions.length !== 1 || before === undefined || after === undefined) {
      waiting.push({ account, mcSeqno, lastTransHash: last.lastTransHash });
      continue;
    }
    const events = eventsOf(
      transaction!,
      { codeHash: first.before?.codeHash, data: before === NO_DATA ? undefined : before.boc },
      { codeHash: last.codeHash, data: after.boc },
    );
    if (events !== undefined) found.push({ pool: account, mcSeqno, transaction: transaction!, ...events });
  }
  return { transactions: found, waiting };
}

/** The accounts of a seqno that are pools, or were, with their changes in its blocks, oldest first. */
function poolChanges({ accounts }: DecodedSeqno) {
  const pools = accounts.filter((change) => isPool(change) || (change.before && isPool(change.before)));
  const byAccount = Map.groupBy(pools, ({ account }) => bytesKey(account));
  return [...byAccount.values()].map((blocks) => ({
    account: blocks[0]!.account,
    blocks: blocks.sort((a, b) => (a.lastTransLt < b.lastTransLt ? -1 : 1)),
  }));
}

const NO_DATA = Symbol('no data');

/** The data before a change; undefined if it is not known. */
function dataBefore({ before }: AccountChange, known: KnownData | undefined) {
  if (before === undefined) return undefined;
  if (before.dataHash === undefined) return NO_DATA;
  return known?.hash.equals(before.dataHash) ? known : undefined;
}

/** The data after the changes of a seqno; undefined if it is not known, or there is none. */
function dataAfter(blocks: readonly AccountChange[], before: KnownData | typeof NO_DATA | undefined) {
  const { dataHash, data, dataIsWhole } = blocks.at(-1)!;
  if (dataHash === undefined) return undefined;
  if (before !== undefined && before !== NO_DATA && before.hash.equals(dataHash)) return before;
  if (dataIsWhole && data !== undefined) return { hash: dataHash, boc: data };
  const whole = new DataAssembler(blocks.reduce((sum, block) => sum + (block.data?.length ?? 0), 0));
  if (before !== undefined && before !== NO_DATA) whole.addSource(before.boc);
  for (const block of blocks) if (block.data !== undefined) whole.add(block.data);
  const boc = whole.toBoc();
  return boc && { hash: dataHash, boc };
}

/** Code and data of an account; undefined where there is none, or for data that is not known. */
export interface PoolState {
  readonly codeHash: Buffer | undefined;
  /** A bag of cells. */
  readonly data: Buffer | undefined;
}

/** The events of a transaction from the states around it; undefined if the account is not a pool afterwards. */
export function eventsOf(
  transaction: Pick<Transaction, 'inMessage' | 'description'>,
  before: PoolState,
  after: PoolState,
): PoolEvents | undefined {
  const pool = poolIn(after);
  return pool && poolEvents(transaction, poolIn(before), pool);
}

function poolIn({ codeHash, data }: PoolState) {
  return isNominatorPoolCode(codeHash) && data !== undefined ? readNominatorPool(data) : undefined;
}

function isPool({ codeHash }: Pick<StateSummary, 'codeHash'>): boolean {
  return isNominatorPoolCode(codeHash);
}
