import { type Load, loadHttp, percentile, wireRequest } from '../support/load.ts';
import { median } from '../support/measure.ts';
import type { BesideCase } from './cases.ts';
import { type Endpoint, refusalHint } from './endpoint.ts';

/** Requests of one kind to one endpoint. */
export interface Figures {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor milliseconds per request; undefined if its processes are not given. */
  readonly cpuMs: number | undefined;
  /** Answers with another status than 200. */
  readonly failures: number;
}

/** Both endpoints with a number of connections: keys that they were not asked for before, and the same again. */
export interface MeasuredLoad {
  readonly connections: number;
  readonly first: readonly [Figures, Figures];
  readonly again: readonly [Figures, Figures];
  /** Requests per second of B relative to A with keys that are asked for the first time: the median of all rounds. */
  readonly ratio: number;
}

interface Effort {
  readonly connections: number;
  readonly rounds: number;
  /** Of each turn of the endpoint that begins. */
  readonly seconds: number;
}

interface Turn {
  readonly load: Load;
  readonly cpuSeconds: number | undefined;
  readonly failures: number;
}

type Turns = readonly [Turn[], Turn[]];

/** Keys that one number of connections has used are left out by the next, as long as there are others. */
const asked = new WeakMap<BesideCase, number>();

/** Measures both in turns with the same requests, in changing order; one round more at the start compiles their code. */
export async function measureCase(
  benchCase: BesideCase,
  endpoints: readonly [Endpoint, Endpoint],
  { connections, rounds, seconds }: Effort,
): Promise<MeasuredLoad> {
  const first: Turns = [[], []];
  const again: Turns = [[], []];
  let from = asked.get(benchCase) ?? 0;
  for (let round = -1; round < rounds; round++) {
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    // A part of the keys for each round that is to come.
    let count = Math.max(1, Math.floor(remaining(benchCase, from) / (rounds - round)));
    if (benchCase.keys === 1) count = Number.POSITIVE_INFINITY;
    for (const at of order) {
      const isFirst = at === order[0];
      const limit = isFirst ? seconds : Number.POSITIVE_INFINITY;
      const turn = await take(benchCase, endpoints[at], { connections, from, count, seconds: limit });
      count = turn.load.responses;
      if (round >= 0) first[at].push(turn);
    }
    for (const at of order) {
      const turn = await take(benchCase, endpoints[at], {
        connections,
        from,
        count,
        seconds: Number.POSITIVE_INFINITY,
      });
      if (round >= 0) again[at].push(turn);
    }
    from += count;
  }
  asked.set(benchCase, from);
  return {
    connections,
    first: [figuresOf(first[0]), figuresOf(first[1])],
    again: [figuresOf(again[0]), figuresOf(again[1])],
    ratio: median(first[1].map(({ load }, round) => rateOf(load) / rateOf(first[0][round]!.load))),
  };
}

function remaining({ keys }: BesideCase, from: number): number {
  return from < keys ? keys - from : keys;
}

interface TurnOptions {
  readonly connections: number;
  readonly from: number;
  readonly count: number;
  readonly seconds: number;
}

async function take(
  { pathOf, keys }: BesideCase,
  endpoint: Endpoint,
  { connections, from, count, seconds }: TurnOptions,
): Promise<Turn> {
  let next = 0;
  let failures = 0;
  const { host, pathname } = new URL(endpoint.url);
  const headers = { host, ...endpoint.headers };
  const below = pathname.replace(/\/$/, '');
  const before = endpoint.cpuSeconds();
  const load = await loadHttp(
    endpoint.url,
    () => wireRequest({ method: 'GET', path: below + pathOf((from + next++) % keys), headers }),
    { seconds, maxResponses: count, concurrency: Math.min(connections, count) },
    (status) => {
      if (status === 429)
        throw new Error(`${endpoint.name} refuses requests by its rate limit: ${refusalHint(endpoint.name)}`);
      failures += 1;
    },
  );
  const after = endpoint.cpuSeconds();
  return {
    load,
    failures,
    cpuSeconds: before === undefined || after === undefined ? undefined : after - before,
  };
}

function rateOf({ responses, elapsedMs }: Load): number {
  return (responses * 1000) / elapsedMs;
}

function figuresOf(turns: readonly Turn[]): Figures {
  const latenciesMs = Float64Array.from(turns.flatMap(({ load }) => [...load.latenciesMs])).sort();
  const all = {
    responses: turns.reduce((sum, { load }) => sum + load.responses, 0),
    elapsedMs: turns.reduce((sum, { load }) => sum + load.elapsedMs, 0),
    latenciesMs,
    cached: 0,
  };
  const cpu = turns.reduce<number | undefined>(
    (sum, { cpuSeconds }) => (sum === undefined || cpuSeconds === undefined ? undefined : sum + cpuSeconds),
    0,
  );
  return {
    rate: rateOf(all),
    p50: percentile(all, 0.5),
    p99: percentile(all, 0.99),
    cpuMs: cpu === undefined ? undefined : (cpu * 1000) / all.responses,
    failures: turns.reduce((sum, { failures }) => sum + failures, 0),
  };
}
