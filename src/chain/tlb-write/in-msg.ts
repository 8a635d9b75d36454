import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { InMsg } from '../tlb/in-msg.ts';

const FINAL_TAGS = { imm: [0b011, 3], fin: [0b100, 3], deferred_fin: [0b00100, 5] } as const;

/** Writes an InMsg of any kind. */
export function writeInMsg(builder: CellBuilder, inMsg: InMsg): void {
  switch (inMsg.kind) {
    case 'ext':
      builder.uint(0b000, 3).ref(inMsg.message).ref(inMsg.transaction);
      return;
    case 'ihr':
      builder.uint(0b010, 3).ref(inMsg.message).ref(inMsg.transaction);
      builder.coins(inMsg.ihrFee).ref(inMsg.proofCreated);
      return;
    case 'imm':
    case 'fin':
    case 'deferred_fin': {
      const [tag, bits] = FINAL_TAGS[inMsg.kind];
      builder.uint(tag, bits).ref(inMsg.envelope).ref(inMsg.transaction).coins(inMsg.fwdFee);
      return;
    }
    case 'tr':
      builder.uint(0b101, 3).ref(inMsg.envelope).ref(inMsg.outEnvelope).coins(inMsg.transitFee);
      return;
    case 'deferred_tr':
      builder.uint(0b00101, 5).ref(inMsg.envelope).ref(inMsg.outEnvelope);
      return;
    case 'discard_fin':
      builder.uint(0b110, 3).ref(inMsg.envelope).uint64(inMsg.transactionId).coins(inMsg.fwdFee);
      return;
    case 'discard_tr':
      builder.uint(0b111, 3).ref(inMsg.envelope).uint64(inMsg.transactionId).coins(inMsg.fwdFee);
      builder.ref(inMsg.proofDelivered);
  }
}

/** Makes a cell of an InMsg, as messages that leave in the block of their arrival refer to it. */
export function buildInMsg(arena: BuildingArena, inMsg: InMsg): number {
  const builder = new CellBuilder();
  writeInMsg(builder, inMsg);
  return arena.build(builder);
}
