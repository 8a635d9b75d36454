import type { ClientBase } from 'pg';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { databaseOf } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { WriteStatsRecorder } from './copy-in.ts';
import { settleWaiting } from './token-events.ts';
import { type AccountUpdate, writeAccounts } from './write-accounts.ts';
import {
  type DetectionResult,
  type ReadChainMetadata,
  withdrawFromOtherTables,
  writeDetected,
} from './write-contracts.ts';

/** The complete state of a shard that is imported: the one after a block, as of a masterchain block. */
export interface StateImport {
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly shard: bigint;
  readonly hash: Buffer;
}

/** How far the import of a state is. */
export interface StateImportProgress {
  readonly accounts: number;
  /** The id of the last account that is written. */
  readonly lastAccount: Buffer | undefined;
  readonly isFinished: boolean;
}

/** Accounts of a state, ascending and right after those that are written. */
export interface StateBatch {
  readonly accounts: readonly AccountUpdate[];
  readonly codes: readonly ContractCode[];
  readonly detected: DetectionResult;
  /** The id of the last one; undefined for a batch without accounts. */
  readonly lastAccount: Buffer | undefined;
  /** Whether the state has no more accounts. */
  readonly isLast: boolean;
}

/** Finds how far the import of a state is, or begins it; that of another state with the same name starts over. */
export async function beginStateImport(db: Db, state: StateImport): Promise<StateImportProgress> {
  const { mcSeqno, workchain, hash } = state;
  const row = await importsOf(db, state).selectAll().executeTakeFirst();
  if (row?.hash.equals(hash))
    return {
      accounts: Number(row.accounts),
      lastAccount: row.last_account ?? undefined,
      isFinished: row.finished_at !== null,
    };
  const fresh = { hash, last_account: null, accounts: 0, finished_at: null };
  await db
    .insertInto('state_imports')
    .values({ mc_seqno: mcSeqno, workchain, shard: state.shard, ...fresh })
    .onConflict((conflict) => conflict.columns(['mc_seqno', 'workchain', 'shard']).doUpdateSet(fresh))
    .execute();
  return { accounts: 0, lastAccount: undefined, isFinished: false };
}

function importsOf(db: Db, { mcSeqno, workchain, shard }: StateImport) {
  return db
    .selectFrom('state_imports')
    .where('mc_seqno', '=', mcSeqno)
    .where('workchain', '=', workchain)
    .where('shard', '=', String(shard));
}

/**
 * Writes accounts of an imported state, and how far it is, in the transaction of a client. Newer states of the index stay.
 * Codes come through `writeCodes`.
 */
export async function writeStateBatch(
  client: ClientBase,
  { mcSeqno, workchain, shard, hash }: StateImport,
  { accounts, detected, lastAccount, isLast }: StateBatch,
  metadata: ReadChainMetadata,
): Promise<void> {
  const stats = new WriteStatsRecorder();
  const { settled, withNewCode } = await writeAccounts(
    client,
    { latest: accounts, earlier: [], detected },
    stats,
  );
  await writeDetected(
    client,
    withdrawFromOtherTables(detected, [...settled, ...withNewCode]),
    metadata,
    stats,
  );
  await settleWaiting(client, settled);
  const { numUpdatedRows } = await databaseOf(client)
    .updateTable('state_imports')
    .set((row) => ({
      accounts: row('accounts', '+', String(accounts.length)),
      ...(lastAccount && { last_account: lastAccount }),
      ...(isLast && { finished_at: new Date() }),
    }))
    .where('mc_seqno', '=', mcSeqno)
    .where('workchain', '=', workchain)
    .where('shard', '=', String(shard))
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Error('The import was removed meanwhile: the index is empty or of another chain');
}
