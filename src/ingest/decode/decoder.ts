import type { DecodedSeqno } from '../../index/write/decoded-seqno.ts';
import type { Log } from '../../lib/log.ts';
import { createWorkerPool } from '../../lib/worker-pool.ts';
import { type WorkerFault, workerFile } from '../../lib/worker-thread.ts';
import { bytesOf, type FetchedSeqno } from '../fetch/fetch-seqnos.ts';
import { BrokenBlock } from './broken-block.ts';
import { type ReplyWire, toWire, unpackReply } from './worker-messages.ts';

export type Decoder = ReturnType<typeof createDecoder>;

export interface DecoderOptions {
  readonly threads: number;
  readonly log: Log;
  /** Time limit of a seqno; one minute by default. */
  readonly runLimitMs?: number;
  /** Replaces the worker file in tests. */
  readonly workerFile?: URL;
}

/** A thread ended before it finished a job: it ran out of memory, took too long, or was closed. */
export class DecodeThreadEnded extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the decoding thread ended: ${reason}`, { cause });
    this.name = 'DecodeThreadEnded';
  }
}

const START_LIMIT_MS = 60_000;
const RUN_LIMIT_MS = 60_000;
/** Objects only; blocks and rows are outside of the heap. */
const JS_HEAP_MB = 1024;

/**
 * Small seqnos are sent together: a message to a thread and its reply cost about 0.2 ms of CPU, a fifth of what a seqno
 * with a dozen transactions takes. A thread has its next job at hand while it works on one.
 */
const SEQNOS_PER_JOB = 8;
const BYTES_PER_JOB = 256 * 1024;
const JOBS_PER_THREAD = 2;

interface Waiting {
  readonly fetched: FetchedSeqno;
  readonly result: PromiseWithResolvers<DecodedSeqno>;
}

/** Creates a decoder in worker threads, which start when first needed, and stay. */
export function createDecoder(options: DecoderOptions) {
  const { threads, log, runLimitMs = RUN_LIMIT_MS } = options;
  const pool = createWorkerPool<readonly FetchedSeqno[], ReplyWire>({
    name: 'decode',
    file: options.workerFile ?? workerFile('./decode-worker', import.meta.url),
    threads,
    queueLimit: Number.POSITIVE_INFINITY,
    jobs: 'long',
    heapMb: JS_HEAP_MB,
    startLimitMs: START_LIMIT_MS,
    stepLimitMs: runLimitMs,
    createEncoder: () => ({ encode: encodeJobs }),
    toError,
    log,
  });
  const waiting: Waiting[] = [];
  let freeJobs = threads * JOBS_PER_THREAD;

  function startJobs(): void {
    while (freeJobs > 0 && waiting.length > 0) {
      const job = takeJob(waiting, Math.ceil(waiting.length / freeJobs));
      freeJobs--;
      void decodeTogether(job).finally(() => {
        freeJobs++;
        startJobs();
      });
    }
  }

  async function decodeTogether(job: readonly Waiting[]): Promise<void> {
    try {
      settle(job, await pool.run(job.map(({ fetched }) => fetched)));
    } catch {
      // The thread may have ended because of another seqno.
      for (const one of job) await decodeAlone(one, job.length === 1 ? 1 : 2);
    }
  }

  async function decodeAlone(one: Waiting, tries: number): Promise<void> {
    try {
      settle([one], await pool.run([one.fetched]));
    } catch (error) {
      if (tries > 1 && error instanceof DecodeThreadEnded) await decodeAlone(one, tries - 1);
      else one.result.reject(error);
    }
  }

  return {
    /**
     * Decodes a seqno; rejects with BrokenBlock, or with DecodeThreadEnded when it crashed threads again and again. Queued
     * seqnos keep their blocks in memory: the caller limits their number.
     */
    decode(fetched: FetchedSeqno): Promise<DecodedSeqno> {
      const result = Promise.withResolvers<DecodedSeqno>();
      waiting.push({ fetched, result });
      startJobs();
      return result.promise;
    },
    /** Stops all threads; unfinished jobs are rejected. */
    close: pool.close,
  };
}

/** Takes the seqnos of the next job: one, and more as long as they are small. */
function takeJob(waiting: Waiting[], share: number): Waiting[] {
  const most = Math.min(share, SEQNOS_PER_JOB);
  let count = 1;
  for (let bytes = bytesOf(waiting[0]!.fetched); count < most; count++) {
    bytes += bytesOf(waiting[count]!.fetched);
    if (bytes > BYTES_PER_JOB) break;
  }
  return waiting.splice(0, count);
}

function settle(job: readonly Waiting[], reply: ReplyWire): void {
  for (const [i, seqno] of unpackReply(reply).entries()) {
    const { result, fetched } = job[i]!;
    if ('fault' in seqno) result.reject(new BrokenBlock(seqno.fault, { mcSeqno: fetched.mcSeqno }));
    else result.resolve(seqno);
  }
}

function encodeJobs(jobs: readonly (readonly FetchedSeqno[])[]) {
  const messages = jobs.map(toWire);
  return { messages, transfer: messages.map(({ bytes }) => bytes) };
}

function toError(fault: WorkerFault, what: string, cause?: unknown): DecodeThreadEnded {
  return new DecodeThreadEnded(fault === 'closed' ? 'the decoder is closed' : what, cause);
}
