import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { OutMsgQueueInfo } from '../tlb/out-msg-queue-info.ts';
import { Dictionary } from './dictionary.ts';
import { DISPATCH_QUEUE } from './dispatch-queue.ts';
import { OUT_MSG_QUEUE } from './out-msg-queue.ts';

const EXTRA = 0;
const SIZE_BITS = 48;

/** Makes the cell of OutMsgQueueInfo. */
export function buildOutMsgQueueInfo(arena: BuildingArena, info: OutMsgQueueInfo): number {
  const { outQueue, processedInfo, extra } = info;
  const builder = new CellBuilder();
  new Dictionary(arena, OUT_MSG_QUEUE).store(builder, outQueue);
  builder.maybeRef(processedInfo).boolean(extra !== undefined);
  if (extra !== undefined) {
    const { dispatchQueue, outQueueSize } = extra;
    new Dictionary(arena, DISPATCH_QUEUE).store(builder.uint(EXTRA, 4), dispatchQueue);
    builder.boolean(outQueueSize !== undefined);
    if (outQueueSize !== undefined) builder.bigUint(BigInt(outQueueSize), SIZE_BITS);
  }
  return arena.build(builder);
}
