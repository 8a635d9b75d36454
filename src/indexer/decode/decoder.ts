import type { Log } from '../../lib/log.ts';
import { createWorkerPool } from '../../lib/worker-pool.ts';
import { type WorkerFault, workerFile } from '../../lib/worker-thread.ts';
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

/** Creates a decoder; threads start when first needed, and stay. */
export function createDecoder(options: DecoderOptions): Decoder {
  const { threads, log, runLimitMs = RUN_LIMIT_MS } = options;
  const pool = createWorkerPool<FetchedSeqno, ReplyWire>({
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

  return {
    async decode(fetched) {
      const reply = await pool.run(fetched).catch((error) => {
        // Once more: the thread may have ended because of another seqno.
        if (error instanceof DecodeThreadEnded) return pool.run(fetched);
        throw error;
      });
      if ('fault' in reply) throw new BrokenBlock(reply.fault);
      return unpackSeqno(reply.packed);
    },
    close: pool.close,
  };
}

function encodeJobs(jobs: readonly FetchedSeqno[]) {
  const messages = jobs.map(toWire);
  return { messages, transfer: messages.map(({ bytes }) => bytes) };
}

function toError(fault: WorkerFault, what: string, cause?: unknown): DecodeThreadEnded {
  return new DecodeThreadEnded(fault === 'closed' ? 'the decoder is closed' : what, cause);
}
