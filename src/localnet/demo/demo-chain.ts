import type { Account, Address, Cell } from '@ton/core';

/** What the demo needs of a chain. */
export interface DemoChain {
  /** The root hash of the masterchain's zero state in hex. */
  readonly id: string;
  /** Unix seconds at which the chain began: the same whenever it is opened. */
  readonly beginning: number;
  /** Unix seconds. */
  now(): number;
  /** An account as the newest block has it. */
  account(address: Address): Account | undefined;
  /**
   * Puts messages from outside into blocks and makes blocks until everything that follows from them, and whatever was
   * under way before, is delivered. Throws if one of them did not get into a block.
   */
  deliver(messages: readonly Cell[]): Promise<void>;
}

/** The data of a contract; undefined where none is. */
export function dataOf(chain: DemoChain, address: Address): Cell | undefined {
  const state = chain.account(address)?.storage.state;
  return state?.type === 'active' ? (state.state.data ?? undefined) : undefined;
}
