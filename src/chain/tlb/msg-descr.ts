import { CellBuilder } from '../boc/builder.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  bigUint,
  COINS,
  type Codec,
  constructors,
  HASH,
  INT32,
  maybe,
  REF,
  record,
  tagged,
  UINT32,
  UINT64,
  type ValueOf,
} from './codecs.ts';
import {
  addCurrencies,
  CURRENCY_COLLECTION,
  type CurrencyCollection,
  NO_CURRENCY,
  sumAugmentation,
} from './currency.ts';
import { Dictionary, type DictionaryCodec } from './dictionary.ts';
import { type InternalInfo, readMessageInfo } from './message.ts';
import { readMsgAddress, writeMsgAddress } from './msg-address.ts';

const FINAL = { envelope: REF, transaction: REF, fwdFee: COINS };

/**
 * How a message was imported into a block. Messages, envelopes and transactions are cells: `readMessage`,
 * `readMessageEnvelope` and `readTransaction` read them.
 */
const IN_MSG = {
  /** An external message. */
  ext: ['$000', { message: REF, transaction: REF }],
  ihr: ['$010', { message: REF, transaction: REF, ihrFee: COINS, proofCreated: REF }],
  /** Sent in the same block. */
  imm: ['$011', FINAL],
  /** Taken from a queue. */
  fin: ['$100', FINAL],
  /** Forwarded to another shard. */
  tr: ['$101', { envelope: REF, outEnvelope: REF, transitFee: COINS }],
  discard_fin: ['$110', { envelope: REF, transactionId: UINT64, fwdFee: COINS }],
  discard_tr: ['$111', { envelope: REF, transactionId: UINT64, fwdFee: COINS, proofDelivered: REF }],
  /** Taken from the dispatch queue. */
  deferred_fin: ['$00100', FINAL],
  deferred_tr: ['$00101', { envelope: REF, outEnvelope: REF }],
} as const;

const IN_MSG_CODEC = constructors('an inbound message', IN_MSG);

export type InMsg = ValueOf<typeof IN_MSG_CODEC>;

/** Outbound messages that leave in the block of their arrival refer to the cell of an InMsg. */
export const { read: readInMsg, build: buildInMsg } = IN_MSG_CODEC;

// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;

const IMPORT_FEES = record({ feesCollected: COINS, valueImported: CURRENCY_COLLECTION });

export type ImportFees = ValueOf<typeof IMPORT_FEES>;

const NO_FEES: ImportFees = { feesCollected: 0n, valueImported: NO_CURRENCY };

/** The inbound messages of a block by hash. The value of a message depends on the global version. */
export function inMsgDescrCodec(globalVersion: number): DictionaryCodec<InMsg, ImportFees> {
  return {
    keyBits: 256,
    write: IN_MSG_CODEC.write,
    augmentation: {
      empty: NO_FEES,
      of: (inMsg, arena) => importFees(arena, inMsg, globalVersion),
      combine: (left, right, arena) => ({
        feesCollected: left.feesCollected + right.feesCollected,
        valueImported: addCurrencies(left.valueImported, right.valueImported, arena),
      }),
      ...IMPORT_FEES,
    },
  };
}

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

/**
 * How a message was exported from a block. Messages, envelopes, transactions and inbound messages are cells: `readMessage`,
 * `readMessageEnvelope`, `readTransaction` and `readInMsg` read them.
 */
const OUT_MSG = {
  /** An external message. */
  ext: ['$000', { message: REF, transaction: REF }],
  /** Enqueued. */
  new: ['$001', { envelope: REF, transaction: REF }],
  /** Put into the dispatch queue of the sender. */
  new_defer: ['$10100', { envelope: REF, transaction: REF }],
  /** Delivered in the same block. */
  imm: ['$010', { envelope: REF, transaction: REF, reimport: REF }],
  /** Forwarded from another shard. */
  tr: ['$011', { envelope: REF, imported: REF }],
  /** Requeued. */
  tr_req: ['$111', { envelope: REF, imported: REF }],
  /** Moved on from the dispatch queue. */
  deferred_tr: ['$10101', { envelope: REF, imported: REF }],
  /** Taken from the queue and delivered in the same shard. */
  deq_imm: ['$100', { envelope: REF, reimport: REF }],
  /** Removed from the queue after another shard imported it. */
  deq: ['$1100', { envelope: REF, importBlockLt: bigUint(63) }],
  deq_short: [
    '$1101',
    { envelopeHash: HASH, nextWorkchain: INT32, nextAddrPrefix: UINT64, importBlockLt: UINT64 },
  ],
} as const;

const OUT_MSG_CODEC = constructors('an outbound message', OUT_MSG);

export type OutMsg = ValueOf<typeof OUT_MSG_CODEC>;

export const { build: buildOutMsg } = OUT_MSG_CODEC;

// _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;

/** The outbound messages of a block by hash. The value of a message depends on the global version. */
export function outMsgDescrCodec(globalVersion: number): DictionaryCodec<OutMsg, CurrencyCollection> {
  return {
    keyBits: 256,
    write: OUT_MSG_CODEC.write,
    augmentation: sumAugmentation((outMsg, arena) => exportedValue(arena, outMsg, globalVersion)),
  };
}

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

// interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
// interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
// interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;

/** A hop on the route: the first bits of the destination, or a separate prefix. */
export type IntermediateAddress = Readonly<ReturnType<typeof readIntermediateAddress>>;

const INTERMEDIATE_ADDRESS: Codec<IntermediateAddress> = {
  read: readIntermediateAddress,
  write: writeIntermediateAddress,
};

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

/** The origin of the chain of messages that led to this one. */
const METADATA = tagged('msg_metadata#0', 'not message metadata', {
  depth: UINT32,
  initiator: { read: readMsgAddress, write: writeMsgAddress },
  initiatorLt: UINT64,
});

export type MessageMetadata = ValueOf<typeof METADATA>;

const ENVELOPE = 4;
const ENVELOPE_V2 = 5;

const ENVELOPE_FIELDS = record({
  current: INTERMEDIATE_ADDRESS,
  next: INTERMEDIATE_ADDRESS,
  fwdFeeRemaining: COINS,
  message: REF,
});
const FIELDS_OF_V2 = record({
  /** When a deferred message left the dispatch queue. */
  emittedLt: maybe(UINT64),
  metadata: maybe(METADATA),
});

type MessageEnvelope = ValueOf<typeof ENVELOPE_FIELDS> & ValueOf<typeof FIELDS_OF_V2>;

export function readMessageEnvelope(cells: Cells, cell: number): MessageEnvelope {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(4);
  if (tag !== ENVELOPE && tag !== ENVELOPE_V2) throw new CellError('not a message envelope');
  const fields = ENVELOPE_FIELDS.read(slice);
  if (tag === ENVELOPE) return { ...fields, emittedLt: undefined, metadata: undefined };
  return { ...fields, ...FIELDS_OF_V2.read(slice) };
}

/** Builds the cell of a MsgEnvelope: version 2 if it has a field that version 1 lacks. */
export function buildMessageEnvelope(arena: BuildingArena, envelope: MessageEnvelope): number {
  const isV2 = envelope.emittedLt !== undefined || envelope.metadata !== undefined;
  const builder = new CellBuilder().uint(isV2 ? ENVELOPE_V2 : ENVELOPE, 4);
  ENVELOPE_FIELDS.write(builder, envelope, arena);
  if (isV2) FIELDS_OF_V2.write(builder, envelope, arena);
  return arena.build(builder);
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
