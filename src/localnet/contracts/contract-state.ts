import { type Address, beginCell, type Cell, contractAddress } from '@ton/core';

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
