import type { JobEncoder } from '../lib/worker-thread.ts';
import type { RunReply, RunWire } from './runs.ts';
import type { SharedBoc } from './shared-inputs.ts';

/** The runs of one job, and the shared bags of cells that they refer to. */
export interface Work {
  readonly runs: readonly RunWire[];
  readonly texts: readonly SharedBoc[];
}

/** A job for a thread. */
export interface WorkMessage {
  readonly runs: readonly RunWire[];
  /** Shared bags of cells that the thread does not have, by key, and keys of those it may drop. */
  readonly fresh: readonly (readonly [key: string, text: string])[];
  readonly forgotten: readonly string[];
}

/** The reply to a job: one per run, and the memory of the emulator. */
export interface WorkReply {
  readonly replies: readonly RunReply[];
  readonly memoryBytes: number;
}

/** Writes jobs for one thread: each shared bag of cells is sent once and named by its key after that. */
export function createWorkEncoder({
  maxRuns,
  maxMemoryBytes,
}: {
  readonly maxRuns: number;
  readonly maxMemoryBytes: number;
}): JobEncoder<Work, WorkReply> {
  const sent = new SentTexts();
  let runs = 0;
  return {
    encode(jobs) {
      // The texts that jobs share go with the first, which alone is certain to be done.
      const { fresh, forgotten } = sent.use(jobs.flatMap(({ texts }) => texts));
      const messages = jobs.map(
        (job, index): WorkMessage =>
          index === 0
            ? { runs: job.runs, fresh, forgotten }
            : { runs: job.runs, fresh: EMPTY, forgotten: EMPTY },
      );
      return { messages };
    },
    wearOf({ replies, memoryBytes }) {
      runs += replies.length;
      if (runs >= maxRuns) return 'runs';
      return memoryBytes > maxMemoryBytes ? 'memory' : undefined;
    },
  };
}

const EMPTY: readonly never[] = [];

/** A thread keeps this many shared bags of cells; those that were not used for longest are forgotten. */
const MAX_KNOWN = 64;

/** Which shared bags of cells a thread has been sent. */
class SentTexts {
  readonly #keys = new Set<string>();

  /** The texts to send with a job that uses these, and those that the thread may forget. */
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
