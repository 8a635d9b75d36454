import { Worker } from 'node:worker_threads';
import type { Log } from '../../lib/log.ts';
import { pause, waitAtMost } from '../../lib/wait.ts';
import type { BatchStats, ClassifyTiming } from './classify-loop.ts';
import type { QueueStats } from './trace-queue.ts';

/** Turns complete traces into actions, in a thread of its own with connections of its own. */
export interface Classifier {
  start(): void;
  /** Ends the work; a batch that is being written is finished. */
  close(): Promise<void>;
  progress(): ClassificationProgress;
}

/** How far the classification is. */
export interface ClassificationProgress {
  /** What is still to be done; undefined as long as it was not counted. */
  readonly queue: QueueStats | undefined;
  /** How old the newest trace was when its actions were written, the last time. */
  readonly lagSeconds: number | undefined;
}

interface ClassifierOptions {
  readonly url: string;
  readonly log: Log;
  readonly timing?: Partial<ClassifyTiming>;
  readonly onBatch?: (stats: BatchStats) => void;
  /** How long the thread may be silent before it counts as hanging. */
  readonly silentMs?: number;
  /** The program of the thread, for tests. */
  readonly workerFile?: URL;
}

const SILENT_MS = 120_000;
const RESTART_MS = 1000;
/** What does not end by then is left behind: a database that hangs must not keep the process. */
const CLOSE_MS = 10_000;
/** Objects alone; bodies of messages are outside of the heap. */
const JS_HEAP_MB = 1024;

/** Starts nothing yet. A thread that ends or hangs is replaced: what it had begun is then taken one by one. */
export function createClassifier(options: ClassifierOptions): Classifier {
  const { url, log, timing, silentMs = SILENT_MS, workerFile = ownWorkerFile() } = options;
  const closed = new AbortController();
  let running: Promise<void> | undefined;
  let progress: ClassificationProgress = { queue: undefined, lagSeconds: undefined };

  function hear(report: ClassifyReport): void {
    if (report.kind === 'queue') progress = { ...progress, queue: report.stats };
    else if (report.kind === 'log') {
      const { level, details, text, error } = report;
      const err = error && Object.assign(new Error(error.message), { stack: error.stack });
      log[level](err ? { ...details, err } : details, text);
    } else {
      const { newestUtime } = report.stats;
      if (newestUtime > 0)
        progress = { ...progress, lagSeconds: Math.max(0, Date.now() / 1000 - newestUtime) };
      options.onBatch?.(report.stats);
    }
  }

  /** Lives as long as one thread does. */
  async function runThread(): Promise<void> {
    const worker = new Worker(workerFile, {
      name: 'tongate-classify',
      execArgv: [],
      workerData: { url, timing } satisfies ClassifyThreadData,
      resourceLimits: { maxOldGenerationSizeMb: JS_HEAP_MB },
    });
    const ended = Promise.withResolvers<string>();
    const hang = setTimeout(() => {
      ended.resolve(`no report for ${silentMs} ms`);
      void worker.terminate();
    }, silentMs);
    worker.on('message', (report: ClassifyReport) => {
      hang.refresh();
      hear(report);
    });
    worker.on('error', (error) => ended.resolve(String(error)));
    worker.on('exit', (code) => ended.resolve(`exit code ${code}`));
    const end = (): void => worker.postMessage('end');
    closed.signal.addEventListener('abort', end);
    if (closed.signal.aborted) end();
    const reason = await ended.promise;
    clearTimeout(hang);
    closed.signal.removeEventListener('abort', end);
    await worker.terminate();
    if (!closed.signal.aborted) log.warn({ reason }, 'Classification thread ended, restarting');
  }

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      await runThread();
      if (!closed.signal.aborted) await pause(RESTART_MS, closed.signal);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async close() {
      closed.abort();
      await waitAtMost(CLOSE_MS, running);
    },
    progress: () => progress,
  };
}

/** The program of the thread, beside this file: TypeScript in a checkout, JavaScript in a build. */
function ownWorkerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./classify-worker.ts', import.meta.url)
    : new URL('./classify-worker.js', import.meta.url);
}

/** What the thread is started with. Any message to it means that it shall end. */
export interface ClassifyThreadData {
  readonly url: string;
  readonly timing: Partial<ClassifyTiming> | undefined;
}

/** What the thread says. */
export type ClassifyReport =
  | { readonly kind: 'batch'; readonly stats: BatchStats }
  | { readonly kind: 'queue'; readonly stats: QueueStats }
  | {
      readonly kind: 'log';
      readonly level: keyof Log;
      readonly text: string;
      readonly details: object;
      readonly error: { readonly message: string; readonly stack: string | undefined } | undefined;
    };
