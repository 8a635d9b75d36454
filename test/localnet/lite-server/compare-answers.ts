import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { MERKLE_PROOF } from '../../../src/chain/boc/cell-kind.ts';
import { openMerkleProof } from '../../../src/chain/boc/merkle.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';

/**
 * Compares two decoded answers; gives the paths of what differs. Merkle proofs need not be the same bytes: ours must
 * be of the same cells and show all that the other shows.
 */
export function differences(got: unknown, want: unknown, path = ''): string[] {
  if (Buffer.isBuffer(got) && Buffer.isBuffer(want))
    return got.equals(want) || isAsGoodAProof(got, want) ? [] : [path];
  if (!isObject(got) || !isObject(want)) return Object.is(got, want) ? [] : [path];
  const keys = new Set([...Object.keys(got), ...Object.keys(want)]);
  return [...keys].flatMap((key) => differences(got[key], want[key], `${path}.${key}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value);
}

function isAsGoodAProof(got: Buffer, want: Buffer): boolean {
  const [ours, theirs] = [proofsIn(got), proofsIn(want)];
  if (ours === undefined || theirs === undefined || ours.roots.length !== theirs.roots.length) return false;
  return theirs.roots.every((root, i) => {
    const [our, their] = [openMerkleProof(ours, ours.roots[i]!), openMerkleProof(theirs, root)];
    if (!our.hash.equals(their.hash)) return false;
    const shown = shownCells(ours, our.root);
    return [...shownCells(theirs, their.root)].every((hash) => shown.has(hash));
  });
}

/** The bag if all its roots are Merkle proofs. */
function proofsIn(bytes: Buffer): CellBag | undefined {
  if (bytes.length === 0) return undefined;
  const bag = readBoc(bytes);
  return bag.roots.every((root) => bag.kind(root) === MERKLE_PROOF) ? bag : undefined;
}

/** The hashes, as without pruning, of the cells that a proof shows. */
function shownCells(bag: CellBag, root: number): Set<string> {
  const shown = new Set<string>();
  const visited = new Set<number>();
  const visit = (cell: number): void => {
    if (visited.has(cell) || bag.isPruned(cell)) return;
    visited.add(cell);
    shown.add(bag.hash(cell, 0).toString('hex'));
    for (let i = 0; i < bag.refCount(cell); i++) visit(bag.ref(cell, i));
  };
  visit(root);
  return shown;
}
