import type { ClientBase } from 'pg';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { databaseOf } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { WriteStatsRecorder } from './copy-in.ts';
import { settleWaiting } from './token-events.ts';
import { type AccountUpdate, copyNewAccounts, writeAccounts } from './write-accounts.ts';
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
  /** The id of the last account that this import wrote or found written; undefined for the first batch. */
  readonly after: Buffer | undefined;
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
 * Codes come through `writeCodes`. With `expectsNew` it fails with a unique violation where another process writes one of the
 * accounts at the same time.
 */
export async function writeStateBatch(
  client: ClientBase,
  { mcSeqno, workchain, shard, hash }: StateImport,
  { after, accounts, detected, lastAccount, isLast }: StateBatch,
  { metadata, expectsNew }: { readonly metadata: ReadChainMetadata; readonly expectsNew: boolean },
): Promise<void> {
  const stats = new WriteStatsRecorder();
  const { older, fresh } = await compareWithIndex(client, accounts);
  if (older === 0 && expectsNew) await copyNewAccounts(client, fresh, detected.undetected, stats);
  else await writeKnown(client, { accounts: fresh, detected }, metadata, stats);
  let progress = databaseOf(client)
    .updateTable('state_imports')
    .set((row) => ({
      accounts: row('accounts', '+', String(accounts.length)),
      // Another process may be ahead with the same state.
      ...(lastAccount && {
        last_account: row.fn<Buffer>('greatest', ['last_account', row.val(lastAccount)]),
      }),
      ...(isLast && { finished_at: new Date() }),
    }))
    .where('mc_seqno', '=', mcSeqno)
    .where('workchain', '=', workchain)
    .where('shard', '=', String(shard))
    .where('hash', '=', hash);
  if (after !== undefined) progress = progress.where('last_account', '>=', after);
  const { numUpdatedRows } = await progress.executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Error(
      'What was imported before is gone: PostgreSQL has crashed, or the index was emptied; run the import again',
    );
}

/** Leaves out accounts of which the index has this state or a newer one, and counts those of which it has an older one. */
async function compareWithIndex(client: ClientBase, accounts: readonly AccountUpdate[]) {
  const { rows } = await client.query<{ account: Buffer; last_trans_lt: string }>(
    'select account, last_trans_lt from latest_account_states where account = any($1::bytea[])',
    [accounts.map(({ change }) => change.account)],
  );
  const known = new Map(rows.map((row) => [bytesKey(row.account), BigInt(row.last_trans_lt)]));
  let older = 0;
  const fresh = accounts.filter(({ change }) => {
    const lt = known.get(bytesKey(change.account));
    if (lt === undefined) return true;
    if (lt >= change.lastTransLt) return false;
    older++;
    return true;
  });
  return { older, fresh };
}

async function writeKnown(
  client: ClientBase,
  { accounts, detected }: Pick<StateBatch, 'accounts' | 'detected'>,
  metadata: ReadChainMetadata,
  stats: WriteStatsRecorder,
): Promise<void> {
  const batch = { latest: accounts, earlier: [], detected };
  const { settled, withNewCode } = await writeAccounts(client, batch, stats);
  const withdrawn = withdrawFromOtherTables(detected, [...settled, ...withNewCode]);
  await writeDetected(client, withdrawn, metadata, stats);
  await settleWaiting(client, settled);
}
