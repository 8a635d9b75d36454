import type { MeasuredProcess } from '../http/measured-process.ts';
import type { Usage } from '../http/probe.ts';
import { type Load, type Pressure, percentile } from './load.ts';

/** What one side did in one round; processor times are microseconds for each answer. */
export interface Round {
  readonly answersPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of whoever answers, all threads and that of the event loop. */
  readonly serverCpu: number;
  readonly loopCpu: number;
  /** Of the process with the chain and its lite server; it makes blocks as well. */
  readonly chainCpu: number;
  readonly clientCpu: number;
  /** Share of the answers that were known before. */
  readonly cachedShare: number;
}

/** How long a round is. */
export type RoundLength = Omit<Pressure, 'concurrency'>;

/** A way to get an answer. */
export interface Side {
  readonly name: string;
  /** Who answers; undefined where this process does it itself. */
  readonly server: Pick<MeasuredProcess, 'usage'> | undefined;
  /** How often the same could be had at the same time. */
  readonly times: number;
  readonly run: (length: RoundLength) => Promise<Load>;
}

/** Runs one round of a side. */
export async function measure(
  side: Side,
  chain: Pick<MeasuredProcess, 'usage'>,
  length: RoundLength,
): Promise<Round> {
  const usages = () => Promise.all([side.server?.usage(), chain.usage(), process.cpuUsage()]);
  const [server0, chain0, client0] = await usages();
  const load = await side.run(length);
  const [server1, chain1, client1] = await usages();
  const perAnswer = (pick: (usage: Usage) => number, from: Usage | undefined, to: Usage | undefined) =>
    from === undefined || to === undefined ? 0 : (pick(to) - pick(from)) / load.answers;
  return {
    answersPerSecond: (load.answers * 1000) / load.elapsedMs,
    p50Ms: percentile(load, 0.5),
    p99Ms: percentile(load, 0.99),
    serverCpu: perAnswer((usage) => usage.cpuMicroseconds, server0, server1),
    loopCpu: perAnswer((usage) => usage.loopCpuMicroseconds, server0, server1),
    chainCpu: perAnswer((usage) => usage.cpuMicroseconds, chain0, chain1),
    clientCpu: (client1.user + client1.system - client0.user - client0.system) / load.answers,
    cachedShare: load.cached / load.answers,
  };
}

/** The middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/** The medians of rounds, number by number. */
export function medianRound(rounds: readonly Round[]): Round {
  const of = (pick: (round: Round) => number): number => Number(median(rounds.map(pick)).toPrecision(3));
  return {
    answersPerSecond: of((round) => round.answersPerSecond),
    p50Ms: of((round) => round.p50Ms),
    p99Ms: of((round) => round.p99Ms),
    serverCpu: of((round) => round.serverCpu),
    loopCpu: of((round) => round.loopCpu),
    chainCpu: of((round) => round.chainCpu),
    clientCpu: of((round) => round.clientCpu),
    cachedShare: of((round) => round.cachedShare),
  };
}
