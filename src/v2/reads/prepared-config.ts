import { readBoc } from '../../chain/boc/read-boc.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { SharedBoc } from '../../vm/shared-boc.ts';
import { prepareConfig, type VmConfig } from '../../vm/vm-config.ts';

/** A configuration; `cell` is the root of its parameters, for `configParam`. */
export interface PreparedConfig extends FoundCell {
  /** The same for runs of TVM. */
  readonly vm: VmConfig;
}

/** The configuration at a reference block. */
export interface LatestConfig extends PreparedConfig {
  /** The masterchain blocks that a run may ask for. */
  readonly prevBlocks: SharedBoc;
  /** When the block was made, in unix seconds, and the logical time at which it ends. */
  readonly genUtime: number;
  readonly genLt: bigint;
}

/** Makes a configuration ready for readers and runs, with nothing left of the proof around it. Takes milliseconds. */
export function prepareFound({ cells, cell }: FoundCell): PreparedConfig {
  const boc = writeBoc({ cells, roots: [cell] }, { order: 'core', crc: false });
  const bag = readBoc(boc);
  return { cells: bag, cell: bag.root, vm: prepareConfig(boc) };
}
