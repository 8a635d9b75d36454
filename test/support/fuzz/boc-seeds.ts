import { beginCell, Cell, convertToMerkleProof, Dictionary } from '@ton/core';
import { MAGIC_INDEXED, MAGIC_INDEXED_CRC, rawBoc } from '../../chain/boc/raw-boc.ts';

/** Small bags of every form, to be damaged: all header variants, all kinds of cells, dictionaries, shared parts. */
export function bocSeeds(): Buffer[] {
  const cells = {
    leaf: leaf(),
    tree: tree(),
    dictionary: dictionary(),
    proof: proof(),
    update: update(),
    nested: nested(),
  };
  const { tree: branching, dictionary: large } = cells;
  const hand = [{ refs: [1, 2] }, { size: 1, data: 'b4', refs: [2] }, { data: 'abcd' }];
  const stored = '55'.repeat(34);
  return [
    ...Object.values(cells).map((cell) => cell.toBoc({ idx: false, crc32: false })),
    branching.toBoc({ idx: true, crc32: false }),
    branching.toBoc({ idx: true, crc32: true }),
    large.toBoc({ idx: false, crc32: true }),
    rawBoc({ cells: hand, magic: MAGIC_INDEXED }),
    rawBoc({ cells: hand, magic: MAGIC_INDEXED_CRC }),
    rawBoc({ cells: hand, flags: 0xe0, refSize: 2 }),
    rawBoc({ cells: hand, roots: [2, 0, 1], refSize: 4, offsetSize: 8 }),
    rawBoc({ cells: [{ ...hand[0], head: 0x12, stored }, hand[1]!, { ...hand[2], head: 0x10, stored }] }),
    rawBoc({ cells: Array.from({ length: 40 }, (_, i) => ({ refs: i < 39 ? [i + 1, i + 1] : [] })) }),
    rawBoc({ cells: [{ head: 8, data: `02${'11'.repeat(32)}` }] }),
  ];
}

function leaf(): Cell {
  return beginCell().storeUint(5, 32).endCell();
}

function tree(): Cell {
  const shared = beginCell().storeUint(0x1234567, 25).storeRef(leaf()).endCell();
  const middle = beginCell().storeBuffer(Buffer.alloc(20, 7)).storeRef(shared).storeRef(leaf()).endCell();
  return beginCell()
    .storeBit(true)
    .storeRef(middle)
    .storeRef(shared)
    .storeRef(Cell.EMPTY)
    .storeRef(middle)
    .endCell();
}

function dictionary(): Cell {
  const entries = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(8));
  for (let i = 0; i < 9; i++) entries.set((i * 7919) & 0xffff, i);
  return beginCell().storeDictDirect(entries).endCell();
}

/** A pruned branch of level 1 to 3 (mask 1, 3 or 7). */
function pruned(level: number): Cell {
  const builder = beginCell()
    .storeUint(1, 8)
    .storeUint((1 << level) - 1, 8);
  for (let i = 0; i < level; i++) builder.storeBuffer(Buffer.alloc(32, 0x30 + i));
  for (let i = 0; i < level; i++) builder.storeUint(3 + i, 16);
  return builder.endCell({ exotic: true });
}

function proof(): Cell {
  return convertToMerkleProof(beginCell().storeUint(1, 7).storeRef(pruned(1)).storeRef(leaf()).endCell());
}

function update(): Cell {
  const before = beginCell().storeRef(pruned(1)).endCell();
  const after = beginCell().storeRef(leaf()).storeRef(pruned(1)).endCell();
  return beginCell()
    .storeUint(4, 8)
    .storeBuffer(before.hash(0))
    .storeBuffer(after.hash(0))
    .storeUint(before.depth(0), 16)
    .storeUint(after.depth(0), 16)
    .storeRef(before)
    .storeRef(after)
    .endCell({ exotic: true });
}

/** Merkle proofs inside a Merkle proof, down to a branch pruned for all of them. */
function nested(): Cell {
  const inner = convertToMerkleProof(beginCell().storeRef(pruned(3)).storeRef(pruned(2)).endCell());
  return convertToMerkleProof(beginCell().storeRef(inner).storeRef(pruned(2)).endCell());
}
