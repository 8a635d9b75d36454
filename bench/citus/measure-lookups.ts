import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadHttp, type Pressure, percentile, wireRequest } from '../support/load.ts';
import { openRecorder, type Statement } from '../v3/bench-app.ts';
import type { BenchCase } from '../v3/cases.ts';
import { startV3Server } from '../v3/measure-index.ts';
import type { BenchCluster, NodeSeconds } from './bench-cluster.ts';

/** Figures of requests to a cluster. */
export interface LookupResult {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** Of one request at a time. */
  readonly aloneP50Ms: number;
  /** Statements that ask workers, per request. */
  readonly statements: number;
  /** Tasks per request: a task is what one shard is asked by one statement. */
  readonly tasks: number;
  /** The most shards that a statement asks for each value that it is given: 1 if it knows where to look. */
  readonly shardsPerValue: number;
  /** CPU milliseconds of each node per request. */
  readonly cpuMs: readonly number[];
}

/** Requests whose statements are explained. */
const EXPLAINED = 10;
const CONCURRENCY = 4;

/** Measures cases on a filled index, one after the other. */
export async function measureLookups(
  cluster: BenchCluster,
  url: string,
  { cases, seconds }: { readonly cases: readonly BenchCase[]; readonly seconds: number },
): Promise<LookupResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
  const recorder = await openRecorder(url);
  const server = await startV3Server({ url, outputFile: join(folder, 'server.log') });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const results: LookupResult[] = [];
  try {
    for (const { name, paths } of cases) {
      const recorded: (readonly Explained[])[] = [];
      for (const path of paths.slice(0, EXPLAINED))
        recorded.push(await explainAll(client, (await recorder.record(path)).statements));
      const requests = paths.map((path) => wireRequest({ method: 'GET', path, headers: {} }));
      let next = 0;
      const load = (pressure: Partial<Pressure>) =>
        loadHttp(server.url, () => requests[next++ % requests.length]!, {
          seconds,
          maxResponses: Number.POSITIVE_INFINITY,
          concurrency: CONCURRENCY,
          ...pressure,
        });
      // Every request once: the second time parts of it may be cached.
      const { result, cpu } = await cluster.measure(() => load({ maxResponses: requests.length }));
      const alone = await load({ concurrency: 1 });
      results.push({
        name,
        requestsPerSecond: (result.responses * 1000) / result.elapsedMs,
        aloneP50Ms: percentile(alone, 0.5),
        ...summaryOf(recorded),
        cpuMs: perRequest(cpu, result.responses),
      });
      console.error(JSON.stringify(results.at(-1)));
    }
    return results;
  } finally {
    await client.end();
    await server.stop();
    await recorder.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function perRequest(cpu: NodeSeconds, responses: number): readonly number[] {
  return cpu.map((seconds) => (seconds * 1000) / responses);
}

interface Explained {
  /** Shards that it asks; the sum over its parts. */
  readonly tasks: number;
  /** The most that one of its parts asks. */
  readonly shards: number;
  /** Values in its longest list. */
  readonly values: number;
}

/** The plans of the statements that ask workers. */
async function explainAll(client: pg.Client, statements: readonly Statement[]): Promise<Explained[]> {
  const found: Explained[] = [];
  for (const { sql, parameters } of statements) {
    if (!/^(\/\* kept \*\/)?\s*(\(|select|with)/i.test(sql)) continue;
    const { rows } = await client.query(`explain (costs off) ${sql}`, [...parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const counts = Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) => Number(count));
    if (counts.length === 0) continue;
    const lengths = parameters.map((value) => (Array.isArray(value) ? value.length : 1));
    const tasks = counts.reduce((sum, count) => sum + count);
    found.push({ tasks, shards: Math.max(...counts), values: Math.max(1, ...lengths) });
  }
  return found;
}

function summaryOf(requests: readonly (readonly Explained[])[]) {
  const mean = (of: (request: readonly Explained[]) => number) =>
    requests.reduce((sum, request) => sum + of(request), 0) / requests.length;
  return {
    statements: mean((request) => request.length),
    tasks: mean((request) => request.reduce((sum, { tasks }) => sum + tasks, 0)),
    shardsPerValue: Math.max(0, ...requests.flat().map(({ shards, values }) => shards / values)),
  };
}
