import { type Load, type Pressure, percentile } from '../support/load.ts';
import { median } from '../support/measure.ts';
import type { MeasuredProcess } from '../support/servers.ts';
import type { Usage } from '../support/usage-probe.ts';

/** Figures of one side in one round; CPU times are microseconds per response. */
export interface Round {
  readonly responsesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** All threads of the server. */
  readonly serverCpu: number;
  /** Main thread of the server. */
  readonly loopCpu: number;
  /** The process with the chain and its lite server, including block production. */
  readonly chainCpu: number;
  readonly clientCpu: number;
  /** Share of cached responses. */
  readonly cachedShare: number;
}

/** When a round ends. */
export type RoundLength = Omit<Pressure, 'concurrency'>;

/** One of the compared ways to get a response. */
export interface Side {
  readonly name: string;
  /** Undefined if this process does the work itself. */
  readonly server: Pick<MeasuredProcess, 'usage'> | undefined;
  /** How many of these could run in parallel; multiplies the result. */
  readonly parallelism: number;
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
  const perResponse = (pick: (usage: Usage) => number, from: Usage | undefined, to: Usage | undefined) =>
    from === undefined || to === undefined ? 0 : (pick(to) - pick(from)) / load.responses;
  return {
    responsesPerSecond: (load.responses * 1000) / load.elapsedMs,
    p50Ms: percentile(load, 0.5),
    p99Ms: percentile(load, 0.99),
    serverCpu: perResponse((usage) => usage.cpuMicroseconds, server0, server1),
    loopCpu: perResponse((usage) => usage.loopCpuMicroseconds, server0, server1),
    chainCpu: perResponse((usage) => usage.cpuMicroseconds, chain0, chain1),
    clientCpu: (client1.user + client1.system - client0.user - client0.system) / load.responses,
    cachedShare: load.cached / load.responses,
  };
}

/** The median of each figure. */
export function medianRound(rounds: readonly Round[]): Round {
  const of = (pick: (round: Round) => number): number => Number(median(rounds.map(pick)).toPrecision(3));
  return {
    responsesPerSecond: of((round) => round.responsesPerSecond),
    p50Ms: of((round) => round.p50Ms),
    p99Ms: of((round) => round.p99Ms),
    serverCpu: of((round) => round.serverCpu),
    loopCpu: of((round) => round.loopCpu),
    chainCpu: of((round) => round.chainCpu),
    clientCpu: of((round) => round.clientCpu),
    cachedShare: of((round) => round.cachedShare),
  };
}
