import type { CellBuilder } from '../boc/cell-builder.ts';
import type { StateInit } from '../tlb/state-init.ts';

/** Writes a StateInit. */
export function writeStateInit(builder: CellBuilder, init: StateInit): void {
  const { fixedPrefixLength, special } = init;
  builder.boolean(fixedPrefixLength !== undefined);
  if (fixedPrefixLength !== undefined) builder.uint(fixedPrefixLength, 5);
  builder.boolean(special !== undefined);
  if (special !== undefined) builder.boolean(special.tick).boolean(special.tock);
  builder.maybeRef(init.code).maybeRef(init.data).maybeRef(init.library);
}
