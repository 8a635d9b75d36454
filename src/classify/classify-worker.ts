import { parentPort, workerData } from 'node:worker_threads';
import { createWriterConnections } from '../index/write/writer-connections.ts';
import type { Log } from '../lib/log.ts';
import { lowerPriority } from '../lib/thread-priority.ts';
import { WakeableTimer } from '../lib/wait.ts';
import type { ClassifyOrder, ClassifyReport, ClassifyThreadData } from './classifier.ts';
import { CLASSIFY_CONNECTIONS, PREPARE_CLASSIFYING, runClassification } from './classify-loop.ts';

/** Classification thread: runs until it is told to end. */

const port = parentPort!;
const { url, timing, isBackground } = workerData as ClassifyThreadData;
if (isBackground) lowerPriority();
const stopped = new AbortController();
const send = (report: ClassifyReport): void => port.postMessage(report);

function sendLog(level: keyof Log, { err, ...details }: { err?: unknown }, text: string): void {
  const error = err instanceof Error ? { message: err.message, stack: err.stack } : undefined;
  send({ kind: 'log', level, text, details: JSON.parse(JSON.stringify(details)), error });
}

const log: Log = {
  info: (details, text) => sendLog('info', details, text),
  warn: (details, text) => sendLog('warn', details, text),
  error: (details, text) => sendLog('error', details, text),
};

const idle = new WakeableTimer();
port.on('message', (order: ClassifyOrder) => {
  if (order === 'end') stopped.abort();
  else idle.wake();
});
const connections = createWriterConnections({
  url,
  log,
  size: CLASSIFY_CONNECTIONS,
  prepare: PREPARE_CLASSIFYING,
});
await runClassification({
  connections,
  log,
  timing,
  idle,
  signal: stopped.signal,
  onBatch: (stats) => send({ kind: 'batch', stats }),
  onQueue: (stats) => send({ kind: 'queue', stats }),
});
await connections.close();
port.close();
