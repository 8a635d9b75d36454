import type { Round } from './round.ts';

/** The rounds of one call on both servers, in the order they were run. */
export interface Comparison {
  readonly call: string;
  readonly bare: readonly Round[];
  readonly tongate: readonly Round[];
}

export interface Side {
  readonly requestsPerSecond: number;
  readonly cpuMicrosecondsPerRequest: number;
  readonly serverBusy: number;
  readonly clientBusy: number;
}

export interface Verdict {
  readonly call: string;
  readonly bare: Side;
  readonly tongate: Side;
  /** Median over the rounds of tongate's requests a second by the bare route's. */
  readonly throughputRatio: number;
  /** The same by processor time: what the ratio would be if nothing but the server's processor counted. */
  readonly cpuRatio: number;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

const side = (rounds: readonly Round[]): Side => ({
  requestsPerSecond: Math.round(median(rounds.map((round) => round.requestsPerSecond))),
  cpuMicrosecondsPerRequest: rounded(median(rounds.map((round) => round.cpuMicrosecondsPerRequest)), 1),
  serverBusy: rounded(median(rounds.map((round) => round.serverBusy)), 2),
  clientBusy: rounded(median(rounds.map((round) => round.clientBusy)), 2),
});

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Compares round by round, so that a neighbour's load that lasts longer than a round falls on both. */
export function judge({ call, bare, tongate }: Comparison): Verdict {
  const pairs = tongate.map((ours, index) => ({ ours, theirs: bare[index] as Round }));
  return {
    call,
    bare: side(bare),
    tongate: side(tongate),
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
