import { Worker } from 'node:worker_threads';
import type { Log } from '../../lib/log.ts';
import { JobQueue } from '../../vm/worker-pool.ts';
import type { FetchedSeqno } from '../fetch/fetch-seqnos.ts';
import { BrokenBlock } from './broken-block.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';
import { type ReplyWire, toWire, unpackSeqno } from './worker-messages.ts';

/** Threads that decode seqnos. */
export interface Decoder {
  /**
   * Decodes a seqno; rejects with BrokenBlock, or with DecodeThreadEnded when it ended two threads. Jobs wait for their
   * turn with their blocks in memory: who awaits decides how many.
   */
  decode(fetched: FetchedSeqno): Promise<DecodedSeqno>;
  /** Ends all threads; what is not done is rejected. */
  close(): Promise<void>;
}

export interface DecoderOptions {
  readonly threads: number;
  readonly log: Log;
  /** How long a thread may take for what it was given; one minute unless told otherwise. */
  readonly runLimitMs?: number;
  /** The program of a thread, for tests. */
  readonly workerFile?: URL;
}

interface Job extends PromiseWithResolvers<DecodedSeqno> {
  readonly fetched: FetchedSeqno;
}

/** A thread has the next job at hand when it is done with one, however busy this thread is. */
const JOBS_PER_THREAD = 2;
const RUN_LIMIT_MS = 60_000;

/** Creates a decoder; threads start when they are first needed, and stay. */
export function createDecoder(options: DecoderOptions): Decoder {
  const { log, runLimitMs = RUN_LIMIT_MS, workerFile = ownWorkerFile() } = options;
  const queue = new JobQueue<Job>();
  const live = new Set<DecodeThread>();
  let closed = false;

  /** What takes jobs for one thread and its successors. */
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
        log.warn({ err: error, seqno: fetched.mcSeqno }, 'a decoding thread ended; its work is done again');
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

/** A thread ended before it had done its work: it ran out of memory, took too long, or was closed. */
export class DecodeThreadEnded extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the decoding thread ended: ${reason}`, { cause });
    this.name = 'DecodeThreadEnded';
  }
}

/** A thread that decodes. */
interface DecodeThread {
  readonly ended: boolean;
  /** Decodes a seqno after those it was given before; rejects with BrokenBlock or DecodeThreadEnded. */
  run(fetched: FetchedSeqno): Promise<DecodedSeqno>;
  end(reason: DecodeThreadEnded): Promise<void>;
}

/** Objects alone; blocks and rows are outside of the heap. */
const JS_HEAP_MB = 1024;

/** Starts a thread. It keeps the process alive while it works. */
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
  worker.on('messageerror', (error) => void end(new DecodeThreadEnded('an unreadable answer', error)));
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
