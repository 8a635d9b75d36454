import type { BlockId } from '../../chain/block-id.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';
import type { Verdicts } from './verdicts.ts';

/** The newest state of an account, to be judged. */
export interface JudgedState {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lastTransLt: bigint;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly balance: bigint;
  /** Undefined where the account has none. */
  readonly codeHash: Buffer | undefined;
  readonly dataHash: Buffer | undefined;
  /** The data; undefined when it is the one that `account_data` has, or there is none. */
  readonly data: Buffer | undefined;
  /** Whether code or data are not known: it cannot be judged now. */
  readonly isMissing: boolean;
  /** Whether the account may have had another code, or another status, when it was last judged. */
  readonly isOther: boolean;
}

export interface JudgedBatch {
  /** One an account. */
  readonly states: readonly JudgedState[];
  /** Codes that the database may not have yet. */
  readonly codes: readonly ContractCode[];
  /** The masterchain block as of which other contracts and the configuration are read; the head if left out. */
  readonly block?: BlockId | undefined;
  /** Whether the batch has a block that may bring a new configuration. */
  readonly hasKeyBlock: boolean;
  /** Time for all of it: what is not judged by then is undetected. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Judges batch after batch of one range of seqnos; believes that all that it judged was written. */
export interface Judge {
  judge(batch: JudgedBatch): Promise<Verdicts>;
}

/** Finds out what contracts are. */
export interface Detection {
  /**
   * Begins to judge. `follows`: batches follow each other, and no other part of the index has newer states, so that
   * what was read of other contracts is good until they are in a batch.
   */
  open(options: { readonly follows: boolean }): Judge;
}
