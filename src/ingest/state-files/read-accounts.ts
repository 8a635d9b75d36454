import { CellError } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { bitOf, firstDifference, readLabel, setKeyBit } from '../../chain/tlb/dictionary.ts';
import { readShardAccount, skipDepthBalanceInfo } from '../../chain/tlb/shard-accounts.ts';
import type { FileCells } from './file-cells.ts';

const ID_BITS = 256;

/** An account of a state file. Everything but the numbers is valid until the next account is read. */
export interface FileAccount {
  /** Without the workchain; reused for the next account. */
  readonly id: Buffer;
  readonly cells: FileCells;
  /** The cell of its Account. */
  readonly cell: number;
  readonly lastTransHash: Buffer;
  readonly lastTransLt: bigint;
}

/** What is left to do of a walk: a node of the dictionary, the bits of its key before its label, and the last of these. */
interface Step {
  readonly number: number;
  readonly depth: number;
  readonly bit: 0 | 1;
}

/**
 * Yields the accounts of a dictionary (HashmapAug of ShardAccounts) in ascending order of their ids, after the id `after` if one is
 * given. `root` is the number of its root in the bag, -1 for an empty one. `ids` limits the bits that all ids begin with.
 */
export function* readAccounts(
  cells: FileCells,
  root: number,
  { after, maxNodes }: { readonly after?: Buffer | undefined; readonly maxNodes: number },
): Generator<FileAccount, void> {
  const id = Buffer.alloc(ID_BITS / 8);
  const steps: Step[] = root < 0 ? [] : [{ number: root, depth: 0, bit: 0 }];
  let nodesLeft = maxNodes;
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { number, depth, bit } = step;
    const node = cells.open(number);
    // No two nodes of such a dictionary are equal: the cell of an account has its address.
    if (nodesLeft-- === 0) throw cells.fault(node, new CellError('dictionary shares too many cells'));
    if (depth > 0) setKeyBit(id, depth - 1, bit);
    try {
      const slice = new Slice(cells, node);
      const at = readLabel(slice, ID_BITS - depth, id, depth);
      const differs = after === undefined ? at : firstDifference(id, after, 0, at);
      if (after !== undefined && differs < at && bitOf(id, differs) < bitOf(after, differs)) continue;
      if (at < ID_BITS) {
        if (cells.refCount(node) < 2) throw new CellError('not enough references in the cell');
        steps.push({ number: cells.refNumber(node, 1), depth: at + 1, bit: 1 });
        steps.push({ number: cells.refNumber(node, 0), depth: at + 1, bit: 0 });
        continue;
      }
      if (after !== undefined && differs === ID_BITS) continue;
      skipDepthBalanceInfo(slice);
      const { account: cell, lastTransHash, lastTransLt } = readShardAccount(slice);
      yield { id, cells, cell, lastTransHash, lastTransLt };
    } catch (error) {
      throw error instanceof CellError ? cells.fault(node, error) : error;
    }
  }
}
