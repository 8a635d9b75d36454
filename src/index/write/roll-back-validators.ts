import type { ClientBase } from 'pg';
import { MASTERCHAIN } from '../../chain/block-id.ts';
import { WriteStatsRecorder } from './copy-in.ts';
import type { ValidatorUpdate } from './validator-update.ts';
import { writeValidatorUpdates } from './write-validators.ts';

/** Rows of later blocks, by the column with their seqno. */
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
