import type { BlockId } from '../chain/block-id.ts';
import type { CellRef, Cells } from '../chain/boc/cells.ts';
import { writeCellBoc } from '../chain/boc/writer.ts';
import { readMcStateExtra, readMcStateInfo } from '../chain/tlb/masterchain-state.ts';
import { readShardState, readShardStateTotals } from '../chain/tlb/shard-state.ts';
import {
  prepareConfig,
  prevBlocksOf,
  type SharedBoc,
  shareBoc,
  type VmConfig,
  writePrevBlocks,
} from '../vm/shared-inputs.ts';

/** The part of a masterchain state that runs of the virtual machine use. */
export interface VmContext {
  readonly config: VmConfig;
  readonly libraries: SharedBoc | undefined;
  readonly prevBlocks: SharedBoc;
}

/** Reads surroundings; what is costly to prepare and hardly ever changes is kept from the time before. */
export class VmContextReader {
  #config: { readonly hash: Buffer; readonly value: VmConfig } | undefined;
  #libraries: { readonly hash: Buffer; readonly value: SharedBoc } | undefined;

  /** The surroundings at a masterchain block; `tree` is the state after it. */
  read(id: BlockId, { cells, cell: root }: CellRef): VmContext {
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
      this.#config = { hash: Buffer.from(hash), value: prepareConfig(writeCellBoc(cells, root)) };
    return this.#config.value;
  }

  #shareLibraries(cells: Cells, root: number): SharedBoc {
    const hash = cells.hash(root);
    if (!this.#libraries?.hash.equals(hash))
      this.#libraries = { hash: Buffer.from(hash), value: shareBoc(writeCellBoc(cells, root)) };
    return this.#libraries.value;
  }
}
