import pg from 'pg';
import { type ElectorState, readElectorState } from '../../../src/chain/contracts/elector.ts';
import type { ValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { WriteStatsRecorder } from '../../../src/index/write/copy-in.ts';
import { readValidatorUpdate, type ValidatorUpdate } from '../../../src/index/write/validator-update.ts';
import { writeValidatorUpdates } from '../../../src/index/write/write-validators.ts';
import {
  complaintOf,
  configOf,
  electionOf,
  electorData,
  pastOf,
  setCell,
  setOf,
} from '../../support/made-elector.ts';

/** Seconds between the starts of made sets. */
export const PERIOD = 1000;
export const FIRST_START = 1_790_000_000;

/** What an elector went through: four elections, of which three made sets, a fine and three complaints. */
export function madeHistory(): ValidatorUpdate[] {
  const [e1, e2, e3, e4] = [0, 1, 2, 3].map((number) => FIRST_START + number * PERIOD) as [
    number,
    number,
    number,
    number,
  ];
  const [s1, s2] = [setOf(e1, [1, 2, 3]), setOf(e2, [2, 3, 4])];
  // It was made late.
  const s3 = setOf(e3 + 50, [3, 4, 5]);
  const [p1, p2, p3] = [pastOf(e1, s1), pastOf(e2, s2), pastOf(e3, s3)];
  const fined = {
    ...p1,
    totalStake: p1.totalStake - 500n,
    stakes: p1.stakes.map((one, at) => (at === 0 ? { ...one, stake: one.stake - 500n } : one)),
  };
  const open = complaintOf(1);
  const foreign = complaintOf(9, { description: undefined });
  const voted = complaintOf(1, { voters: [0, 2], setHash: setCell(s2).hash(), weightRemaining: -3n });
  const lost = complaintOf(2, { voters: [1], setHash: Buffer.alloc(32, 7), weightRemaining: 4n });
  const history: [number, ElectorState, Readonly<Record<number, ValidatorSet>>?, number[]?][] = [
    [e1 - 300, { election: electionOf(e1, [1, 2]), past: [] }],
    [e1 - 250, { election: electionOf(e1, [1, 2, 3, 6]), past: [] }],
    [e1 - 200, { election: electionOf(e1, [1, 2, 3, 6], { finished: true }), past: [p1] }],
    [e1 - 190, { election: undefined, past: [p1] }, { 36: s1 }],
    [e1, { election: undefined, past: [p1] }, { 34: s1 }],
    [
      e2 - 200,
      { election: electionOf(e2, [2, 3, 4], { finished: true }), past: [p1, p2] },
      { 34: s1, 36: s2 },
    ],
    [e2, { election: undefined, past: [p1, p2] }, { 32: s1, 34: s2 }],
    [e2 + 10, { election: undefined, past: [{ ...p1, complaints: [open] }, p2] }, undefined, [e1]],
    [e2 + 20, { election: undefined, past: [{ ...p1, complaints: [open, foreign] }, p2] }, undefined, [e1]],
    [
      e2 + 30,
      { election: undefined, past: [{ ...fined, complaints: [voted, foreign] }, p2] },
      undefined,
      [e1],
    ],
    // A governance change while everything else stays.
    [
      e2 + 40,
      { election: undefined, past: [{ ...fined, complaints: [voted, foreign] }, p2] },
      { 32: s1, 34: s2 },
    ],
    [
      e3 - 100,
      { election: electionOf(e3, [3, 4, 5], { finished: true }), past: [{ ...p2, complaints: [lost] }, p3] },
      { 34: s2, 36: s3 },
    ],
    // The stakes of one set are not known: the elector was changed.
    [e3 + 60, { election: undefined, past: [] }, { 32: s2, 34: s3 }],
    [e4 - 100, { election: electionOf(e4, [7], { failed: true, minStake: 1n }), past: [p3] }],
  ];
  return history.map(([utime, state, sets, complaintElections = []], at) => {
    const config = sets && configOf(sets);
    const data = electorData({ ...(state.election && { election: state.election }), past: state.past });
    return readValidatorUpdate(
      { mcSeqno: 10 + at, utime, config, complaintElections },
      readElectorState(data.toBoc()),
    );
  });
}

/** Writes updates, each list of them in one transaction. */
export async function writeHistory(
  url: string,
  batches: readonly (readonly ValidatorUpdate[])[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const updates of batches) {
      await client.query('begin');
      await writeValidatorUpdates(client, { updates, missing: [] }, new WriteStatsRecorder());
      await client.query('commit');
    }
  } finally {
    await client.end();
  }
}
