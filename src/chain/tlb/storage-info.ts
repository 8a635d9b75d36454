import { CellFault } from '../boc/cell-fault.ts';
import type { Slice } from '../boc/slice.ts';

/** What an account's storage is paid for. */
export interface StorageInfo {
  readonly usedCells: number;
  readonly usedBits: number;
  /** Cells in public libraries; only states written before storage_extra came into being say it. */
  readonly publicCells: number | undefined;
  /** The hash of the dictionary of the account's cells (storage_extra), which large accounts have. */
  readonly dictHash: Buffer | undefined;
  /** Unix time up to which storage is paid. */
  readonly lastPaid: number;
  /** What the account owes for storage, in nanotons. */
  readonly duePayment: bigint | undefined;
}

/**
 * Where the older form has the number of public cells (a VarUInteger 7), today's has storage_extra: three bits, and a
 * hash after 001. They mean the same for 000; for 001 nothing but the rest of the account tells them apart.
 */
export type StorageInfoForm = 'extra' | 'publicCells';

const LENGTH_BITS = 3;
const MAX_SIZE_BYTES = 6;
const NO_EXTRA = 0;
const EXTRA_HASH = 1;

/** Reads a StorageInfo in one of its forms. */
export function readStorageInfo(slice: Slice, form: StorageInfoForm): StorageInfo {
  const usedCells = readSize(slice);
  const usedBits = readSize(slice);
  let publicCells: number | undefined;
  let dictHash: Buffer | undefined;
  if (form === 'publicCells') publicCells = readSize(slice);
  else {
    const tag = slice.uint(LENGTH_BITS);
    if (tag === EXTRA_HASH) dictHash = slice.hash();
    else if (tag !== NO_EXTRA) throw new CellFault('storage information of an unknown form');
  }
  const lastPaid = slice.uint(32);
  const duePayment = slice.boolean() ? slice.coins() : undefined;
  return { usedCells, usedBits, publicCells, dictHash, lastPaid, duePayment };
}

/** A VarUInteger 7: at most 6 bytes, so a number holds it. */
function readSize(slice: Slice): number {
  const bytes = slice.uint(LENGTH_BITS);
  if (bytes > MAX_SIZE_BYTES) throw new CellFault('a storage size of too many bytes');
  return Number(slice.bigUint(8 * bytes));
}
