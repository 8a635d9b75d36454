import { median } from '../support/measure.ts';
import type { Client } from './clients.ts';
import type { Report } from './report.ts';

/** Figures of one client in one round. */
export interface Round {
  readonly queriesPerSecond: number;
  readonly queriesPerCpuSecond: number;
  readonly cpuMsPerBlock: number;
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Queries the head many times concurrently, then some blocks one after another. */
export async function runRound(
  client: Client,
  queries: number,
  blocks: number,
  blockBytes: number,
): Promise<Round> {
  const small = await costOf(async () => {
    const heads = await Promise.all(Array.from({ length: queries }, client.head));
    if (!heads.every((seqno) => seqno === heads[0])) throw new Error('Heads differ');
  });
  const large = await costOf(async () => {
    for (let count = 0; count < blocks; count += 1)
      if ((await client.block()) !== blockBytes) throw new Error('Block is incomplete');
  });
  return {
    queriesPerSecond: (queries * 1000) / small.wallMs,
    queriesPerCpuSecond: (queries * 1000) / small.cpuMs,
    cpuMsPerBlock: large.cpuMs / blocks,
  };
}

/** CPU time is that of all threads of this process. */
async function costOf(work: () => Promise<void>): Promise<Cost> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wallMs: performance.now() - startedMs, cpuMs: (user + system) / 1000 };
}

/** Rounds of both clients, in the order they were run. */
export interface Rounds {
  readonly ours: readonly Round[];
  readonly theirs: readonly Round[];
}

/** Medians of both clients. */
export interface Verdict {
  readonly ours: number;
  readonly theirs: number;
  /** How many times better ours is: the median over pairs of adjacent rounds. */
  readonly ratio: number;
  readonly goal: number | null;
}

/** Compares round by round, so that other load on the machine affects both clients. */
export function judge(
  rounds: Rounds,
): Pick<Report, 'queriesPerSecond' | 'queriesPerCpuSecond' | 'cpuMsPerBlock'> {
  return {
    queriesPerSecond: verdict(rounds, (round) => round.queriesPerSecond, true, 3),
    queriesPerCpuSecond: verdict(rounds, (round) => round.queriesPerCpuSecond, true, null),
    cpuMsPerBlock: verdict(rounds, (round) => round.cpuMsPerBlock, false, 30),
  };
}

function verdict(
  { ours, theirs }: Rounds,
  value: (round: Round) => number,
  moreIsBetter: boolean,
  goal: number | null,
): Verdict {
  const ratios = ours.map((round, index) => {
    const ratio = value(round) / value(theirs[index] as Round);
    return moreIsBetter ? ratio : 1 / ratio;
  });
  return {
    ours: rounded(median(ours.map(value))),
    theirs: rounded(median(theirs.map(value))),
    ratio: rounded(median(ratios)),
    goal,
  };
}

const rounded = (value: number): number => Number(value.toFixed(value < 100 ? 1 : 0));
