import { performance } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { median } from '../support/measure.ts';
import type { MeasuredProcess } from '../support/servers.ts';

export interface Call {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Figures of one server in one round. */
export interface Round {
  readonly requestsPerSecond: number;
  readonly cpuMicrosecondsPerRequest: number;
  /** Share of the round in which the event loop was busy: near 1 for a server that was the bottleneck. */
  readonly serverBusy: number;
  readonly clientBusy: number;
}

/** Enough to saturate one Node process. Without pipelining, because API clients do not pipeline. */
export const connections = 64;

/** Keeps all connections busy for some seconds. Throws on any response other than 2xx. */
export async function runRound(server: MeasuredProcess, call: Call, seconds: number): Promise<Round> {
  const usageBefore = await server.usage();
  const loopBefore = performance.eventLoopUtilization();
  const startedMs = performance.now();
  const result = await autocannon({
    url: `${server.url}${call.path}`,
    method: call.method,
    headers: { ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    connections,
    duration: seconds,
  });
  const elapsedMs = performance.now() - startedMs;
  const clientBusy = performance.eventLoopUtilization(loopBefore).utilization;
  const usage = await server.usage();
  const succeeded = result['2xx'];
  if (result.non2xx > 0 || result.errors > 0 || succeeded === 0)
    throw new Error(
      `${call.method} ${server.url}${call.path}: ${succeeded} responses with 2xx, ` +
        `${result.non2xx} with another status, ${result.errors} errors`,
    );
  return {
    requestsPerSecond: (succeeded * 1000) / elapsedMs,
    cpuMicrosecondsPerRequest: (usage.cpuMicroseconds - usageBefore.cpuMicroseconds) / succeeded,
    serverBusy: (usage.busyMs - usageBefore.busyMs) / elapsedMs,
    clientBusy,
  };
}

/** The rounds of one call on both servers, in the order they were run. */
export interface Comparison {
  readonly call: string;
  readonly bare: readonly Round[];
  readonly tongate: readonly Round[];
}

/** Medians of both servers, and tongate relative to the bare route. */
export interface Verdict {
  readonly call: string;
  readonly bare: Round;
  readonly tongate: Round;
  readonly throughputRatio: number;
  /** The ratio of CPU time per request, which other load on the machine hardly changes. */
  readonly cpuRatio: number;
}

const medianRound = (rounds: readonly Round[]): Round => ({
  requestsPerSecond: Math.round(median(rounds.map((round) => round.requestsPerSecond))),
  cpuMicrosecondsPerRequest: rounded(median(rounds.map((round) => round.cpuMicrosecondsPerRequest)), 1),
  serverBusy: rounded(median(rounds.map((round) => round.serverBusy)), 2),
  clientBusy: rounded(median(rounds.map((round) => round.clientBusy)), 2),
});

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Compares round by round, so that other load on the machine affects both servers. */
export function judge({ call, bare, tongate }: Comparison): Verdict {
  const pairs = tongate.map((ours, index) => ({ ours, theirs: bare[index] as Round }));
  return {
    call,
    bare: medianRound(bare),
    tongate: medianRound(tongate),
    throughputRatio: rounded(
      median(pairs.map(({ ours, theirs }) => ours.requestsPerSecond / theirs.requestsPerSecond)),
      3,
    ),
    cpuRatio: rounded(
      median(
        pairs.map(({ ours, theirs }) => theirs.cpuMicrosecondsPerRequest / ours.cpuMicrosecondsPerRequest),
      ),
      3,
    ),
  };
}
