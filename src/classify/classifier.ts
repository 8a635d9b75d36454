import { Worker } from 'node:worker_threads';
import type { QueueStats } from '../index/write/trace-queue.ts';
import type { Log } from '../lib/log.ts';
import { pause, waitAtMost } from '../lib/wait.ts';
import { workerFile, YOUNG_HEAP_MB } from '../lib/worker-thread.ts';
import type { BatchStats, ClassifyTiming } from './classify-loop.ts';

/** The backlog is undefined until it is counted. */
export interface ClassificationProgress {
  readonly queue: QueueStats | undefined;
}

interface ClassifierOptions {
  readonly url: string;
  readonly log: Log;
  /** Whether other threads come first when processors are short. */
  readonly isBackground?: boolean;
  readonly timing?: Partial<ClassifyTiming>;
  readonly onBatch?: (stats: BatchStats) => void;
  /** How long the thread may go without a report before it counts as hanging. */
  readonly reportTimeoutMs?: number;
  /** Pause before a thread is replaced. */
  readonly restartMs?: number;
  /** Replaces the worker file in tests. */
  readonly workerFile?: URL;
}

const REPORT_TIMEOUT_MS = 120_000;
const RESTART_MS = 1000;
/** Work that has not stopped by then is abandoned: a hanging database must not keep the process alive. */
const CLOSE_MS = 10_000;
/** Objects only; message bodies are outside of the heap. */
const JS_HEAP_MB = 1024;

/**
 * Creates a classifier, which turns complete traces into actions in its own thread with its own connections. A thread that
 * ends or hangs is replaced; traces that it had started are retried one by one.
 */
export function createClassifier(options: ClassifierOptions) {
  const {
    url,
    log,
    timing,
    isBackground = false,
    reportTimeoutMs = REPORT_TIMEOUT_MS,
    restartMs = RESTART_MS,
    workerFile: file = workerFile('./classify-worker', import.meta.url),
  } = options;
  const closed = new AbortController();
  let running: Promise<void> | undefined;
  let progress: ClassificationProgress = { queue: undefined };
  let wake = (): void => {};

  function onReport(report: ClassifyReport): void {
    if (report.kind === 'queue') progress = { queue: report.stats };
    else if (report.kind === 'log') {
      const { level, details, text, error } = report;
      const err = error && Object.assign(new Error(error.message), { stack: error.stack });
      log[level](err ? { ...details, err } : details, text);
    } else options.onBatch?.(report.stats);
  }

  async function runThread(): Promise<void> {
    const worker = new Worker(file, {
      name: 'tongate-classify',
      execArgv: [],
      workerData: { url, timing, isBackground } satisfies ClassifyThreadData,
      resourceLimits: { maxOldGenerationSizeMb: JS_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    const ended = Promise.withResolvers<string>();
    const hang = setTimeout(() => {
      ended.resolve(`no report for ${reportTimeoutMs} ms`);
      void worker.terminate();
    }, reportTimeoutMs);
    worker.on('message', (report: ClassifyReport) => {
      hang.refresh();
      onReport(report);
    });
    worker.on('error', (error) => ended.resolve(String(error)));
    worker.on('exit', (code) => ended.resolve(`exit code ${code}`));
    const tell = (order: ClassifyOrder): void => worker.postMessage(order);
    const end = (): void => tell('end');
    wake = () => tell('wake');
    closed.signal.addEventListener('abort', end);
    if (closed.signal.aborted) end();
    const reason = await ended.promise;
    clearTimeout(hang);
    wake = () => {};
    closed.signal.removeEventListener('abort', end);
    await worker.terminate();
    if (!closed.signal.aborted) log.warn({ reason }, 'Classification thread ended, restarting');
  }

  async function run(): Promise<void> {
    while (!closed.signal.aborted) {
      await runThread();
      if (!closed.signal.aborted) await pause(restartMs, closed.signal);
    }
  }

  return {
    start(): void {
      running ??= run();
    },
    /** Lets it look for traces now: some were written. */
    wake: () => wake(),
    /** Stops; a batch that is being written is finished. */
    async close(): Promise<void> {
      closed.abort();
      await waitAtMost(CLOSE_MS, running);
    },
    progress: (): ClassificationProgress => progress,
  };
}

/** What the thread is told: to look for traces without a pause, or to stop. */
export type ClassifyOrder = 'wake' | 'end';

/** Start data of the thread. */
export interface ClassifyThreadData {
  readonly url: string;
  readonly timing: Partial<ClassifyTiming> | undefined;
  readonly isBackground: boolean;
}

/** A message from the thread. */
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
