import type { McStateInfo } from '../../../chain/tlb/mc-state-extra.ts';
import { lookUpOldMcBlock } from '../../../chain/tlb/old-mc-blocks.ts';
import type { ProvenTree } from './proven-tree.ts';

const COUNT = 16;
const STRIDE = 100;

/** Shows the earlier masterchain blocks that a get-method can see: the last ones, and every hundredth. */
export function showPreviousBlocks(tree: ProvenTree, { prevBlocks }: McStateInfo, seqno: number): void {
  const show = (old: number): unknown => lookUpOldMcBlock(tree.cells, prevBlocks.root, old);
  // Clients look there for the zero state in any case.
  show(0);
  for (let i = 1; i < COUNT && i <= seqno; i++) show(seqno - i);
  const last = Math.floor(seqno / STRIDE) * STRIDE;
  for (let i = 0, old = last; i < COUNT && old >= 0; i++, old -= STRIDE) if (old < seqno) show(old);
}
