/** A run of a get-method, as a thread is told. Bags of cells are base64; shared ones are named by their keys. */
export interface GetMethodWire {
  readonly type: 'get_method';
  readonly code: string;
  readonly data: string;
  /** A VmStack. */
  readonly stack: string;
  readonly address: string;
  readonly utime: number;
  readonly balance: string;
  /** `id=amount` with a space between two of them, none of them 0; empty for none. */
  readonly extraCurrencies: string;
  /** 64 hex digits. */
  readonly randSeed: string;
  readonly gasLimit: number;
  readonly methodId: number;
  readonly config: string;
  /** Empty for none, as the keys below. */
  readonly trimmedConfig: string;
  readonly libraries: string;
  readonly prevBlocks: string;
  readonly verbosity: number;
  readonly wantsLog: boolean;
}

/** A transaction to be made, as a thread is told. */
export interface TransactionWire {
  readonly type: 'transaction';
  /** A ShardAccount; empty for the one that the run before left. */
  readonly account: string;
  /** Empty for tick and tock. */
  readonly message: string;
  readonly tickTock: '' | 'tick' | 'tock';
  readonly lt: string;
  readonly utime: number;
  /** 64 hex digits. */
  readonly randSeed: string;
  readonly ignoreSignature: boolean;
  readonly config: string;
  readonly libraries: string;
  readonly prevBlocks: string;
  readonly verbosity: number;
  readonly wantsLog: boolean;
}

export type RunWire = GetMethodWire | TransactionWire;

/** What a run gave, as a thread tells it. */
export type RunReply =
  | {
      readonly type: 'get_method';
      readonly exitCode: number;
      readonly gasUsed: string;
      readonly stack: string;
      /** Hex of a hash; empty for none. */
      readonly missingLibrary: string;
      readonly log: string | undefined;
    }
  | {
      readonly type: 'transaction';
      readonly transaction: string;
      readonly account: string;
      /** Empty for none. */
      readonly actions: string;
      readonly elapsedSeconds: number;
      readonly lacksLibrary: boolean;
      readonly log: string | undefined;
    }
  | {
      readonly type: 'not_accepted';
      readonly exitCode: number;
      readonly text: string;
      readonly elapsedSeconds: number;
      readonly lacksLibrary: boolean;
      readonly log: string;
    }
  /** The emulator would not, or it failed. */
  | { readonly type: 'refused'; readonly text: string };

/** A job for a thread. */
export interface WorkMessage {
  readonly runs: readonly RunWire[];
  /** Shared bags of cells that are new to the thread, by key, and keys of those that it may forget. */
  readonly fresh: readonly (readonly [key: string, text: string])[];
  readonly forgotten: readonly string[];
}

/** Jobs for a thread, to be done one after another; there is one at least. */
export type WorkMessages = readonly WorkMessage[];

/** The answer to a job: one reply for each run, and the bytes of memory that the emulator holds. */
export interface WorkReply {
  readonly replies: readonly RunReply[];
  readonly memoryBytes: number;
}

/** What a thread starts with. */
export interface ThreadStart {
  /** The compiled emulator, if another thread has compiled it already. */
  readonly module: object | undefined;
  /**
   * Two numbers. One counts the beginnings and ends of runs, for whoever watches the clock. The other says how many jobs
   * of a message have begun: whoever raises it may do the next, unless the jobs that are left were taken back.
   */
  readonly progress: Int32Array;
}

/** What a thread says when it is ready. */
export interface ThreadReady {
  readonly module: object;
}

const RUNS_AT = 0;
const JOBS_AT = 1;
const TAKEN_BACK = -1;

/** What a thread and its owner count together. */
export function createProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** Counts the beginning or the end of a run. */
export function countStep(progress: Int32Array): void {
  Atomics.add(progress, RUNS_AT, 1);
}

/** Beginnings and ends of runs so far. */
export function stepsOf(progress: Int32Array): number {
  return Atomics.load(progress, RUNS_AT);
}

/** The owner, before it sends jobs: the first one counts as begun. */
export function openJobs(progress: Int32Array): void {
  Atomics.store(progress, JOBS_AT, 1);
}

/** The thread, before it tells of the job before: whether it may go on with a job. */
export function claimJob(progress: Int32Array, index: number): boolean {
  return Atomics.compareExchange(progress, JOBS_AT, index, index + 1) === index;
}

/** The owner: takes back all jobs that have not begun, and gives the number of those that have; undefined the next time. */
export function takeBackJobs(progress: Int32Array): number | undefined {
  const begun = Atomics.exchange(progress, JOBS_AT, TAKEN_BACK);
  return begun === TAKEN_BACK ? undefined : begun;
}
