import type { MeasuredProcess } from '../http/measured-process.ts';
import { loadHttp, wireRequest } from '../v2/http-load.ts';
import { type Load, percentile } from '../v2/load.ts';
import { median } from '../v2/measure.ts';
import type { Bare } from './bare.ts';
import type { BenchCase } from './cases.ts';
import type { Recorder, Statement } from './record.ts';

/** What came of a case; times are milliseconds, those of one at a time are of a server that has nothing else to do. */
export interface CaseResult {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly barePerSecond: number;
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly aloneP50Ms: number;
  readonly aloneP99Ms: number;
  /** Of all requests. */
  readonly maxMs: number;
  /** Processor time of the server for each request, in microseconds. */
  readonly serverCpu: number;
  /** In the middle. */
  readonly statements: number;
  readonly bytes: number;
}

/** How long and how hard. */
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

const ANY = Number.POSITIVE_INFINITY;

/** Asks the server and sends its statements bare, in turns, then asks one question after the other. */
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
  const ask = (time: number, atATime: number) =>
    loadHttp(server.url, () => requests[next++ % requests.length]!, {
      seconds: time,
      answers: ANY,
      concurrency: atATime,
    });
  const found: { readonly own: Load; readonly floor: Load }[] = [];
  let [cpu, answers] = [0, 0];
  for (let round = -1; round < rounds; round++) {
    const floor = await bare.load({ seconds, answers: ANY, concurrency });
    const before = await server.usage();
    const own = await ask(seconds, concurrency);
    // The first round only warms up.
    if (round < 0) continue;
    cpu += (await server.usage()).cpuMicroseconds - before.cpuMicroseconds;
    answers += own.answers;
    found.push({ own, floor });
  }
  const alone = await ask(seconds, 1);
  const rate = ({ answers: count, elapsedMs }: Load) => (count * 1000) / elapsedMs;
  const middle = (pick: (round: (typeof found)[number]) => number) =>
    Number(median(found.map(pick)).toPrecision(3));
  const short = (value: number) => Number(value.toPrecision(3));
  return {
    name,
    requestsPerSecond: middle(({ own }) => rate(own)),
    barePerSecond: middle(({ floor }) => rate(floor)),
    ratio: middle(({ own, floor }) => rate(own) / rate(floor)),
    p50Ms: middle(({ own }) => percentile(own, 0.5)),
    p99Ms: middle(({ own }) => percentile(own, 0.99)),
    aloneP50Ms: short(percentile(alone, 0.5)),
    aloneP99Ms: short(percentile(alone, 0.99)),
    maxMs: short(Math.max(...[alone, ...found.map(({ own }) => own)].map((load) => percentile(load, 1)))),
    serverCpu: short(cpu / answers),
    statements: median(recorded.map(({ statements }) => statements.length)),
    bytes: Math.round(median(recorded.map(({ bytes }) => bytes))),
  };
}
