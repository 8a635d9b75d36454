import type { ClientBase } from 'pg';
import type { PoolEvents } from '../../chain/contracts/nominator-pool.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { CopyBuffer } from '../../db/copy.ts';
import { copyIn, type WriteStatsRecorder } from './copy-in.ts';

/** A transaction of a pool with its events. */
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

const TRANSACTION_COLUMNS = ['pool', 'lt', 'utime', 'tx_hash', 'mc_seqno'] as const;
const NOMINATOR_COLUMNS = [
  ...TRANSACTION_COLUMNS,
  'event_index',
  'nominator',
  'type',
  'amount',
  'balance_before',
  'balance_after',
  'pending_before',
  'pending_after',
  'withdraw_before',
  'withdraw_after',
] as const;
const VALIDATOR_COLUMNS = [
  ...TRANSACTION_COLUMNS,
  'validator',
  'type',
  'balance_before',
  'balance_after',
  'query_id',
  'cycle_start',
  'validator_reward_share',
] as const;
const WAITING_COLUMNS = ['account', 'mc_seqno', 'last_trans_hash'] as const;

/** Writes what a batch tells about pools. */
export async function writePools(
  client: ClientBase,
  { transactions, waiting }: PoolBatch,
  stats: WriteStatsRecorder,
): Promise<void> {
  await writePoolEvents(client, transactions, stats);
  if (waiting.length === 0) return;
  const rows = new CopyBuffer();
  for (const { account, mcSeqno, lastTransHash } of waiting)
    rows.row(WAITING_COLUMNS.length).bytes(account).int4(mcSeqno).bytes(lastTransHash);
  stats.add(await copyIn(client, 'waiting_pools', WAITING_COLUMNS, [rows.rows()]));
}

/** Writes the events of transactions, which must not have been written before. */
export async function writePoolEvents(
  client: ClientBase,
  transactions: readonly PoolTransaction[],
  stats: WriteStatsRecorder,
): Promise<void> {
  const nominators = new CopyBuffer();
  const validators = new CopyBuffer();
  for (const one of transactions) {
    for (const [index, event] of one.nominators.entries())
      transactionColumns(nominators.row(NOMINATOR_COLUMNS.length), one)
        .int4(index)
        .bytes(event.nominator)
        .text(event.type)
        .numeric(event.amount)
        .numeric(event.before.balance)
        .numeric(event.after.balance)
        .numeric(event.before.pending)
        .numeric(event.after.pending)
        .bool(event.before.hasRequest)
        .bool(event.after.hasRequest);
    const { validator } = one;
    if (validator !== undefined)
      transactionColumns(validators.row(VALIDATOR_COLUMNS.length), one)
        .bytes(validator.validator)
        .text(validator.type)
        .numeric(validator.balanceBefore)
        .numeric(validator.balanceAfter)
        .numeric(validator.queryId)
        .int8(validator.cycleStart)
        .int4(validator.validatorRewardShare);
  }
  stats.add(await copyIn(client, 'nominator_pool_events', NOMINATOR_COLUMNS, [nominators.rows()]));
  stats.add(await copyIn(client, 'pool_validator_events', VALIDATOR_COLUMNS, [validators.rows()]));
}

function transactionColumns(row: CopyBuffer, { pool, mcSeqno, transaction }: PoolTransaction): CopyBuffer {
  const { lt, now, hash } = transaction;
  return row.bytes(pool).int8(lt).int8(now).bytes(hash).int4(mcSeqno);
}
