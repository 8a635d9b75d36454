import { hash as hashOnce } from 'node:crypto';
import {
  type Address,
  type Builder,
  beginCell,
  Cell,
  contractAddress,
  Dictionary,
  external,
  type MessageRelaxed,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import compiled from './tolk/compiled.json' with { type: 'json' };

/** A contract before deployment: its address and state init. */
export interface ContractState {
  readonly address: Address;
  readonly init: { readonly code: Cell; readonly data: Cell };
}

/** Contract of code and initial data; in the basechain by default. */
export function contractState(code: Cell, data: Cell, workchain = 0): ContractState {
  const init = { code, data };
  return { address: contractAddress(workchain, init), init };
}

const LIBRARY_CELL = 2;

/** Library cell to be used in place of code that is published in the masterchain. */
export function libraryReference(code: Cell): Cell {
  return beginCell().storeUint(LIBRARY_CELL, 8).storeBuffer(code.hash()).endCell({ exotic: true });
}

/** Code cell of a contract in `tolk/`, compiled by test/localnet/support/compile-contracts.ts. */
export function compiledCode(name: keyof typeof compiled): Cell {
  return Cell.fromBase64(compiled[name].boc);
}

/** A transfer of a token, and what goes with it to the receiver. */
export interface TransferOptions {
  readonly queryId?: bigint;
  readonly to: Address;
  readonly responseTo?: Address;
  readonly customPayload?: Cell;
  /** Nanotons for the receiver; with 0 the receiver is not notified. */
  readonly forwardTon?: bigint;
  readonly forwardPayload?: Cell;
  /** Stores the payload in the message itself; it has to fit. */
  readonly payloadInline?: boolean;
}

/** Starts a body with opcode and query id. */
export function beginBody(op: number, queryId: bigint | number = 0): Builder {
  return beginCell().storeUint(op, 32).storeUint(queryId, 64);
}

/** Stores the value and the payload for the receiver of a token, `Either Cell ^Cell`. */
export function storeForward({ forwardTon = 0n, forwardPayload, payloadInline }: TransferOptions) {
  return (builder: Builder): void => {
    builder.storeCoins(forwardTon);
    if (forwardPayload === undefined) builder.storeBit(0);
    else if (payloadInline) builder.storeBit(0).storeSlice(forwardPayload.asSlice());
    else builder.storeBit(1).storeRef(forwardPayload);
  };
}

/** Text comment as a body or payload. */
export function textComment(text: string): Cell {
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell();
}

/** Message cell, for contracts that forward messages. */
export function messageCell(message: MessageRelaxed): Cell {
  return beginCell().store(storeMessageRelaxed(message)).endCell();
}

/** Cell of an external message, with the state init of a contract that is not deployed yet. */
export function externalMessage(
  { address, init }: { address: Address; init?: ContractState['init'] | undefined },
  body: Cell,
): Cell {
  return beginCell()
    .store(storeMessage(external({ to: address, init, body })))
    .endCell();
}

/** On-chain token content (TEP-64): strings by attribute. */
export function onChainContent(attributes: Readonly<Record<string, string>>): Cell {
  const values = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(attributes)) {
    const value = beginCell().storeUint(0, 8).storeStringTail(text).endCell();
    values.set(hashOnce('sha256', name, 'buffer'), value);
  }
  return beginCell().storeUint(0, 8).storeDict(values).endCell();
}
