import { CellBuilder } from '../boc/cell-builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { IntermediateAddress, MessageEnvelope } from '../tlb/message-envelope.ts';
import { writeMsgAddress } from './msg-address.ts';

const ENVELOPE = 4;
const ENVELOPE_V2 = 5;
const METADATA = 0;
const MIN_INT8 = -128;
const MAX_INT8 = 127;

/** Makes the cell of a MsgEnvelope: of the second version if it has something that the first has no place for. */
export function buildMessageEnvelope(arena: BuildingArena, envelope: MessageEnvelope): number {
  const { emittedLt, metadata } = envelope;
  const isV2 = emittedLt !== undefined || metadata !== undefined;
  const builder = new CellBuilder().uint(isV2 ? ENVELOPE_V2 : ENVELOPE, 4);
  writeIntermediateAddress(builder, envelope.current);
  writeIntermediateAddress(builder, envelope.next);
  builder.coins(envelope.fwdFeeRemaining).ref(envelope.message);
  if (isV2) {
    builder.boolean(emittedLt !== undefined);
    if (emittedLt !== undefined) builder.uint64(emittedLt);
    builder.boolean(metadata !== undefined);
    if (metadata !== undefined) {
      builder.uint(METADATA, 4).uint(metadata.depth, 32);
      writeMsgAddress(builder, metadata.initiator);
      builder.uint64(metadata.initiatorLt);
    }
  }
  return arena.build(builder);
}

function writeIntermediateAddress(builder: CellBuilder, address: IntermediateAddress): void {
  if (address.kind === 'regular') {
    builder.boolean(false).uint(address.destBits, 7);
    return;
  }
  const { workchain, prefix } = address;
  if (workchain >= MIN_INT8 && workchain <= MAX_INT8) builder.uint(0b10, 2).int(workchain, 8);
  else builder.uint(0b11, 2).int(workchain, 32);
  builder.uint64(prefix);
}
