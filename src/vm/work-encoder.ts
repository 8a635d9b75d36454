import type { JobEncoder } from '../lib/worker-thread.ts';
import type { RunReply, RunWire } from './runs.ts';
import type { SharedBoc } from './shared-inputs.ts';

/** The runs of one job, and the shared bags of cells that they refer to. */
export interface Work {
  readonly runs: readonly RunWire[];
  readonly texts: readonly SharedBoc[];
}

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

/** A thread keeps this many shared bags of cells; those that were not used for longest are forgotten. */
const MAX_SENT = 64;

/** Writes jobs for one thread: each shared bag of cells is sent once and named by its key after that. */
export function createWorkEncoder(limits: {
  readonly maxRuns: number;
  readonly maxMemoryBytes: number;
}): JobEncoder<Work, WorkReply> {
  const sentKeys = new Set<string>();
  let runs = 0;

  /** The texts to send with a job that uses these, and those that the thread may forget. */
  function use(texts: readonly SharedBoc[]) {
    const fresh: [key: string, text: string][] = [];
    for (const { key, text } of texts) {
      if (!sentKeys.delete(key)) fresh.push([key, text]);
      sentKeys.add(key);
    }
    // Those just used are the last ones; a job may use more than are kept.
    const spare = sentKeys.size - Math.max(MAX_SENT, texts.length);
    const forgotten = spare > 0 ? [...sentKeys].slice(0, spare) : [];
    for (const key of forgotten) sentKeys.delete(key);
    return { fresh, forgotten };
  }

  return {
    encode(jobs) {
      // The texts that jobs share go with the first, which alone is certain to be done.
      const shared = use(jobs.flatMap(({ texts }) => texts));
      const messages = jobs.map((job, index): WorkMessage => {
        const { fresh, forgotten } = index === 0 ? shared : NO_TEXTS;
        return { runs: job.runs, fresh, forgotten };
      });
      return { messages };
    },
    wearOf({ replies, memoryBytes }) {
      runs += replies.length;
      if (runs >= limits.maxRuns) return 'runs';
      return memoryBytes > limits.maxMemoryBytes ? 'memory' : undefined;
    },
  };
}

const NO_TEXTS = { fresh: [], forgotten: [] };
