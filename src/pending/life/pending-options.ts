import type { Log } from '../../lib/log.ts';
import type { PendingCounts } from '../../observe/pending-metrics.ts';
import type { AcceptedMessage } from '../accepted-message.ts';
import type { EmulationBudget, EmulationPayer } from '../emulation-budget.ts';
import type { PendingTraces } from '../pending-traces.ts';
import type { TraceStore } from '../store/trace-store.ts';
import type { ChainEye } from './chain-eye.ts';
import type { Classify, Emulate, PendingIndex } from './pending-ports.ts';

/** How much is done at once, and how much is kept. */
export interface PendingLimits {
  /** Emulations of new messages at a time. */
  readonly atOnce: number;
  /** Messages that may wait for theirs; those of a feed may have half of it. */
  readonly waiting: number;
  /** Messages of this process at most. */
  readonly kept: number;
  /** Messages of one payer for each request a second that it may make; undefined without bound. */
  readonly perRps: number | undefined;
  /** How long a message is kept at most. */
  readonly keepSeconds: number;
  /** Messages that are looked at again for one masterchain block. */
  readonly looksAHead: number;
}

export interface PendingOptions {
  readonly emulate: Emulate;
  readonly classify: Classify;
  readonly index: PendingIndex;
  readonly chain: ChainEye;
  readonly store: TraceStore;
  readonly budget: EmulationBudget;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly log: Log;
  readonly metrics: PendingCounts;
  readonly limits: PendingLimits;
}

/** Messages that were sent, until the index has what came of them. */
export interface Pending extends PendingTraces {
  /** Takes a message that was accepted; false where it is left out, which is no matter of the sender. Never throws. */
  accepted(message: AcceptedMessage, payer: EmulationPayer, origin: 'sender' | 'feed'): boolean;
  /** Looks at everything once more, as at every new masterchain block. Never throws. */
  look(): Promise<void>;
  /** Forgets everything: the chain is another one than before. */
  clear(): void;
  /** Messages that wait for their emulation. */
  waiting(): number;
  close(): Promise<void>;
}
