import { type Load, loadHttp, type Pressure, percentile, wireRequest } from '../support/load.ts';
import { median } from '../support/measure.ts';
import type { MeasuredProcess } from '../support/servers.ts';
import type { Bare } from './bare.ts';
import type { Recorder, Statement } from './bench-app.ts';
import type { BenchCase } from './cases.ts';

/** Figures of a case. `alone` figures are those of one request at a time. */
export interface CaseResult {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** The same while every request is sent for the first time: nothing of it is cached. */
  readonly firstPerSecond: number;
  readonly barePerSecond: number;
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly aloneP50Ms: number;
  readonly aloneP99Ms: number;
  /** The slowest of all requests. */
  readonly maxMs: number;
  /** CPU microseconds of the server per request. */
  readonly serverCpu: number;
  /** Medians per request. */
  readonly statements: number;
  readonly bytes: number;
}

/** Length and number of rounds, and the load. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly concurrency: number;
}

interface Parts {
  readonly server: MeasuredProcess;
  readonly bare: Bare;
  readonly recorder: Recorder;
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Sends every request once. Then loads the server and sends its statements bare, alternately; at last sends one request at a
 * time.
 */
export async function measureCase(
  { name, paths }: BenchCase,
  { server, bare, recorder }: Parts,
  { rounds, seconds, concurrency }: Effort,
): Promise<CaseResult> {
  const recorded: { readonly statements: readonly Statement[]; readonly bytes: number }[] = [];
  for (const path of paths) recorded.push(await recorder.record(path));
  bare.use(recorded.map(({ statements }) => statements));
  const requests = paths.map((path) => wireRequest({ method: 'GET', path, headers: {} }));
  let next = 0;
  const loadServer = (pressure: Pressure) =>
    loadHttp(server.url, () => requests[next++ % requests.length]!, pressure);
  const first = await loadServer({ seconds: NO_LIMIT, maxResponses: requests.length, concurrency });
  const found: { readonly own: Load; readonly baseline: Load }[] = [];
  let [cpu, responses] = [0, 0];
  for (let round = -1; round < rounds; round++) {
    const baseline = await bare.load({ seconds, maxResponses: NO_LIMIT, concurrency });
    // The first round is a warm-up of the statements; the server is warm.
    if (round < 0) continue;
    const before = await server.usage();
    const own = await loadServer({ seconds, maxResponses: NO_LIMIT, concurrency });
    cpu += (await server.usage()).cpuMicroseconds - before.cpuMicroseconds;
    responses += own.responses;
    found.push({ own, baseline });
  }
  const alone = await loadServer({ seconds, maxResponses: NO_LIMIT, concurrency: 1 });
  const rate = (load: Load) => (load.responses * 1000) / load.elapsedMs;
  const medianOf = (pick: (round: (typeof found)[number]) => number) =>
    Number(median(found.map(pick)).toPrecision(3));
  const short = (value: number) => Number(value.toPrecision(3));
  return {
    name,
    requestsPerSecond: medianOf(({ own }) => rate(own)),
    firstPerSecond: short(rate(first)),
    barePerSecond: medianOf(({ baseline }) => rate(baseline)),
    ratio: medianOf(({ own, baseline }) => rate(own) / rate(baseline)),
    p50Ms: medianOf(({ own }) => percentile(own, 0.5)),
    p99Ms: medianOf(({ own }) => percentile(own, 0.99)),
    aloneP50Ms: short(percentile(alone, 0.5)),
    aloneP99Ms: short(percentile(alone, 0.99)),
    maxMs: short(
      Math.max(...[first, alone, ...found.map(({ own }) => own)].map((load) => percentile(load, 1))),
    ),
    serverCpu: short(cpu / responses),
    statements: median(recorded.map(({ statements }) => statements.length)),
    bytes: Math.round(median(recorded.map(({ bytes }) => bytes))),
  };
}
