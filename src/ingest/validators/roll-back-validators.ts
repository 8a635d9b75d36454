import type { ClientBase } from 'pg';
import { accountKey } from '../../chain/address.ts';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { readElectorState } from '../../chain/contracts/elector.ts';
import { readConfigAddress } from '../../chain/tlb/config.ts';
import { WriteStatsRecorder } from '../../index/write/copy-in.ts';
import { readValidatorUpdate, type ValidatorUpdate } from '../../index/write/validator-update.ts';
import { writeValidatorUpdates } from '../../index/write/write-validators.ts';
import { getConfigAll } from '../../lite/methods/config.ts';
import type { FetchContext } from '../fetch/fetch-context.ts';
import { fetchElectorData } from './elector-tracker.ts';

const FETCH_MS = 20_000;

/** Reads what the state after a block shows about validators, as if it were a key block. */
export async function readValidatorsAt(
  fetch: Pick<FetchContext, 'pool' | 'check' | 'signal'>,
  block: BlockId,
): Promise<ValidatorUpdate | undefined> {
  const { pool, check, signal } = fetch;
  const session = await pool.session({ seqno: block.seqno, budgetMs: FETCH_MS, signal });
  const { cells, cell } = await session.run(({ query }) => getConfigAll(query, block, check));
  const elector = readConfigAddress(cells, cell, 1);
  if (elector === undefined) return undefined;
  const { boc } = await fetchElectorData(fetch, block, accountKey(MASTERCHAIN, elector), FETCH_MS);
  const state = boc && readElectorState(boc);
  const at = {
    mcSeqno: block.seqno,
    utime: 0,
    config: writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }),
    complaintElections: state?.past.map(({ id }) => id) ?? [],
  };
  return readValidatorUpdate(at, state);
}

/** What later blocks showed, by the column with their seqno. */
const LATER_ROWS = [
  ['validator_events', 'mc_seqno'],
  ['missing_elector_states', 'mc_seqno'],
  ['validator_elections', 'source_seqno'],
  ['validator_election_participants', 'source_seqno'],
  ['validator_complaints', 'source_seqno'],
] as const;

/** $1 is the last seqno that is kept, $2 are the starts of the sets in its configuration: other sets were not there before. */
const CUT_CYCLES = `
with gone as (
  delete from validator_cycles where source_seqno > $1 and not cycle_start = any($2::bigint[]) returning cycle_start
)
delete from validator_cycle_members member using gone where member.cycle_start = gone.cycle_start`;

/** The last kept block, and the key block whose configuration it has; null if that is not in the index. */
const FIND_PLACE = `
select gen_utime, (
  select max(mc_seqno) from blocks where workchain = ${MASTERCHAIN} and key_block and mc_seqno <= $1) as key_seqno
from blocks where mc_seqno = $1 and workchain = ${MASTERCHAIN}`;

/**
 * Takes back what blocks after a seqno showed about validators. An election that is open, a set in the configuration and
 * a complaint that the elector keeps are there all the time, so the state after the last kept block has everything that
 * must be set back. Stakes stay: the greatest were seen when a set was new. Call it after the blocks are removed.
 */
export async function rollBackValidators(
  client: ClientBase,
  seqno: number,
  update: ValidatorUpdate | undefined,
): Promise<void> {
  const { rows } = await client.query<{ gen_utime: string; key_seqno: number | null }>(FIND_PLACE, [seqno]);
  const { gen_utime, key_seqno: keySeqno } = rows[0]!;
  // Sets are read from key blocks only.
  const cycles = (keySeqno !== null && update?.cycles) || [];
  for (const [table, column] of LATER_ROWS)
    await client.query(`delete from ${table} where ${column} > $1`, [seqno]);
  await client.query(CUT_CYCLES, [seqno, cycles.map(({ set }) => set.since)]);
  if (update === undefined) return;
  const stats = new WriteStatsRecorder();
  const at = { ...update, utime: Number(gen_utime), cycles: [] };
  await writeValidatorUpdates(client, { updates: [at], missing: [] }, stats, 'keep');
  if (keySeqno === null) return;
  // So that the configuration of the last kept block replaces that of later ones.
  await client.query('update validator_cycles set source_seqno = $1 where source_seqno > $1', [keySeqno]);
  const ofKeyBlock = { ...at, mcSeqno: keySeqno, election: undefined, complaints: [], cycles };
  await writeValidatorUpdates(client, { updates: [ofKeyBlock], missing: [] }, stats);
}
