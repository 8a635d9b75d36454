import { Worker } from 'node:worker_threads';
import type { FetchedSeqno } from '../fetch/fetched-seqno.ts';
import { BrokenBlock } from './broken-block.ts';
import type { DecodedSeqno } from './decoded-seqno.ts';
import { unpackSeqno } from './worker/unpack-seqno.ts';
import { type ReplyWire, toWire } from './worker/wire.ts';

/** A thread ended before it had done its work: it ran out of memory, took too long, or was closed. */
export class DecodeThreadEnded extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the decoding thread ended: ${reason}`, { cause });
    this.name = 'DecodeThreadEnded';
  }
}

/** A thread that decodes. */
export interface DecodeThread {
  readonly ended: boolean;
  /** Decodes a seqno after those it was given before; rejects with BrokenBlock or DecodeThreadEnded. */
  run(fetched: FetchedSeqno): Promise<DecodedSeqno>;
  end(reason: DecodeThreadEnded): Promise<void>;
}

/** Objects alone; blocks and rows are outside of the heap. */
const JS_HEAP_MB = 1024;

/** Starts a thread. It keeps the process alive while it works. */
export function startDecodeThread(file: URL, runLimitMs: number): DecodeThread {
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
