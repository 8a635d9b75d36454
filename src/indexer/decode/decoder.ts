import { Worker } from 'node:worker_threads';
import type { Log } from '../../lib/log.ts';
import { JobQueue } from '../../lib/worker-pool.ts';
import type { FetchedSeqno } from '../fetch/fetch-seqnos.ts';
import { BrokenBlock } from './broken-block.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';
import { type ReplyWire, toWire, unpackSeqno } from './worker-messages.ts';

/** Decodes seqnos in worker threads. */
export interface Decoder {
  /**
   * Decodes a seqno; rejects with BrokenBlock, or with DecodeThreadEnded when it crashed two threads. Queued jobs keep
   * their blocks in memory: the caller limits their number.
   */
  decode(fetched: FetchedSeqno): Promise<DecodedSeqno>;
  /** Stops all threads; unfinished jobs are rejected. */
  close(): Promise<void>;
}

export interface DecoderOptions {
  readonly threads: number;
  readonly log: Log;
  /** Time limit of a job; one minute by default. */
  readonly runLimitMs?: number;
  /** Replaces the worker file in tests. */
  readonly workerFile?: URL;
}

interface Job extends PromiseWithResolvers<DecodedSeqno> {
  readonly fetched: FetchedSeqno;
}

/** A thread always has its next job at hand, however busy the main thread is. */
const JOBS_PER_THREAD = 2;
const RUN_LIMIT_MS = 60_000;

/** Creates a decoder; threads start when first needed, and stay. */
export function createDecoder(options: DecoderOptions): Decoder {
  const { log, runLimitMs = RUN_LIMIT_MS, workerFile = ownWorkerFile() } = options;
  const queue = new JobQueue<Job>();
  const live = new Set<DecodeThread>();
  let closed = false;

  /** Serves jobs with one thread and its successors. */
  function createSeat(): Promise<void>[] {
    let thread: DecodeThread | undefined;
    const currentThread = (): DecodeThread => {
      if (closed) throw closedReason();
      if (thread === undefined || thread.ended) {
        if (thread !== undefined) live.delete(thread);
        thread = startDecodeThread(workerFile, runLimitMs);
        live.add(thread);
      }
      return thread;
    };
    const decode = async ({ fetched }: Job): Promise<DecodedSeqno> => {
      try {
        return await currentThread().run(fetched);
      } catch (error) {
        if (closed || !(error instanceof DecodeThreadEnded)) throw error;
        log.warn({ err: error, seqno: fetched.mcSeqno }, 'Decoding thread ended, retrying its seqno');
        return await currentThread().run(fetched);
      }
    };
    const serve = async (): Promise<void> => {
      for (let job = await queue.take(); job !== undefined; job = await queue.take())
        await decode(job).then(job.resolve, job.reject);
    };
    return Array.from({ length: JOBS_PER_THREAD }, serve);
  }

  const seats = Array.from({ length: options.threads }, createSeat).flat();

  return {
    decode(fetched) {
      const job: Job = { fetched, ...Promise.withResolvers<DecodedSeqno>() };
      if (closed) job.reject(closedReason());
      else queue.offer(job, Number.POSITIVE_INFINITY);
      return job.promise;
    },
    async close() {
      closed = true;
      for (const job of queue.close()) job.reject(closedReason());
      await Promise.all([...live].map((thread) => thread.end(closedReason())));
      await Promise.all(seats);
    },
  };
}

function closedReason(): DecodeThreadEnded {
  return new DecodeThreadEnded('the decoder is closed');
}

/** The program of the threads, beside this file: TypeScript in a checkout, JavaScript in a build. */
function ownWorkerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./decode-worker.ts', import.meta.url)
    : new URL('./decode-worker.js', import.meta.url);
}

/** A thread ended before it finished a job: it ran out of memory, took too long, or was closed. */
export class DecodeThreadEnded extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the decoding thread ended: ${reason}`, { cause });
    this.name = 'DecodeThreadEnded';
  }
}

/** A decoding thread. */
interface DecodeThread {
  readonly ended: boolean;
  /** Decodes a seqno after earlier ones; rejects with BrokenBlock or DecodeThreadEnded. */
  run(fetched: FetchedSeqno): Promise<DecodedSeqno>;
  end(reason: DecodeThreadEnded): Promise<void>;
}

/** Objects only; blocks and rows are outside of the heap. */
const JS_HEAP_MB = 1024;

/** Starts a thread, which keeps the process alive only while it has jobs. */
function startDecodeThread(file: URL, runLimitMs: number): DecodeThread {
  const worker = new Worker(file, {
    name: 'tongate-decode',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: JS_HEAP_MB },
  });
  worker.unref();
  const running = new Map<number, PromiseWithResolvers<ArrayBuffer>>();
  let started = 0;
  let reason: DecodeThreadEnded | undefined;

  worker.on('message', (reply: ReplyWire) => {
    const run = running.get(reply.number);
    if ('packed' in reply) run?.resolve(reply.packed);
    else run?.reject(new BrokenBlock(reply.fault));
  });
  worker.on('messageerror', (error) => void end(new DecodeThreadEnded('unreadable reply', error)));
  worker.on('error', (error) => {
    reason ??= new DecodeThreadEnded(String(error), error);
  });
  worker.on('exit', (code) => {
    reason ??= new DecodeThreadEnded(`exit code ${code}`);
    for (const run of running.values()) run.reject(reason);
  });

  async function end(why: DecodeThreadEnded): Promise<void> {
    reason ??= why;
    await worker.terminate();
  }

  async function run(fetched: FetchedSeqno): Promise<DecodedSeqno> {
    if (reason !== undefined) throw reason;
    const number = started++;
    const result = Promise.withResolvers<ArrayBuffer>();
    running.set(number, result);
    const late = new DecodeThreadEnded(`seqno ${fetched.mcSeqno} took more than ${runLimitMs} ms`);
    const timer = setTimeout(() => void end(late), runLimitMs);
    worker.ref();
    try {
      const job = toWire(number, fetched);
      worker.postMessage(job, [job.bytes]);
      return unpackSeqno(await result.promise);
    } finally {
      clearTimeout(timer);
      running.delete(number);
      if (running.size === 0) worker.unref();
    }
  }

  return {
    get ended() {
      return reason !== undefined;
    },
    run,
    end,
  };
}
