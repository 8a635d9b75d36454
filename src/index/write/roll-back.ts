import type { ClientBase } from 'pg';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import { CHUNK_LOCK, CLASSIFICATION_LOCK, EVENT_LOCK } from '../../db/advisory-locks.ts';
import { CONTRACT_TABLES } from '../../db/tables/contract-tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { type ChangedAccount, readChangedAccounts } from './changed-accounts.ts';
import { WriteStatsRecorder } from './copy-in.ts';
import { cutBlocks } from './cut-blocks.ts';
import type { DetectionResult } from './detected-contracts.ts';
import { readDiscarded } from './discarded-blocks.ts';
import { rollBackValidators } from './roll-back-validators.ts';
import { settleWaiting } from './token-events.ts';
import type { ValidatorUpdate } from './validator-update.ts';
import { type AccountUpdate, writeAccounts } from './write-accounts.ts';
import { writeDetected } from './write-contracts.ts';
import { type ReadChainMetadata, TOKEN_KINDS } from './write-metadata.ts';

/** A masterchain block of the index. */
export interface IndexedBlock {
  readonly seqno: number;
  readonly rootHash: Buffer;
}

/** Where the index and the chain part. */
export interface Fork {
  /** The newest block that both have. */
  readonly common: BlockId;
  /** The newest block of the index, which the chain does not have. */
  readonly discarded: IndexedBlock;
}

/** The states of changed accounts after the last block that is kept. */
export interface RestoredStates {
  readonly latest: readonly AccountUpdate[];
  /** Codes that were fetched. */
  readonly codes: readonly ContractCode[];
  readonly detected: DetectionResult | undefined;
}

/** What a roll-back does, prepared outside of its transaction. */
export interface RollBackPlan {
  readonly fork: Fork;
  readonly changed: readonly ChangedAccount[];
  readonly restored: RestoredStates;
  /** What the last kept block shows about validators; undefined if there is no elector. */
  readonly validators: ValidatorUpdate | undefined;
}

/** Something changed between the preparation of a roll-back and its transaction, so it must be prepared again. */
class OutdatedPlan extends Error {
  override readonly name = 'OutdatedPlan';
}

/**
 * Removes all blocks after the common one in the transaction of the client, which must be the only one that writes the
 * index, and sets everything else to what it was after that block. Codes stay: they are kept by hash, so nobody finds
 * those that are no longer used. False when another process has done it.
 */
export async function rollBackTables(
  client: ClientBase,
  { fork: { common, discarded }, changed, restored, validators }: RollBackPlan,
  metadata: ReadChainMetadata,
): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)', [
    CLASSIFICATION_LOCK,
    CHUNK_LOCK,
  ]);
  if (!(await hasBlock(client, discarded))) return false;
  if (!(await hasBlock(client, common))) throw new OutdatedPlan('The common block is no longer in the index');
  const blocks = await readDiscarded(client, common.seqno);
  if (!isSame(changed, await readChangedAccounts(client, blocks)))
    throw new OutdatedPlan('More blocks were indexed meanwhile');
  await cutBlocks(client, common.seqno, blocks);
  await writeStates(client, changed, restored, metadata);
  await rollBackValidators(client, common.seqno, validators);
  // Always the last lock.
  await client.query('select pg_advisory_xact_lock($1)', [EVENT_LOCK]);
  await client.query('delete from waiting_events where mc_seqno > $1', [common.seqno]);
  const missing = restored.latest.filter(({ isMissing }) => isMissing);
  const open = new Set(restored.detected?.undetected);
  for (const { change } of missing) open.add(bytesKey(change.account));
  await settleWaiting(
    client,
    accountsOf(changed).filter((account) => !open.has(bytesKey(account))),
  );
  return true;
}

async function hasBlock(client: ClientBase, { seqno, rootHash }: IndexedBlock): Promise<boolean> {
  const { rows } = await client.query<{ root_hash: Buffer }>(
    'select root_hash from blocks where mc_seqno = $1 and workchain = $2',
    [seqno, MASTERCHAIN],
  );
  return rows[0]?.root_hash.equals(rootHash) ?? false;
}

function isSame(planned: readonly ChangedAccount[], found: readonly ChangedAccount[]): boolean {
  const nameOf = ({ account, state }: ChangedAccount) =>
    `${bytesKey(account)}${state === undefined ? '' : bytesKey(state.hash)}`;
  const names = new Set(planned.map(nameOf));
  return found.length === planned.length && found.every((one) => names.has(nameOf(one)));
}

function accountsOf(changed: readonly ChangedAccount[]): Buffer[] {
  return changed.map(({ account }) => account);
}

/**
 * $1 are the changed accounts; $2 and $3 are those that have data, and its hash; $4 are those without a state. States from
 * before the first block of the index came with the first blocks that show them.
 */
const DELETE_STATES = `
with latest as (
  delete from latest_account_states where account = any($1::bytea[])
), missing as (
  delete from missing_cells where account = any($1::bytea[])
), earlier as (
  delete from account_states where account = any($4::bytea[]) and (select first_seqno from index_origin) > 1
)
delete from account_data data where account = any($1::bytea[]) and not exists (
  select from unnest($2::bytea[], $3::bytea[]) as kept (account, hash)
  where kept.account = data.account and kept.hash = data.hash)`;

/** $1 are the changed accounts; the others are those that were found again, by table. Rows that stay keep their ids. */
const DELETE_CONTRACTS = `
with ${CONTRACT_TABLES.map(
  (table, at) => `old_${table} as (
  delete from ${table} where account = any($1::bytea[]) and not account = any($${at + 2}::bytea[]) returning account
)`,
).join(', ')}
delete from token_metadata token using (
  ${TOKEN_KINDS.map((kind) => `select '${kind}'::token_kind as kind, account from old_${kind}`).join(' union all ')}
) gone
where token.account = gone.account and token.kind = gone.kind`;

/** Replaces the newest states of changed accounts, and the contracts that were found in them. */
async function writeStates(
  client: ClientBase,
  changed: readonly ChangedAccount[],
  { latest, codes, detected }: RestoredStates,
  metadata: ReadChainMetadata,
): Promise<void> {
  const accounts = accountsOf(changed);
  const stats = new WriteStatsRecorder();
  const withData = latest.flatMap(({ change: { account, dataHash } }) =>
    dataHash ? [{ account, dataHash }] : [],
  );
  await client.query(DELETE_STATES, [
    accounts,
    withData.map(({ account }) => account),
    withData.map(({ dataHash }) => dataHash),
    changed.flatMap(({ account, state }) => (state === undefined ? [account] : [])),
  ]);
  await writeAccounts(client, { latest, earlier: [], detected }, stats);
  for (const { hash, boc, methods } of codes)
    await client.query(
      'insert into contract_codes (hash, boc, methods) values ($1, $2, $3) on conflict do nothing',
      [hash, boc, methods ?? null],
    );
  const found = Map.groupBy(detected?.found ?? [], ({ table }) => table);
  await client.query(DELETE_CONTRACTS, [
    accounts,
    ...CONTRACT_TABLES.map((table) => (found.get(table) ?? []).map(({ account }) => account)),
  ]);
  if (detected !== undefined) await writeDetected(client, detected, metadata, stats);
}
