import type { EventKind } from '../../db/event-tables.ts';

/** A request to move or burn a token that a transaction got, read from the body; whether the account is a token is not known here. */
export interface EventFacts {
  readonly kind: EventKind;
  /** 33 bytes: the account of the transaction. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly mcSeqno: number;
  readonly now: number;
  readonly aborted: boolean;
  readonly queryId: bigint;
  /** Undefined for NFTs. */
  readonly amount: bigint | undefined;
  /** Who sent the message: 33 bytes, as those below. */
  readonly source: Buffer;
  /** The new owner; undefined for no address, and for burns. */
  readonly destination: Buffer | undefined;
  readonly responseDestination: Buffer | undefined;
  /** Bags of cells in tonlib's order with a checksum. */
  readonly customPayload: Buffer | undefined;
  /** Undefined for burns. */
  readonly forwardAmount: bigint | undefined;
  /** Only where it is in a cell of its own. */
  readonly forwardPayload: Buffer | undefined;
}
