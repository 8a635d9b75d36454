import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { lookUp, walkDictionary } from './dictionary.ts';

/** Parameter 44: addresses that may not be deployed for a time. */
export interface SuspendedAddresses {
  /** The root of the dictionary by workchain and account id, or -1. */
  readonly root: number;
  /** Unix time of the end. */
  readonly until: number;
}

const ADDRESS_BITS = 32 + 256;

/** Reads parameter 44. */
export function readSuspendedAddresses(cells: Cells, cell: number): SuspendedAddresses {
  const slice = new Slice(cells, cell);
  if (slice.uint(8) !== 0) throw new CellFault('a list of suspended addresses of an unknown form');
  return { root: slice.maybeRef(), until: slice.uint(32) };
}

/** Whether an address is on the list, whatever the time. */
export function isSuspended(
  cells: Cells,
  suspended: SuspendedAddresses,
  workchain: number,
  id: Buffer,
): boolean {
  if (suspended.root < 0) return false;
  const key = Buffer.allocUnsafe(4 + 32);
  key.writeInt32BE(workchain);
  id.copy(key, 4);
  return lookUp(cells, suspended.root, ADDRESS_BITS, key) !== undefined;
}

/** The addresses of the list. */
export function listSuspended(
  cells: Cells,
  suspended: SuspendedAddresses,
): { readonly workchain: number; readonly id: Buffer }[] {
  const addresses: { workchain: number; id: Buffer }[] = [];
  if (suspended.root >= 0)
    walkDictionary(cells, suspended.root, ADDRESS_BITS, (key) => {
      addresses.push({ workchain: key.readInt32BE(), id: Buffer.from(key.subarray(4)) });
    });
  return addresses;
}
