/** A get-method run in a message to a thread. Bags of cells are base64; shared ones are given by key. */
export interface GetMethodWire {
  readonly type: 'get_method';
  readonly code: string;
  readonly data: string;
  /** A VmStack. */
  readonly stack: string;
  readonly address: string;
  readonly utime: number;
  readonly balance: string;
  /** `id=amount`, separated by spaces, no amount 0; empty for none. */
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

/** A transaction run in a message to a thread. */
export interface TransactionWire {
  readonly type: 'transaction';
  /** A ShardAccount; empty for the account after the run before. */
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

/** The reply of a thread to a run. */
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
  /** The emulator rejected the input, or failed. */
  | { readonly type: 'refused'; readonly text: string };

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
