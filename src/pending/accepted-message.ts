import type { EmulationPayer } from './emulation-budget.ts';

/** An external message that at least one lite server has taken. */
export interface AcceptedMessage {
  /** The bag of cells as it was sent. */
  readonly boc: Buffer;
  /** Hash of the message as it was sent. */
  readonly hash: Buffer;
  /** Hash of the message in its normal form, by which it can be found in a block. */
  readonly normalizedHash: Buffer;
}

/** Told of every message that was sent; what it does with it is its own affair, so it must not throw. */
export interface MessageListener {
  accepted(message: AcceptedMessage, payer?: EmulationPayer | undefined): void;
}
