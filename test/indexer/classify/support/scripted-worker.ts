import { appendFileSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ClassifyReport, ClassifyThreadData } from '../../../../src/indexer/classify/classifier.ts';

/** A thread for tests: the first one ends, the second one hangs, the others say something. Its URL is that of a file. */

export const { url } = workerData as ClassifyThreadData;
appendFileSync(url, '.');
export const number = readFileSync(url, 'utf8').length;
if (number === 1) process.exit(3);
if (number === 2) for (;;);
export const report: ClassifyReport = { kind: 'queue', stats: { traces: number, seqnos: 0, waiting: 0 } };
parentPort!.postMessage(report);
parentPort!.once('message', () => process.exit());
