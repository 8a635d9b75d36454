import type { TokenInfoRow } from '../../db/queries/token-infos.ts';
import type { TraceEmulator } from '../../pending/emulate/create-trace-emulator.ts';
import type { EmulationBudget } from '../../pending/emulation-budget.ts';
import type { EmulationGround } from '../../pending/emulation-ground.ts';
import type { Classify } from '../../pending/life/pending-ports.ts';
import type { V3Call } from '../call.ts';

/** The state in which an emulation leaves an account: a ShardAccount as a bag of cells. */
export interface LeftState {
  /** 33 bytes. */
  readonly account: Buffer;
  readonly boc: Uint8Array;
}

/** All that says what a message would do. */
export interface EmulationPort {
  readonly ground: EmulationGround;
  readonly emulator: Pick<TraceEmulator, 'emulate'>;
  readonly classify: Classify;
  /** What accounts are in the world of tokens, by their ShardAccounts at a time in unix seconds. Never throws. */
  readonly tokens: (
    states: readonly LeftState[],
    utime: number,
    signal: AbortSignal,
  ) => Promise<readonly TokenInfoRow[]>;
  readonly budget: EmulationBudget;
}

/** One call of an operation that emulates. */
export interface EmulateCall extends V3Call {
  readonly emulation: EmulationPort;
  /** When the answer has to be there, on the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Aborted at that time, and when the client has gone. */
  readonly signal: AbortSignal;
  /** Milliseconds that the virtual machine may work for the caller. */
  readonly mostMs: number;
  /** Has the caller pay for time of a processor. */
  readonly charge: (ms: number) => void;
}
