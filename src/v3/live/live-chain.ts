import type { FastifyBaseLogger } from 'fastify';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import type { StackEntry } from '../../chain/stack/stack-entry.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { ExtraCurrency } from '../../chain/tlb/currency.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { V3Caller } from '../caller.ts';

/** For whom lite servers are asked, and until when. */
export interface LiveAsker {
  readonly log: FastifyBaseLogger;
  readonly caller: V3Caller;
  /** When the answer is of no use any more, on the clock of `performance.now`; not later than a request may take. */
  readonly untilMs?: number;
}

/** An account that exists, as a lite server has proven it. */
export interface LiveAccount {
  /** Of the Account cell. */
  readonly hash: Buffer;
  readonly status: 'uninit' | 'active' | 'frozen';
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly code: FoundCell | undefined;
  readonly data: FoundCell | undefined;
  /** Hash of the state that a frozen account has given up. */
  readonly frozenHash: Buffer | undefined;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
}

/** A get-method to be run. */
export interface LiveRun {
  readonly account: AccountId;
  readonly methodId: number;
  readonly stack: readonly StackEntry[];
}

/** What it gave; the top of the stack comes last. */
export interface LiveRunResult {
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: readonly StackEntry[];
}

/** A message from outside whose fees are asked for. */
export interface LiveFeeQuestion {
  readonly to: AccountId;
  readonly body: CellBag;
  readonly init: { readonly code: CellBag; readonly data: CellBag } | undefined;
  /** Every check of a signature succeeds. */
  readonly ignoreSignature: boolean;
}

/** What it would cost, in nanotons. */
export interface LiveFees {
  readonly importFee: bigint;
  readonly storageFee: bigint;
  readonly gasFee: bigint;
  readonly forwardFee: bigint;
}

/** The chain as lite servers show it at this moment. */
export interface LiveChain {
  /** Undefined for an account that does not exist. */
  accountState(account: AccountId, asker: LiveAsker): Promise<LiveAccount | undefined>;
  runGetMethod(run: LiveRun, asker: LiveAsker): Promise<LiveRunResult>;
  estimateFee(question: LiveFeeQuestion, asker: LiveAsker): Promise<LiveFees>;
  /** Sends a message from outside and tells its hashes; refuses what is none. */
  sendMessage(
    message: CellBag,
    asker: LiveAsker,
  ): Promise<{ readonly hash: Buffer; readonly normalizedHash: Buffer }>;
}
