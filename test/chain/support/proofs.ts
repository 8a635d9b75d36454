import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { CellList } from '../../../src/chain/boc/cell-list.ts';
import { type Cells, EXOTIC_BIT, LEVEL_SHIFT, MERKLE_UPDATE } from '../../../src/chain/boc/cells.ts';
import { makeMerkleProofs, type ProofRequest } from '../../../src/chain/boc/merkle.ts';
import { writeCells } from '../../../src/chain/boc/writer.ts';

/** Writes one bag with a Merkle proof as its root; see `makeMerkleProofs`. */
export function makeMerkleProof(cells: Cells, root: number, shows: ProofRequest['shows']): Buffer {
  return makeMerkleProofs([{ cells, cell: root, shows }]);
}

/** A tree below a root, and which of its cells an update shows. */
export interface Side {
  readonly cells: Cells;
  readonly root: number;
  readonly shows: (cell: number) => boolean;
}

/** What a proof shows of a tree: the bag, and in it the cell that stands for the root. */
export function makePart({ cells, root, shows }: Side): { bag: CellBag; root: number } {
  const bag = readBoc(makeMerkleProof(cells, root, shows));
  return { bag, root: bag.ref(bag.root, 0) };
}

/** A bag with a Merkle update as its root, whose hash names are those of the trees unless others are given. */
export function makeUpdate(before: Side, after: Side, names: { old?: Buffer; new?: Buffer } = {}): CellBag {
  const list = new CellList();
  const sides = [makePart(before), makePart(after)];
  const children = sides.map(({ bag, root }) => copy(list, bag, root));
  const data = Buffer.alloc(1 + 64 + 4);
  data[0] = MERKLE_UPDATE;
  [names.old, names.new].forEach((name, i) => {
    const { bag, root } = sides[i]!;
    (name ?? bag.hash(root, 0)).copy(data, 1 + i * 32);
    data.writeUInt16BE(bag.depth(root, 0), 65 + i * 2);
  });
  const below = (list.heads[children[0]!]! | list.heads[children[1]!]!) >> LEVEL_SHIFT;
  const head = 2 | EXOTIC_BIT | ((below >> 1) << LEVEL_SHIFT);
  const update = list.add(head, data.length * 8, data, 0, children);
  return readBoc(writeCells(list, [update], { order: 'core', crc: false }));
}

function copy(list: CellList, cells: Cells, cell: number): number {
  const children: number[] = [];
  for (let i = 0; i < cells.refCount(cell); i++) children.push(copy(list, cells, cells.ref(cell, i)));
  return list.add(cells.heads[cell]!, cells.bits[cell]!, cells.bytes, cells.starts[cell]!, children);
}
