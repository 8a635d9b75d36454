import { type Address, beginCell, type Cell } from '@ton/core';
import { beginBody, compiledCode } from '../../../src/localnet/contracts/contract.ts';

/** The code of a soulbound item (TEP-85). */
export function sbtItemCode(): Cell {
  return compiledCode('sbt-item');
}

/** The initial message of an item: owner, content and authority. */
export function newSbt(owner: Address, content: Cell, authority: Address | null): Cell {
  return beginCell().storeAddress(owner).storeRef(content).storeAddress(authority).endCell();
}

interface Question {
  readonly queryId?: bigint;
  readonly destination: Address;
  readonly payload: Cell;
  readonly withContent: boolean;
}

/** Asks an item to prove to a contract that the sender is its owner. */
export function proveOwnership(question: Question): Cell {
  return ask(0x04ded148, question);
}

/** Asks an item to tell a contract who its owner is. */
export function requestOwner(question: Question): Cell {
  return ask(0xd0c3bfea, question);
}

/** Destroys an item. */
export function destroySbt(queryId?: bigint): Cell {
  return beginBody(0x1f04537a, queryId).endCell();
}

/** Revokes an item. */
export function revokeSbt(queryId?: bigint): Cell {
  return beginBody(0x6f89f5e3, queryId).endCell();
}

function ask(op: number, { queryId, destination, payload, withContent }: Question): Cell {
  return beginBody(op, queryId).storeAddress(destination).storeRef(payload).storeBit(withContent).endCell();
}
