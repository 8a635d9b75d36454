import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { SignatureSet } from '../tl/signature-sets.ts';
import { readSignaturePairs } from './signature-pairs.ts';

/** The signatures under a block as a cell holds them (BlockSignatures). */
export interface BlockSignatures {
  readonly set: SignatureSet;
  /** The weight of those who signed, as the cell says it. */
  readonly weight: bigint;
}

const ORDINARY_TAG = 0x11;
const SIMPLEX_TAG = 0x12;
const MAX_STRING_CELLS = 16;

/** Reads a BlockSignatures cell in either of its forms. */
export function readBlockSignatures(cells: Cells, cell: number): BlockSignatures {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(8);
  if (tag !== ORDINARY_TAG && tag !== SIMPLEX_TAG) throw new CellFault('block signatures of an unknown form');
  const validatorSetHash = slice.uint(32);
  const catchainSeqno = slice.uint(32);
  const count = slice.uint(32);
  const weight = slice.uint64();
  const signatures = readSignaturePairs(cells, slice.maybeRef());
  if (signatures.length !== count) throw new CellFault('block signatures with a wrong count');
  const common = { validatorSetHash, catchainSeqno, signatures };
  if (tag === ORDINARY_TAG) return { set: { kind: 'ordinary', ...common }, weight };
  const sessionId = slice.hash();
  const slot = slice.uint(32);
  const candidate = readString(cells, slice.ref());
  return { set: { kind: 'simplex', ...common, sessionId, slot, candidate }, weight };
}

/** Bytes that a chain of cells holds. */
function readString(cells: Cells, first: number): Buffer {
  const parts: Buffer[] = [];
  for (let cell = first; cell >= 0; ) {
    if (parts.length === MAX_STRING_CELLS) throw new CellFault('a string of too many cells');
    const slice = new Slice(cells, cell);
    if (slice.bitsLeft & 7) throw new CellFault('a string that is not whole bytes');
    parts.push(slice.bytes(slice.bitsLeft >> 3));
    cell = slice.refsLeft > 0 ? slice.ref() : -1;
  }
  return Buffer.concat(parts);
}
