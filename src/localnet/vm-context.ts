import type { BlockId } from '../chain/block-id.ts';
import type { CellRef, Cells } from '../chain/boc/cells.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { readMcStateExtra, readMcStateInfo } from '../chain/tlb/masterchain-state.ts';
import { readShardState, readShardStateTotals } from '../chain/tlb/shard-state.ts';
import { prepareConfig, prevBlocksOf, shareBoc, writePrevBlocks } from '../vm/shared-inputs.ts';

/** The part of a masterchain state that runs of the virtual machine use. */
export type VmContext = Readonly<ReturnType<VmContextReader['read']>>;

/** Reads contexts; what is costly to prepare and hardly ever changes is cached. */
export class VmContextReader {
  readonly #config = createRootCache(prepareConfig);
  readonly #libraries = createRootCache(shareBoc);

  /** The context at a masterchain block; `tree` is the state after it. */
  read(id: BlockId, { cells, cell: root }: CellRef) {
    const state = readShardState(cells, root);
    const extra = readMcStateExtra(cells, state.custom);
    const config = this.#config(cells, extra.config);
    const { libraries } = readShardStateTotals(cells, state.totals);
    const prevBlocks = prevBlocksOf(cells, readMcStateInfo(cells, extra.info), id, config.globalVersion);
    return {
      config,
      libraries: libraries < 0 ? undefined : this.#libraries(cells, libraries),
      prevBlocks: writePrevBlocks(prevBlocks),
    };
  }
}

/** Prepares the cells below a root, unless it is the same as the time before. */
function createRootCache<T>(prepare: (boc: Buffer) => T): (cells: Cells, root: number) => T {
  let last: { readonly hash: Buffer; readonly value: T } | undefined;
  return (cells, root) => {
    const hash = cells.hash(root);
    if (!last?.hash.equals(hash))
      last = { hash: Buffer.from(hash), value: prepare(writeCellBoc(cells, root)) };
    return last.value;
  };
}
