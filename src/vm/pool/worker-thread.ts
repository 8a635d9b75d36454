import { Worker } from 'node:worker_threads';
import type { Failure } from '../../lib/failure.ts';
import { VmCrash, VmRunTooLong } from '../errors.ts';
import type { SharedBoc } from '../shared-boc.ts';
import type { RunWire, ThreadReady, ThreadStart, WorkReply } from '../worker/wire.ts';
import { KnownTexts } from './known-texts.ts';

/** A job: runs, and the shared bags of cells that they name. */
export interface Work {
  readonly runs: readonly RunWire[];
  readonly texts: readonly SharedBoc[];
}

/** A thread that does one job at a time. */
export interface WorkerThread {
  /** The compiled emulator, when the thread is ready; rejects if it never is. */
  readonly ready: Promise<object>;
  /** Whether it is over with it. */
  readonly ended: boolean;
  /** How many runs it has done. */
  readonly runs: number;
  /** Does a job; rejects with the reason when the thread ends before. */
  run(work: Work): Promise<WorkReply>;
  end(reason: Failure): Promise<void>;
}

export interface ThreadOptions {
  /** The program. */
  readonly file: URL;
  readonly module: object | undefined;
  readonly startLimitMs: number;
  /** How long one run may take. */
  readonly runLimitMs: number;
}

/** Enough for the log of a run that eats all its gas in the shortest steps (45 MB), several times over. */
const JS_HEAP_MB = 512;

/** Starts a thread. It keeps the process alive while it starts or works. */
export function startThread({ file, module, startLimitMs, runLimitMs }: ThreadOptions): WorkerThread {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(file, {
    workerData: { module, progress } satisfies ThreadStart,
    name: 'tongate-vm',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: JS_HEAP_MB },
  });
  const known = new KnownTexts();
  let reason: Failure | undefined;
  let done = 0;
  let answer = Promise.withResolvers<unknown>();

  worker.on('message', (message) => answer.resolve(message));
  worker.on('messageerror', (error) => void end(new VmCrash('an answer that cannot be read', error)));
  worker.on('error', (error) => {
    reason ??= new VmCrash(String(error), error);
  });
  worker.on('exit', (code) => {
    reason ??= new VmCrash(`the thread ended with ${code}`);
    answer.reject(reason);
  });

  async function end(why: Failure): Promise<void> {
    reason ??= why;
    await worker.terminate();
  }

  async function start(): Promise<object> {
    const timer = setTimeout(() => void end(new VmCrash(`not ready after ${startLimitMs} ms`)), startLimitMs);
    try {
      return ((await answer.promise) as ThreadReady).module;
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }

  async function run({ runs, texts }: Work): Promise<WorkReply> {
    if (reason !== undefined) throw reason;
    answer = Promise.withResolvers();
    worker.ref();
    worker.postMessage({ runs, ...known.use(texts) });
    // First the number that tells of the first run. One that is under way at two looks in a row takes too long.
    let seen = Atomics.load(progress, 0) + 1;
    const watch = setInterval(() => {
      const now = Atomics.load(progress, 0);
      if (now === seen) void end(new VmRunTooLong(runLimitMs));
      seen = now;
    }, runLimitMs);
    try {
      const reply = (await answer.promise) as WorkReply;
      done += runs.length;
      return reply;
    } finally {
      clearInterval(watch);
      worker.unref();
    }
  }

  return {
    ready: start(),
    get ended() {
      return reason !== undefined;
    },
    get runs() {
      return done;
    },
    run,
    end,
  };
}
