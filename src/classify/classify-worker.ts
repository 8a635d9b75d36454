import { parentPort, workerData } from 'node:worker_threads';
import { createWriterConnections } from '../index/write/writer-connections.ts';
import type { Log } from '../lib/log.ts';
import type { ClassifyReport, ClassifyThreadData } from './classifier.ts';
import { CLASSIFY_CONNECTIONS, PREPARE_CLASSIFYING, runClassification } from './classify-loop.ts';

/** Classification thread: runs until it receives a message. */

const port = parentPort!;
const { url, timing } = workerData as ClassifyThreadData;
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

port.once('message', () => stopped.abort());
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
  signal: stopped.signal,
  onBatch: (stats) => send({ kind: 'batch', stats }),
  onQueue: (stats) => send({ kind: 'queue', stats }),
});
await connections.close();
port.close();
