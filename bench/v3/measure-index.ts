import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeasuredProcess, root, startMeasured } from '../support/servers.ts';
import { startBare } from './bare.ts';
import { openRecorder } from './bench-app.ts';
import type { BenchCase } from './cases.ts';
import { type CaseResult, type Effort, measureCase } from './measure-case.ts';

/** The default pool size of a server. */
export const POOL_SIZE = 10;

/** Figures of all cases on one index. */
export interface IndexResult {
  readonly results: readonly CaseResult[];
  /** Cases that failed, with the reason. */
  readonly failed: readonly string[];
}

interface MeasureOptions {
  readonly url: string;
  readonly cases: readonly BenchCase[];
  readonly effort: Effort;
  /** The folder for CPU profiles of the server. */
  readonly profile: string | undefined;
}

interface V3ServerOptions {
  readonly url: string;
  readonly outputFile: string;
  readonly profile?: string | undefined;
  /** The checkout to run, if not this one. */
  readonly checkout?: string;
}

/** Starts a process that serves v3 from a database. */
export function startV3Server({
  url,
  outputFile,
  profile,
  checkout = root,
}: V3ServerOptions): Promise<MeasuredProcess> {
  return startMeasured({
    args: [
      ...(profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []),
      join(checkout, 'bench/v3/server-process.ts'),
      url,
      String(POOL_SIZE),
    ],
    outputFile,
    checkout,
    timeoutMs: 20_000,
  });
}

/** Measures cases with a server of its own; a failed one does not stop the others. */
export async function measureIndex({ url, cases, effort, profile }: MeasureOptions): Promise<IndexResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tongate-bench-'));
  const recorder = await openRecorder(url);
  const bare = await startBare(folder, url, POOL_SIZE);
  const server = await startV3Server({ url, outputFile: join(folder, 'server.log'), profile });
  try {
    const results: CaseResult[] = [];
    const failed: string[] = [];
    for (const benchCase of cases) {
      try {
        const result = await measureCase(benchCase, { server, bare, recorder }, effort);
        console.error(`${result.name}: ${result.ratio}, p99 ${result.aloneP99Ms} ms`);
        results.push(result);
      } catch (error) {
        console.error(error);
        failed.push(`${benchCase.name}: ${String(error).split(/[\r\n]/, 1)[0]}`);
      }
    }
    return { results, failed };
  } finally {
    await server.stop();
    await bare.stop();
    await recorder.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
