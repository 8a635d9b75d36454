import {
  type Address,
  beginCell,
  type Cell,
  internal,
  type MessageRelaxed,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import { type ContractState, contractState } from '../../../src/localnet/contracts/contract-state.ts';
import { type Answer, answeringCode } from '../../support/answering-contract.ts';

/** SETCP0, DUP, EQINT 0, IFJMPREF. */
const HEAD = 'ff0020c000e302';
/**
 * DROP; without a reference nothing more. LDU 8, LDREF, DROP, SWAP, EQINT 2; then SENDRAWMSG of the reference with 160,
 * or SETCODE.
 */
const RECEIVE = '3020d74ac000dcd307d43001c002958100a0fb0092fb04e2';
const SET_CODE = 1;
const DESTROY = 2;

/** Code that takes every message, and changes itself when it is told to; its get-methods answer always the same. */
function changingCode(methods: Readonly<Record<string, Answer>>): Cell {
  return beginCell()
    .storeBuffer(Buffer.from(HEAD, 'hex'))
    .storeRef(beginCell().storeBuffer(Buffer.from(RECEIVE, 'hex')).endCell())
    .storeSlice(answeringCode({ nothing: [], ...methods }).asSlice())
    .endCell();
}

/** A contract of such code; the number makes it unlike others, and so much data makes its storage dear. */
export function changingContract(
  number: number,
  methods: Readonly<Record<string, Answer>> = {},
  dataCells = 0,
): ContractState {
  let data = beginCell().storeUint(number, 32);
  for (let i = 0; i < dataCells; i++) data = beginCell().storeUint(i, 1000).storeRef(data);
  return contractState(changingCode(methods), data.endCell());
}

/** Tells a contract to have other get-methods. */
export function changeCode(to: Address, methods: Readonly<Record<string, Answer>>): MessageRelaxed {
  const body = beginCell().storeUint(SET_CODE, 8).storeRef(changingCode(methods)).endCell();
  return internal({ to, value: toNano('1'), bounce: false, body });
}

/** Tells a contract to give all it has to somebody and cease to exist. */
export function destroyContract(to: Address, heir: Address): MessageRelaxed {
  const last = beginCell().store(storeMessageRelaxed(internal({ to: heir, value: 0n, bounce: false })));
  const body = beginCell().storeUint(DESTROY, 8).storeRef(last.endCell()).endCell();
  return internal({ to, value: toNano('1'), bounce: false, body });
}
