import { parentPort, workerData } from 'node:worker_threads';
import type { Log } from '../../lib/log.ts';
import { createWriterConnections } from '../write/writer-connections.ts';
import type { ClassifyReport, ClassifyThreadData } from './classifier.ts';
import { CLASSIFY_CONNECTIONS, PREPARE_CLASSIFYING, runClassification } from './classify-loop.ts';

/** The program of the thread: classifies until it is told to end. */

const port = parentPort!;
const { url, timing } = workerData as ClassifyThreadData;
const ended = new AbortController();
const tell = (report: ClassifyReport): void => port.postMessage(report);

function say(level: keyof Log, { err, ...details }: { err?: unknown }, text: string): void {
  const error = err instanceof Error ? { message: err.message, stack: err.stack } : undefined;
  tell({ kind: 'log', level, text, details: JSON.parse(JSON.stringify(details)), error });
}

const log: Log = {
  info: (details, text) => say('info', details, text),
  warn: (details, text) => say('warn', details, text),
  error: (details, text) => say('error', details, text),
};

port.once('message', () => ended.abort());
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
  signal: ended.signal,
  onBatch: (figures) => tell({ kind: 'batch', figures }),
  onQueue: (figures) => tell({ kind: 'queue', figures }),
});
await connections.close();
port.close();
