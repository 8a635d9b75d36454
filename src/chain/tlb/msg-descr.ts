import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { bigUint, COINS, type ConstructorValue, constructorCodec, HASH, INT32, REF } from './constructors.ts';
import {
  addCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readCurrencyCollection,
  writeCurrencyCollection,
} from './currency.ts';
import { Dictionary, type DictionaryCodec } from './dictionary.ts';
import { type InternalInfo, readMessageInfo } from './message.ts';
import { readMsgAddress, writeMsgAddress } from './msg-address.ts';

// msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
// msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell = InMsg;
// msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams = InMsg;
// msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams = InMsg;
// msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell = InMsg;
// msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;

const FINAL = { envelope: REF, transaction: REF, fwdFee: COINS };

/**
 * How a message was imported into a block. Messages, envelopes and transactions are cells: `readMessage`,
 * `readMessageEnvelope` and `readTransaction` read them.
 */
const IN_MSG = {
  /** An external message. */
  ext: ['000', { message: REF, transaction: REF }],
  ihr: ['010', { message: REF, transaction: REF, ihrFee: COINS, proofCreated: REF }],
  /** Sent in the same block. */
  imm: ['011', FINAL],
  /** Taken from a queue. */
  fin: ['100', FINAL],
  /** Forwarded to another shard. */
  tr: ['101', { envelope: REF, outEnvelope: REF, transitFee: COINS }],
  discard_fin: ['110', { envelope: REF, transactionId: bigUint(64), fwdFee: COINS }],
  discard_tr: ['111', { envelope: REF, transactionId: bigUint(64), fwdFee: COINS, proofDelivered: REF }],
  /** Taken from the dispatch queue. */
  deferred_fin: ['00100', FINAL],
  deferred_tr: ['00101', { envelope: REF, outEnvelope: REF }],
} as const;

export type InMsg = ConstructorValue<typeof IN_MSG>;

const { read, write } = constructorCodec('an inbound message', IN_MSG);

/** Reads an InMsg. */
export const readInMsg: (slice: Slice) => InMsg = read;

/** Builds the cell of an InMsg: outbound messages that leave in the block of their arrival refer to it. */
export function buildInMsg(arena: BuildingArena, inMsg: InMsg): number {
  const builder = new CellBuilder();
  write(builder, inMsg);
  return arena.build(builder);
}

// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;

/** Fees and value that messages import into a block. */
export interface ImportFees {
  readonly feesCollected: bigint;
  readonly valueImported: CurrencyCollection;
}

const NO_FEES: ImportFees = { feesCollected: 0n, valueImported: NO_CURRENCY };

/** The inbound messages of a block by hash. The value of a message depends on the global version. */
export function inMsgDescrCodec(globalVersion: number): DictionaryCodec<InMsg, ImportFees> {
  return {
    keyBits: 256,
    write,
    augmentation: {
      empty: NO_FEES,
      of: (inMsg, arena) => importFees(arena, inMsg, globalVersion),
      combine: (left, right, arena) => ({
        feesCollected: left.feesCollected + right.feesCollected,
        valueImported: addCurrencies(left.valueImported, right.valueImported, arena),
      }),
      read: (slice) => ({ feesCollected: slice.coins(), valueImported: readCurrencyCollection(slice) }),
      write: (builder, { feesCollected, valueImported }) =>
        writeCurrencyCollection(builder.coins(feesCollected), valueImported),
    },
  };
}

/** Builds the cell of InMsgDescr from the root of its dictionary. */
export function buildInMsgDescr(arena: BuildingArena, root: number, globalVersion: number): number {
  return new Dictionary(arena, inMsgDescrCodec(globalVersion)).buildCell(root);
}

/** The value that a message imports into a block, and the fees that the validators collect. */
function importFees(arena: BuildingArena, inMsg: InMsg, globalVersion: number): ImportFees {
  switch (inMsg.kind) {
    case 'ext':
      return NO_FEES;
    case 'ihr':
      throw new CellError('instant hypercube routing is not supported');
    case 'imm':
      return { feesCollected: inMsg.fwdFee, valueImported: NO_CURRENCY };
    case 'fin':
    case 'deferred_fin':
      return {
        feesCollected: readMessageEnvelope(arena, inMsg.envelope).fwdFeeRemaining,
        valueImported: enclosedValue(arena, inMsg.envelope, globalVersion),
      };
    case 'tr':
    case 'deferred_tr':
      return {
        feesCollected: inMsg.kind === 'tr' ? inMsg.transitFee : 0n,
        valueImported: enclosedValue(arena, inMsg.envelope, globalVersion),
      };
    case 'discard_fin':
    case 'discard_tr':
      return { feesCollected: inMsg.fwdFee, valueImported: { grams: inMsg.fwdFee, extra: -1 } };
  }
}

// msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg;
// msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
// msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg;
// msg_export_tr$011 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
// msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg;
// msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:uint63 = OutMsg;
// msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64 import_block_lt:uint64
//   = OutMsg;
// msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
// msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
// msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;

/**
 * How a message was exported from a block. Messages, envelopes, transactions and inbound messages are cells: `readMessage`,
 * `readMessageEnvelope`, `readTransaction` and `readInMsg` read them.
 */
const OUT_MSG = {
  /** An external message. */
  ext: ['000', { message: REF, transaction: REF }],
  /** Enqueued. */
  new: ['001', { envelope: REF, transaction: REF }],
  /** Put into the dispatch queue of the sender. */
  new_defer: ['10100', { envelope: REF, transaction: REF }],
  /** Delivered in the same block. */
  imm: ['010', { envelope: REF, transaction: REF, reimport: REF }],
  /** Forwarded from another shard. */
  tr: ['011', { envelope: REF, imported: REF }],
  /** Requeued. */
  tr_req: ['111', { envelope: REF, imported: REF }],
  /** Moved on from the dispatch queue. */
  deferred_tr: ['10101', { envelope: REF, imported: REF }],
  /** Taken from the queue and delivered in the same shard. */
  deq_imm: ['100', { envelope: REF, reimport: REF }],
  /** Removed from the queue after another shard imported it. */
  deq: ['1100', { envelope: REF, importBlockLt: bigUint(63) }],
  deq_short: [
    '1101',
    { envelopeHash: HASH, nextWorkchain: INT32, nextAddrPrefix: bigUint(64), importBlockLt: bigUint(64) },
  ],
} as const;

export type OutMsg = ConstructorValue<typeof OUT_MSG>;

/** Writes an OutMsg of any kind. */
export const { write: writeOutMsg } = constructorCodec('an outbound message', OUT_MSG);

// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;

/** The outbound messages of a block by hash. The value of a message depends on the global version. */
export function outMsgDescrCodec(globalVersion: number): DictionaryCodec<OutMsg, CurrencyCollection> {
  return {
    keyBits: 256,
    write: writeOutMsg,
    augmentation: {
      empty: NO_CURRENCY,
      of: (outMsg, arena) => exportedValue(arena, outMsg, globalVersion),
      combine: addCurrencies,
      read: readCurrencyCollection,
      write: writeCurrencyCollection,
    },
  };
}

/** Builds the cell of OutMsgDescr from the root of its dictionary. */
export function buildOutMsgDescr(arena: BuildingArena, root: number, globalVersion: number): number {
  return new Dictionary(arena, outMsgDescrCodec(globalVersion)).buildCell(root);
}

/** The value that a message exports from a block: none if it was delivered in it or exported before. */
function exportedValue(arena: BuildingArena, outMsg: OutMsg, globalVersion: number): CurrencyCollection {
  switch (outMsg.kind) {
    case 'new':
    case 'new_defer':
    case 'tr':
    case 'tr_req':
    case 'deferred_tr':
      return enclosedValue(arena, outMsg.envelope, globalVersion);
    default:
      return NO_CURRENCY;
  }
}

// msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) = MsgEnvelope;
// msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
// msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata;

/** A message on its way between shards. */
type MessageEnvelope = Readonly<ReturnType<typeof readMessageEnvelope>>;

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
function enclosedValue(cells: Cells, envelope: number, globalVersion: number): CurrencyCollection {
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
