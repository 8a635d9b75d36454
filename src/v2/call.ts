import type { BlockId } from '../chain/block-id.ts';
import type { Payer } from '../http/gate.ts';
import type { Log } from '../lib/log.ts';
import type { LitePool } from '../lite/pool.ts';
import type { CheckOptions } from '../lite/proofs/proof-scope.ts';
import type { MessageListener } from '../pending/accepted-message.ts';
import type { Vm } from '../vm/create-vm.ts';
import type { V2Memory } from './memory.ts';
import type { Resender } from './resender.ts';

/** What operations of v2 may use of the rest of the program. */
export interface V2Ports {
  /** Unix time in seconds, with fraction. */
  readonly clock: () => number;
  /** The lite servers of a group that a caller's plan names, or those of everybody else. */
  readonly pool: (group: string | undefined) => LitePool;
  /** Whether proofs are checked. */
  readonly check: CheckOptions;
  readonly vm: Vm;
  /** Where get-methods run: in this process, or on the lite server. */
  readonly getMethods: 'local' | 'remote';
  readonly memory: V2Memory;
  /** Hears of every message that was sent. */
  readonly pending: MessageListener;
  readonly resender: Resender;
  /** Time that answering a request may take, in milliseconds. */
  readonly requestMs: number;
}

/** Something that lite servers were asked through; the session may move, so the positions are read at the end. */
export interface Bound {
  /** Positions in the global config of the lite servers that were asked. */
  readonly workers: readonly number[];
  /** The masterchain block that "now" meant; undefined where nothing was read. */
  readonly reference?: BlockId | undefined;
}

/** One call of an operation: its ports, its log, its limits, and what `@extra` will tell about it. */
export interface V2Call {
  readonly ports: V2Ports;
  readonly log: Log;
  /** Group of lite servers that the caller's plan names. */
  readonly group: string | undefined;
  /** Who this call is counted against, as far as it is known. */
  readonly payer?: Payer | undefined;
  /** When the time for this call is over, on the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** What the call asked lite servers through. */
  readonly bound: Bound[];
  /** Set by a handler whose answer can never change: the same question will always have it. */
  lasting: boolean;
}
