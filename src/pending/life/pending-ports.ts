import type { EmulatedTrace, EmulationRefusal } from '../emulated-trace.ts';
import type { AccountPlace } from '../emulation-ground.ts';
import type { PendingClassification } from '../pending-traces.ts';

/** Messages that something is to be said of: one from outside, or some of those that a trace has still to deliver. */
export type EmulationStart = { readonly external: Uint8Array } | { readonly internal: readonly Uint8Array[] };

/** Bounds of one emulation. */
export interface EmulationLimits {
  readonly mostMs: number;
  readonly signal: AbortSignal;
}

/** Says what messages would cause at the newest block; throws where that is not to be found out now. */
export type Emulate = (
  start: EmulationStart,
  limits: EmulationLimits,
) => Promise<EmulatedTrace | EmulationRefusal>;

/** A transaction that actions are to be read from. */
export interface ClassifiedTransaction {
  readonly account: AccountPlace;
  readonly boc: Buffer;
  readonly mcSeqno: number;
  /** The ShardAccount after a transaction that was predicted. */
  readonly after?: Uint8Array | undefined;
}

/** A trace that actions are to be read from. */
export interface TraceToClassify {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  /** The first took the external message. */
  readonly transactions: readonly ClassifiedTransaction[];
}

/** Says what happens in a trace. Never throws. */
export type Classify = (trace: TraceToClassify, signal: AbortSignal) => Promise<PendingClassification>;

/** A trace that the index may have. */
export interface SoughtTrace {
  readonly normalizedHash: Buffer;
  /** One that began in an earlier masterchain block is another one. */
  readonly sinceSeqno: number;
}

/** The index, as far as pending traces need it. */
export interface PendingIndex {
  /** Those of some traces that the index has complete and classified: their normalized hashes in hex. */
  settled(traces: readonly SoughtTrace[]): Promise<ReadonlySet<string>>;
}
