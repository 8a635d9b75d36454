import type { BlockId } from '../chain/block-id.ts';
import type { Cells } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/write-boc.ts';
import { readMcStateExtra, readMcStateInfo } from '../chain/tlb/mc-state-extra.ts';
import { readShardState } from '../chain/tlb/shard-state.ts';
import { readShardStateTotals } from '../chain/tlb/shard-state-totals.ts';
import { prevBlocksOf, writePrevBlocks } from '../vm/prev-blocks.ts';
import { type SharedBoc, shareBoc } from '../vm/shared-boc.ts';
import { prepareConfig, type VmConfig } from '../vm/vm-config.ts';
import type { CellTree } from './store/chain-store.ts';

/** What a run of the virtual machine takes from a masterchain state. */
export interface RunSurroundings {
  readonly config: VmConfig;
  readonly libraries: SharedBoc | undefined;
  readonly prevBlocks: SharedBoc;
}

/** Reads surroundings; what is costly to prepare and hardly ever changes is kept from the time before. */
export class SurroundingsReader {
  #config: { readonly hash: Buffer; readonly value: VmConfig } | undefined;
  #libraries: { readonly hash: Buffer; readonly value: SharedBoc } | undefined;

  /** The surroundings at a masterchain block; `tree` is the state after it. */
  read(id: BlockId, { cells, root }: CellTree): RunSurroundings {
    const state = readShardState(cells, root);
    const extra = readMcStateExtra(cells, state.custom);
    const config = this.#prepareConfig(cells, extra.config);
    const { libraries } = readShardStateTotals(cells, state.totals);
    const prevBlocks = prevBlocksOf(cells, readMcStateInfo(cells, extra.info), id, config.globalVersion);
    return {
      config,
      libraries: libraries < 0 ? undefined : this.#shareLibraries(cells, libraries),
      prevBlocks: writePrevBlocks(prevBlocks),
    };
  }

  #prepareConfig(cells: Cells, root: number): VmConfig {
    const hash = cells.hash(root);
    if (!this.#config?.hash.equals(hash))
      this.#config = { hash: Buffer.from(hash), value: prepareConfig(bocOf(cells, root)) };
    return this.#config.value;
  }

  #shareLibraries(cells: Cells, root: number): SharedBoc {
    const hash = cells.hash(root);
    if (!this.#libraries?.hash.equals(hash))
      this.#libraries = { hash: Buffer.from(hash), value: shareBoc(bocOf(cells, root)) };
    return this.#libraries.value;
  }
}

/** A cell with all below it as a bag of cells. */
export function bocOf(cells: Cells, root: number): Buffer {
  return writeBoc({ cells, roots: [root] }, { order: 'core', crc: false });
}
