import type { Selectable } from 'kysely';
import type { ClientBase } from 'pg';
import type { PoolEvents } from '../../chain/contracts/nominator-pool.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { type CopyBuffer, createRowFormat } from '../../db/copy.ts';
import { databaseOf } from '../../db/driver.ts';
import { createQueue } from '../../db/queue.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { copyFormat, type WriteStatsRecorder } from './copy-in.ts';

export interface PoolTransaction extends PoolEvents {
  /** 33 bytes. */
  readonly pool: Buffer;
  readonly mcSeqno: number;
  readonly transaction: Pick<Transaction, 'hash' | 'lt' | 'now'>;
}

/** The transactions of a pool in a masterchain seqno, whose events cannot be told from the blocks alone. */
export interface WaitingPool {
  readonly account: Buffer;
  readonly mcSeqno: number;
  readonly lastTransHash: Buffer;
}

/** What a batch tells about nominator pools. */
export interface PoolBatch {
  readonly transactions: readonly PoolTransaction[];
  readonly waiting: readonly WaitingPool[];
}

/** The fields of events that their transaction has. */
const OF_TRANSACTION = {
  pool: (row: CopyBuffer, { pool }: PoolTransaction) => row.bytes(pool),
  lt: (row: CopyBuffer, { transaction }: PoolTransaction) => row.int8(transaction.lt),
  utime: (row: CopyBuffer, { transaction }: PoolTransaction) => row.int8(transaction.now),
  tx_hash: (row: CopyBuffer, { transaction }: PoolTransaction) => row.bytes(transaction.hash),
  mc_seqno: (row: CopyBuffer, { mcSeqno }: PoolTransaction) => row.int4(mcSeqno),
};

type NominatorEvent = PoolTransaction & {
  readonly index: number;
  readonly event: PoolEvents['nominators'][number];
};

const NOMINATOR_EVENTS = createRowFormat<NominatorEvent>({
  ...OF_TRANSACTION,
  event_index: (row, { index }) => row.int4(index),
  nominator: (row, { event }) => row.bytes(event.nominator),
  type: (row, { event }) => row.text(event.type),
  amount: (row, { event }) => row.numeric(event.amount),
  balance_before: (row, { event }) => row.numeric(event.before.balance),
  balance_after: (row, { event }) => row.numeric(event.after.balance),
  pending_before: (row, { event }) => row.numeric(event.before.pending),
  pending_after: (row, { event }) => row.numeric(event.after.pending),
  withdraw_before: (row, { event }) => row.bool(event.before.hasRequest),
  withdraw_after: (row, { event }) => row.bool(event.after.hasRequest),
});

type ValidatorEvent = PoolTransaction & { readonly validator: NonNullable<PoolEvents['validator']> };

const VALIDATOR_EVENTS = createRowFormat<ValidatorEvent>({
  ...OF_TRANSACTION,
  validator: (row, { validator }) => row.bytes(validator.validator),
  type: (row, { validator }) => row.text(validator.type),
  balance_before: (row, { validator }) => row.numeric(validator.balanceBefore),
  balance_after: (row, { validator }) => row.numeric(validator.balanceAfter),
  query_id: (row, { validator }) => row.numeric(validator.queryId),
  cycle_start: (row, { validator }) => row.int8(validator.cycleStart),
  validator_reward_share: (row, { validator }) => row.int4(validator.validatorRewardShare),
});

const WAITING_POOLS = createRowFormat<WaitingPool>({
  account: (row, { account }) => row.bytes(account),
  mc_seqno: (row, { mcSeqno }) => row.int4(mcSeqno),
  last_trans_hash: (row, { lastTransHash }) => row.bytes(lastTransHash),
});

/** Writes what a batch tells about pools. */
export async function writePools(
  client: ClientBase,
  { transactions, waiting }: PoolBatch,
  stats: WriteStatsRecorder,
): Promise<void> {
  await writePoolEvents(client, transactions, stats);
  stats.add(await copyFormat(client, 'waiting_pools', WAITING_POOLS, waiting));
}

/** Writes the events of transactions, which must not have been written before. */
export async function writePoolEvents(
  client: ClientBase,
  transactions: readonly PoolTransaction[],
  stats: WriteStatsRecorder,
): Promise<void> {
  const nominators = transactions.flatMap((one) =>
    one.nominators.map((event, index) => ({ ...one, event, index })),
  );
  const validators = transactions.flatMap(({ validator, ...one }) =>
    validator ? [{ ...one, validator }] : [],
  );
  stats.add(await copyFormat(client, 'nominator_pool_events', NOMINATOR_EVENTS, nominators));
  stats.add(await copyFormat(client, 'pool_validator_events', VALIDATOR_EVENTS, validators));
}

/** The transactions of a pool in a masterchain seqno that wait for states. */
export type WaitingRow = Selectable<Tables['waiting_pools']>;

/** Pools that wait. Lite servers that have no old states do not get them later, but others may be configured. */
export const POOL_QUEUE = createQueue({
  table: 'waiting_pools',
  key: ['account', 'mc_seqno'],
  leaseSeconds: 60,
  pauseSeconds: [2, 6 * 3600],
});

/**
 * Removes a pool from the queue in the transaction that writes its events; false if it is not there any more. After blocks
 * were taken back the same seqno may wait again, with other transactions.
 */
export async function takeOff(client: ClientBase, row: WaitingRow): Promise<boolean> {
  const { numDeletedRows } = await databaseOf(client)
    .deleteFrom('waiting_pools')
    .where(POOL_QUEUE.isOneOf([row]))
    .where('last_trans_hash', 'is not distinct from', row.last_trans_hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
