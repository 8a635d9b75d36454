import { hash as hashOnce } from 'node:crypto';
import {
  type Address,
  type Builder,
  beginCell,
  Cell,
  contractAddress,
  Dictionary,
  type MessageRelaxed,
  storeMessageRelaxed,
} from '@ton/core';

/** A contract before it is deployed: where it will be, and what it begins with. */
export interface ContractState {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
}

/** The contract that code and first data make; in the basechain unless said otherwise. */
export function contractState(code: Cell, data: Cell, workchain = 0): ContractState {
  const init = { code, data };
  return { address: contractAddress(workchain, init), init };
}

const LIBRARY_CELL = 2;

/** A cell that stands for code in a library of the masterchain, to be used in place of that code. */
export function libraryReference(code: Cell): Cell {
  return beginCell().storeUint(LIBRARY_CELL, 8).storeBuffer(code.hash()).endCell({ exotic: true });
}

/** A contract as its compiler gave it; both fields are in base64. */
export interface CompiledCode {
  /** The hash by which readers of a chain know the code. */
  readonly hash: string;
  readonly boc: string;
}

/** The cell of a compiled contract. */
export function codeCell({ boc }: CompiledCode): Cell {
  return Cell.fromBase64(boc);
}

/** What a transfer of a token carries to the one who receives it. */
export interface ForwardOptions {
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
export function storeForward({ forwardTon = 0n, forwardPayload, payloadInline }: ForwardOptions) {
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

/** Content of a token that lies elsewhere (TEP-64). */
export function offChainContent(uri: string): Cell {
  return beginCell().storeUint(1, 8).storeStringTail(uri).endCell();
}

/** Content of a token that is on the chain (TEP-64): texts by the names of their attributes. */
export function onChainContent(attributes: Readonly<Record<string, string>>): Cell {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(attributes))
    values.set(
      hashOnce('sha256', name, 'buffer'),
      beginCell().storeUint(0, 8).storeStringTail(text).endCell(),
    );
  return beginCell().storeUint(0, 8).storeDict(values).endCell();
}
