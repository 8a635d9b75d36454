import { type HttpCall, loadHttp, percentile, wireRequest } from '../support/load.ts';
import { median } from '../support/measure.ts';
import { row } from '../support/report.ts';
import type { MeasuredProcess } from '../support/servers.ts';

/** How fast a case must be, relative to the other checkout. */
export const GOAL = 0.95;

/** One of the compared servers. */
export interface Endpoint {
  readonly server: MeasuredProcess;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** CPU microseconds that its database has used so far. */
  readonly databaseCpu?: () => number;
}

interface CaseOptions {
  readonly name: string;
  /** Sent in order, over and over. */
  readonly calls: readonly HttpCall[];
  readonly concurrency: number;
  /** The base first, this checkout last. */
  readonly endpoints: readonly Endpoint[];
  /** Seconds are those of a turn of the base. */
  readonly effort: { readonly rounds: number; readonly seconds: number };
}

/** This checkout relative to the base: medians of the ratios of each turn. */
export interface TurnsResult {
  readonly name: string;
  /** Requests per second; more is better. */
  readonly rate: number;
  /** CPU time of server and database per request; less is better. */
  readonly cpu: number;
  readonly p50: number;
  /** Requests per second and CPU microseconds of the base and of this checkout. */
  readonly rates: readonly number[];
  readonly cpus: readonly number[];
}

interface Turn {
  readonly responses: number;
  readonly rate: number;
  readonly cpu: number;
  readonly p50: number;
}

/** Compiles the code of a case on both sides. */
const WARM_UP_TURNS = 2;

/**
 * Measures the endpoints one after the other, round by round, in changing order. In a round all of them get the same
 * requests, as many as the base has answered in the time of a round: requests of one case may differ a hundredfold.
 */
export async function compareCase(options: CaseOptions): Promise<TurnsResult> {
  const { name, endpoints, effort } = options;
  const turns = endpoints.map((): Turn[] => []);
  const loads = endpoints.map((endpoint) => createLoad(endpoint, options));
  let from = 0;
  let count = Number.POSITIVE_INFINITY;
  for (let round = -WARM_UP_TURNS; round < effort.rounds; round++) {
    const order = [...endpoints.keys()];
    if (round % 2 !== 0) order.reverse();
    const seconds = round < 0 ? effort.seconds : Number.POSITIVE_INFINITY;
    for (const at of order) {
      const turn = await loads[at]!({ from, count, seconds });
      if (round >= 0) turns[at]!.push(turn);
      else if (at === 0) from += turn.responses;
    }
    if (round === -1) count = Math.ceil(from / WARM_UP_TURNS);
    else if (round >= 0) from += count;
  }
  const [base, own] = turns as [Turn[], Turn[]];
  const ratio = (of: (turn: Turn) => number): number =>
    Number(median(own.map((turn, round) => of(turn) / of(base[round]!))).toFixed(3));
  const figures = (of: (turn: Turn) => number) => turns.map((list) => Math.round(median(list.map(of))));
  const result = {
    name,
    rate: ratio(({ rate }) => rate),
    cpu: ratio(({ cpu }) => cpu),
    p50: ratio(({ p50 }) => p50),
    rates: figures(({ rate }) => rate),
    cpus: figures(({ cpu }) => cpu),
  };
  console.error(`${name}: ${result.rate} of the rate, ${result.cpu} of the CPU time`);
  return result;
}

interface TurnLength {
  /** The first request of the turn, in the order of the case. */
  readonly from: number;
  readonly count: number;
  readonly seconds: number;
}

function createLoad({ server, headers, databaseCpu }: Endpoint, { calls, concurrency }: CaseOptions) {
  const requests = calls.map((call) => wireRequest({ ...call, headers: { ...call.headers, ...headers } }));
  const cpuMicros = async () => (await server.usage()).cpuMicroseconds + (databaseCpu?.() ?? 0);
  return async ({ from, count, seconds }: TurnLength): Promise<Turn> => {
    let next = from;
    const before = await cpuMicros();
    const load = await loadHttp(server.url, () => requests[next++ % requests.length]!, {
      seconds,
      maxResponses: count,
      concurrency,
    });
    return {
      responses: load.responses,
      rate: (load.responses * 1000) / load.elapsedMs,
      cpu: ((await cpuMicros()) - before) / load.responses,
      p50: percentile(load, 0.5),
    };
  };
}

export function toMarkdown(results: readonly TurnsResult[]): string {
  const pair = (figures: readonly number[]): string => figures.join(' → ');
  return [
    row(['case', 'rate', 'CPU', 'p50', 'requests per second', 'CPU µs per request']),
    row(['---', '--:', '--:', '--:', '--:', '--:']),
    ...results.map(({ name, rate, cpu, p50, rates, cpus }) =>
      row([name, rate.toFixed(2), cpu.toFixed(2), p50.toFixed(2), pair(rates), pair(cpus)]),
    ),
    '',
    'Rate, CPU and p50 are relative to the base: medians of the ratios of each round.',
  ].join('\n');
}
