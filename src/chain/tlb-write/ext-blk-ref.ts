import type { CellBuilder } from '../boc/cell-builder.ts';
import type { ExtBlkRef } from '../tlb/ext-blk-ref.ts';

/** Writes an ExtBlkRef. */
export function writeExtBlkRef(builder: CellBuilder, { endLt, seqno, rootHash, fileHash }: ExtBlkRef): void {
  builder.uint64(endLt).uint(seqno, 32).hash(rootHash).hash(fileHash);
}
