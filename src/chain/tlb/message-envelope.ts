import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import type { CurrencyCollection } from './currency.ts';
import { type InternalInfo, readMessageInfo } from './message.ts';
import { readMsgAddress, writeMsgAddress } from './msg-address.ts';

// msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) = MsgEnvelope;
// msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
// msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata;

/** A message on its way between shards. */
export type MessageEnvelope = Readonly<ReturnType<typeof readMessageEnvelope>>;

/** The origin of the chain of messages that led to this one. */
export type MessageMetadata = Readonly<ReturnType<typeof readMetadata>>;

const ENVELOPE = 4;
const ENVELOPE_V2 = 5;
const METADATA = 0;

/** Reads a MsgEnvelope of either version. */
export function readMessageEnvelope(cells: Cells, cell: number) {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(4);
  if (tag !== ENVELOPE && tag !== ENVELOPE_V2) throw new CellError('not a message envelope');
  const isV2 = tag === ENVELOPE_V2;
  return {
    current: readIntermediateAddress(slice),
    next: readIntermediateAddress(slice),
    fwdFeeRemaining: slice.coins(),
    /** The cell of the message. */
    message: slice.ref(),
    /** When a deferred message left the dispatch queue. */
    emittedLt: isV2 && slice.boolean() ? slice.uint64() : undefined,
    metadata: isV2 && slice.boolean() ? readMetadata(slice) : undefined,
  };
}

function readMetadata(slice: Slice) {
  if (slice.uint(4) !== METADATA) throw new CellError('not message metadata');
  return { depth: slice.uint(32), initiator: readMsgAddress(slice), initiatorLt: slice.uint64() };
}

/** Builds the cell of a MsgEnvelope: version 2 if it has a field that version 1 lacks. */
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

// interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
// interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
// interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;

/** A hop on the route: the first bits of the destination, or a separate prefix. */
export type IntermediateAddress = Readonly<ReturnType<typeof readIntermediateAddress>>;

const MAX_DEST_BITS = 96;
const MIN_INT8 = -128;
const MAX_INT8 = 127;

function readIntermediateAddress(slice: Slice) {
  if (slice.boolean()) {
    const workchainBits = slice.boolean() ? 32 : 8;
    return { kind: 'prefix' as const, workchain: slice.int(workchainBits), prefix: slice.uint64() };
  }
  const destBits = slice.uint(7);
  if (destBits > MAX_DEST_BITS) throw new CellError('intermediate address has too many bits');
  return { kind: 'regular' as const, destBits };
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

/** From this global version on, ihr_fee is replaced by extra_flags. */
const VERSION_WITHOUT_IHR_FEE = 12;

/** The value of an enqueued message: its own value plus the fees not collected yet. */
export function enclosedValue(cells: Cells, envelope: number, globalVersion: number): CurrencyCollection {
  const { message, fwdFeeRemaining } = readMessageEnvelope(cells, envelope);
  const { value, extraFlags } = internalInfo(cells, message);
  const ihrFee = globalVersion < VERSION_WITHOUT_IHR_FEE ? extraFlags : 0n;
  return { grams: value.grams + ihrFee + fwdFeeRemaining, extra: value.extra };
}

/** When an enqueued message was emitted: when it left the dispatch queue, otherwise when it was created. */
export function emittedLt(cells: Cells, envelope: number): bigint {
  const { message, emittedLt: lt } = readMessageEnvelope(cells, envelope);
  return lt ?? internalInfo(cells, message).createdLt;
}

function internalInfo(cells: Cells, message: number): InternalInfo {
  const info = readMessageInfo(new Slice(cells, message));
  if (info.kind !== 'internal') throw new CellError('envelope of a message that is not internal');
  return info;
}
