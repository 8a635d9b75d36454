import type { Log } from '../../lib/log.ts';
import { JobQueue } from '../../vm/pool/job-queue.ts';
import type { FetchedSeqno } from '../fetch/fetched-seqno.ts';
import { type DecodeThread, DecodeThreadEnded, startDecodeThread } from './decode-thread.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';

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
const JOBS_A_THREAD = 2;
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
    return Array.from({ length: JOBS_A_THREAD }, serve);
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
    ? new URL('./worker/decode-worker.ts', import.meta.url)
    : new URL('./worker/decode-worker.js', import.meta.url);
}
