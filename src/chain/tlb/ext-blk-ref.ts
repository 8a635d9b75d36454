import type { Slice } from '../boc/slice.ts';

/** A block of a chain that is known from the context. */
export interface ExtBlkRef {
  readonly endLt: bigint;
  readonly seqno: number;
  readonly rootHash: Buffer;
  readonly fileHash: Buffer;
}

/** Reads an ExtBlkRef. */
export function readExtBlkRef(slice: Slice): ExtBlkRef {
  return { endLt: slice.uint64(), seqno: slice.uint(32), rootHash: slice.hash(), fileHash: slice.hash() };
}
