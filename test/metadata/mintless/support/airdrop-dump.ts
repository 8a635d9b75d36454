import { type Address, beginCell, type Cell, Dictionary, type DictionaryValue } from '@ton/core';

/** An entry of a dictionary of airdrops. */
export interface DumpEntry {
  readonly owner: Address;
  readonly amount: bigint;
  readonly startFrom: number;
  readonly expireAt: number;
}

const TIME_BITS = 48;

const AIRDROP: DictionaryValue<DumpEntry> = {
  serialize: ({ amount, startFrom, expireAt }, builder) =>
    builder.storeCoins(amount).storeUint(startFrom, TIME_BITS).storeUint(expireAt, TIME_BITS),
  parse: () => {
    throw new Error('never read');
  },
};

/** A dictionary of airdrops (TEP-177); its root is what a jetton has the hash of. */
export function airdropCell(entries: readonly DumpEntry[]): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Address(), AIRDROP);
  for (const entry of entries) dictionary.set(entry.owner, entry);
  return beginCell().storeDictDirect(dictionary).endCell();
}

/** A dictionary whose subtrees are the same cells: every level doubles its entries. */
export function sharedForks(levels: number): Cell {
  const left = 267 - 3 - levels;
  // Labels: the rest of the key, nothing, and the first bits of an address.
  let cell = beginCell()
    .storeUint(0b10, 2)
    .storeUint(left, 32 - Math.clz32(left))
    .storeUint(0, left)
    .storeCoins(0)
    .storeUint(0, 2 * TIME_BITS)
    .endCell();
  for (let i = 1; i < levels; i++) cell = beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell).endCell();
  return beginCell().storeUint(0b0_1110_100, 8).storeRef(cell).storeRef(cell).endCell();
}

/** Bytes of a dump. */
export function dumpOf(cell: Cell): Buffer {
  return cell.toBoc();
}

/** The number that a jetton returns for the hash of a dictionary. */
export function hashNumber(cell: Cell): bigint {
  return BigInt(`0x${cell.hash().toString('hex')}`);
}
