import type { encodeGetMethod, encodeTransaction } from './runs.ts';

/** A get-method run in a message to a thread. */
export type GetMethodWire = Readonly<ReturnType<typeof encodeGetMethod>>;

/** A transaction run in a message to a thread. */
export type TransactionWire = Readonly<ReturnType<typeof encodeTransaction>>;

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
