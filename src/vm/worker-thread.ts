import { Worker } from 'node:worker_threads';
import type { Failure } from '../lib/errors.ts';
import { VmCrash, VmRunTooLong } from './errors.ts';
import type { SharedBoc } from './shared-inputs.ts';
import {
  createProgress,
  openJobs,
  type RunWire,
  stepsOf,
  type ThreadReady,
  type ThreadStart,
  takeBackJobs,
  type WorkMessages,
  type WorkReply,
} from './worker/protocol.ts';

/** A job: runs, and the shared bags of cells that they name. */
export interface Work {
  readonly runs: readonly RunWire[];
  readonly texts: readonly SharedBoc[];
}

/** Hears of jobs that were given to a thread together. */
interface JobEvents {
  /** One is done, the first ones first; of the last one the thread tells when it is free again. */
  readonly onReply: (reply: WorkReply) => void;
  /** Only so many have begun and will be done; called once at most. */
  readonly onTakenBack: (begun: number) => void;
}

/** A thread that does one job at a time. */
export interface WorkerThread {
  /** The compiled emulator, when the thread is ready; rejects if it never is. */
  readonly ready: Promise<object>;
  /** Whether it is over with it. */
  readonly ended: boolean;
  /** How many runs it has done. */
  readonly runs: number;
  /**
   * Does jobs in order, one at least, and gives the reply to the last; those that do not begin soon are taken back.
   * Rejects with the reason when the thread ends before, after those that had not begun were taken back.
   */
  run(works: readonly Work[], events: JobEvents): Promise<WorkReply>;
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
/** What a thread has not begun by then may be done elsewhere sooner. */
const TAKE_BACK_MS = 10;
const NO_TEXTS = { fresh: [], forgotten: [] };

/** Starts a thread. It keeps the process alive while it starts or works. */
export function startThread({ file, module, startLimitMs, runLimitMs }: ThreadOptions): WorkerThread {
  const progress = createProgress();
  const worker = new Worker(file, {
    workerData: { module, progress } satisfies ThreadStart,
    name: 'tongate-vm',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: JS_HEAP_MB },
  });
  const known = new SentTexts();
  let reason: Failure | undefined;
  let done = 0;
  const ready = Promise.withResolvers<object>();
  let onMessage = (message: unknown): void => ready.resolve((message as ThreadReady).module);
  let onEnd: (why: Failure) => void = ready.reject;

  worker.on('message', (message) => onMessage(message));
  worker.on('messageerror', (error) => void end(new VmCrash('an answer that cannot be read', error)));
  worker.on('error', (error) => {
    reason ??= new VmCrash(String(error), error);
  });
  worker.on('exit', (code) => {
    reason ??= new VmCrash(`the thread ended with ${code}`);
    onEnd(reason);
  });

  async function end(why: Failure): Promise<void> {
    reason ??= why;
    await worker.terminate();
  }

  async function start(): Promise<object> {
    const timer = setTimeout(() => void end(new VmCrash(`not ready after ${startLimitMs} ms`)), startLimitMs);
    try {
      return await ready.promise;
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }

  async function run(works: readonly Work[], events: JobEvents): Promise<WorkReply> {
    if (reason !== undefined) throw reason;
    const finished = Promise.withResolvers<WorkReply>();
    let begun = works.length;
    let replied = 0;
    const takeBack = (): void => {
      const claimed = takeBackJobs(progress) ?? begun;
      if (claimed === begun) return;
      begun = claimed;
      events.onTakenBack(begun);
    };
    onMessage = (message) => {
      const reply = message as WorkReply;
      done += works[replied++]!.runs.length;
      if (replied === begun) finished.resolve(reply);
      else events.onReply(reply);
    };
    onEnd = (failure) => {
      takeBack();
      finished.reject(failure);
    };
    worker.ref();
    openJobs(progress);
    worker.postMessage(messagesOf(works));
    const takeBackTimer = begun > 1 ? setTimeout(takeBack, TAKE_BACK_MS) : undefined;
    // First the number that tells of the first run. One that is under way at two looks in a row takes too long.
    let seen = stepsOf(progress) + 1;
    const watch = setInterval(() => {
      const now = stepsOf(progress);
      if (now === seen) void end(new VmRunTooLong(runLimitMs));
      seen = now;
    }, runLimitMs);
    try {
      return await finished.promise;
    } finally {
      clearTimeout(takeBackTimer);
      clearInterval(watch);
      worker.unref();
    }
  }

  /** What jobs share goes with the first, which alone is sure to be done. */
  function messagesOf(works: readonly Work[]): WorkMessages {
    const texts = known.use(works.flatMap((work) => work.texts));
    return works.map(({ runs }, index) => ({ runs, ...(index === 0 ? texts : NO_TEXTS) }));
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

/** A thread keeps as many shared bags of cells; the ones that were not used for longest are forgotten. */
const MAX_KNOWN = 64;

/** Which shared bags of cells a thread has been sent. */
class SentTexts {
  readonly #keys = new Set<string>();

  /** What must be sent with a job that uses these, and what the thread may forget. */
  use(texts: readonly SharedBoc[]): { fresh: [key: string, text: string][]; forgotten: string[] } {
    const fresh: [string, string][] = [];
    for (const { key, text } of texts) {
      if (!this.#keys.delete(key)) fresh.push([key, text]);
      this.#keys.add(key);
    }
    const forgotten: string[] = [];
    // Those just used are the last ones; a job may use more than are kept.
    const spare = this.#keys.size - Math.max(MAX_KNOWN, texts.length);
    for (const key of this.#keys) {
      if (forgotten.length >= spare) break;
      forgotten.push(key);
      this.#keys.delete(key);
    }
    return { fresh, forgotten };
  }
}
