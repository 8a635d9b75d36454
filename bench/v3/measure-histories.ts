import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHttp, percentile, wireRequest } from '../support/load.ts';
import { median } from '../support/measure.ts';
import type { MeasuredProcess } from '../support/servers.ts';
import type { BenchCase } from './cases.ts';
import type { HistoryCase } from './history-report.ts';
import type { Effort } from './measure-case.ts';
import { startV3Server } from './measure-index.ts';

/** An index with the cases to measure on it. */
export interface History {
  readonly url: string;
  readonly cases: readonly BenchCase[];
}

/**
 * Measures the same cases on several indexes in turns, one request at a time, so that a machine that changes its speed
 * changes all figures of a turn.
 */
export async function measureHistories(
  histories: readonly History[],
  { rounds, seconds }: Effort,
): Promise<HistoryCase[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
  const servers: MeasuredProcess[] = [];
  try {
    for (const [at, { url }] of histories.entries())
      servers.push(await startV3Server({ url, outputFile: join(folder, `server-${at}.log`) }));
    const measured: HistoryCase[] = [];
    for (const [at, { name }] of histories[0]!.cases.entries()) {
      const loads = histories.map(({ cases }, history) => oneAtATime(servers[history]!.url, cases[at]!));
      for (const load of loads) await load.sendAllOnce();
      const turns: number[][] = [];
      for (let round = 0; round < rounds; round++) {
        const turn: number[] = [];
        for (const load of loads) turn.push(await load.p50Ms(seconds));
        turns.push(turn);
      }
      const p50Ms = histories.map((_, history) => median(turns.map((turn) => turn[history]!)));
      console.error(`${name}: ${p50Ms.map((ms) => ms.toFixed(2)).join(', ')} ms`);
      measured.push({ name, p50Ms });
    }
    return measured;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function oneAtATime(url: string, { paths }: BenchCase) {
  const requests = paths.map((path) => wireRequest({ method: 'GET', path, headers: {} }));
  const send = (cycles: number) => {
    let next = 0;
    return loadHttp(url, () => requests[next++ % requests.length]!, {
      seconds: Number.POSITIVE_INFINITY,
      maxResponses: cycles * requests.length,
      concurrency: 1,
    });
  };
  return {
    sendAllOnce: () => send(1),
    /** The median of all requests, sent once or as often as the time allows: some have a hundred times the rows of others. */
    async p50Ms(seconds: number): Promise<number> {
      const startMs = performance.now();
      const first = await send(1);
      const cycleSeconds = (performance.now() - startMs) / 1000;
      const more = Math.floor(seconds / cycleSeconds) - 1;
      return percentile(more > 0 ? await send(more) : first, 0.5);
    },
  };
}
