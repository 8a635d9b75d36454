import { type Address, beginCell, type Cell } from '@ton/core';
import { beginBody, type ContractState, compiledCode, contractState } from './contract.ts';

export function probeCode(): Cell {
  return compiledCode('probe');
}

/** A contract that fails or does unusual things on request; its code may be a library cell. */
export function probe(options: {
  readonly owner: Address;
  /** Distinguishes probes of one owner. */
  readonly id?: number;
  readonly workchain?: number;
  readonly code?: Cell;
}): ContractState {
  const { owner, id = 0, workchain, code = probeCode() } = options;
  const data = beginCell()
    .storeAddress(owner)
    .storeUint(id, 32)
    .storeUint(0, 32 + 32)
    .endCell();
  return contractState(code, data, workchain);
}

/** Makes a probe end its compute phase with an exit code. */
export function probeThrow(exitCode: number, queryId?: bigint): Cell {
  return beginBody(0x70720001, queryId).storeUint(exitCode, 16).endCell();
}

/** Makes a probe run out of gas. */
export function probeBurnGas(queryId?: bigint): Cell {
  return beginBody(0x70720002, queryId).endCell();
}

/** Makes a probe fail in its action phase. */
export function probeOverspend(queryId?: bigint): Cell {
  return beginBody(0x70720003, queryId).endCell();
}

/** Makes a probe send an external out message. */
export function probeEmit(topic: number, event: Cell, queryId?: bigint): Cell {
  return beginBody(0x70720004, queryId).storeUint(topic, 32).storeRef(event).endCell();
}

/** Makes a probe send the value back. */
export function probeEcho(queryId?: bigint): Cell {
  return beginBody(0x70720005, queryId).endCell();
}

/** Makes a probe publish or remove a library. Only libraries published in the masterchain are public. */
export function probeSetLibrary(mode: 'public' | 'private' | 'forget', library: Cell): Cell {
  const modes = { forget: 0, private: 1, public: 2 } as const;
  return beginBody(0x70720007).storeUint(modes[mode], 8).storeRef(library).endCell();
}
