import type { CellBuilder } from '../boc/cell-builder.ts';
import type { OutMsg } from '../tlb/out-msg.ts';

const TRANSIT_TAGS = { tr: [0b011, 3], tr_req: [0b111, 3], deferred_tr: [0b10101, 5] } as const;
const NEW_TAGS = { new: [0b001, 3], new_defer: [0b10100, 5] } as const;

/** Writes an OutMsg of any kind. */
export function writeOutMsg(builder: CellBuilder, outMsg: OutMsg): void {
  switch (outMsg.kind) {
    case 'ext':
      builder.uint(0b000, 3).ref(outMsg.message).ref(outMsg.transaction);
      return;
    case 'new':
    case 'new_defer': {
      const [tag, bits] = NEW_TAGS[outMsg.kind];
      builder.uint(tag, bits).ref(outMsg.envelope).ref(outMsg.transaction);
      return;
    }
    case 'imm':
      builder.uint(0b010, 3).ref(outMsg.envelope).ref(outMsg.transaction).ref(outMsg.reimport);
      return;
    case 'tr':
    case 'tr_req':
    case 'deferred_tr': {
      const [tag, bits] = TRANSIT_TAGS[outMsg.kind];
      builder.uint(tag, bits).ref(outMsg.envelope).ref(outMsg.imported);
      return;
    }
    case 'deq_imm':
      builder.uint(0b100, 3).ref(outMsg.envelope).ref(outMsg.reimport);
      return;
    case 'deq':
      builder.uint(0b1100, 4).ref(outMsg.envelope).bigUint(outMsg.importBlockLt, 63);
      return;
    case 'deq_short':
      builder.uint(0b1101, 4).hash(outMsg.envelopeHash).int(outMsg.nextWorkchain, 32);
      builder.uint64(outMsg.nextAddrPrefix).uint64(outMsg.importBlockLt);
  }
}
