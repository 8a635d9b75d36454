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

/** The answer to a job: one reply for each run, and the bytes of memory that the emulator holds. */
export interface WorkReply {
  readonly replies: readonly RunReply[];
  readonly memoryBytes: number;
}
