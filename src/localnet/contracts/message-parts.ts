import { type Builder, beginCell, type Cell, type MessageRelaxed, storeMessageRelaxed } from '@ton/core';

/** What a transfer of a token carries to the one who receives it. */
export interface Forwarded {
  /** Nanotons for the receiver; a receiver that gets none is not told of the transfer. */
  readonly forwardTon?: bigint;
  readonly forwardPayload?: Cell;
  /** Puts the payload into the message itself; it has to fit. */
  readonly payloadInline?: boolean;
}

/** Begins a body: the number of the operation and that of the query. */
export function beginBody(op: number, queryId: bigint | number = 0): Builder {
  return beginCell().storeUint(op, 32).storeUint(queryId, 64);
}

/** Stores the value and the payload for the receiver of a token, `Either Cell ^Cell`. */
export function storeForwarded({ forwardTon = 0n, forwardPayload, payloadInline }: Forwarded) {
  return (builder: Builder): void => {
    builder.storeCoins(forwardTon);
    if (forwardPayload === undefined) builder.storeBit(0);
    else if (payloadInline) builder.storeBit(0).storeSlice(forwardPayload.asSlice());
    else builder.storeBit(1).storeRef(forwardPayload);
  };
}

/** A body or payload that is a text for people. */
export function textComment(text: string): Cell {
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell();
}

/** The cell of a message, for contracts that send messages which they are given. */
export function messageCell(message: MessageRelaxed): Cell {
  return beginCell().store(storeMessageRelaxed(message)).endCell();
}
