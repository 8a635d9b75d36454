import { appendFileSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ClassifyReport, ClassifyThreadData } from '../../../src/classify/classifier.ts';

/** A worker for tests: the first one exits, the second one hangs, the others respond. Its URL names a file. */

export const { url } = workerData as ClassifyThreadData;
appendFileSync(url, '.');
export const number = readFileSync(url, 'utf8').length;
if (number === 1) process.exit(3);
if (number === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
export const report: ClassifyReport = {
  kind: 'queue',
  stats: { traces: number, seqnos: 0, waiting: 0, oldestSeconds: 0 },
};
parentPort!.postMessage(report);
parentPort!.once('message', () => process.exit());
