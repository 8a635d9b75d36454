import { CellBuilder } from '../boc/builder.ts';
import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import {
  addCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readCurrencyCollection,
  writeCurrencyCollection,
} from './currency.ts';
import { Dictionary, type DictionaryCodec } from './dictionary.ts';
import { enclosedValue, readMessageEnvelope } from './message-envelope.ts';

// msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
// msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell = InMsg;
// msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams = InMsg;
// msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams = InMsg;
// msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell = InMsg;
// msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;

/**
 * How a message was imported into a block. Messages, envelopes and transactions are cells: `readMessage`,
 * `readMessageEnvelope` and `readTransaction` read them.
 */
export type InMsg = Readonly<ReturnType<typeof readInMsg>>;

/** Reads an InMsg. */
export function readInMsg(slice: Slice) {
  switch (slice.uint(3)) {
    case 0b000:
      return { kind: 'ext' as const, message: slice.ref(), transaction: slice.ref() };
    case 0b001:
      return readDeferred(slice);
    case 0b010:
      return {
        kind: 'ihr' as const,
        message: slice.ref(),
        transaction: slice.ref(),
        ihrFee: slice.coins(),
        proofCreated: slice.ref(),
      };
    case 0b011:
      return readFinal(slice, 'imm');
    case 0b100:
      return readFinal(slice, 'fin');
    case 0b101:
      // Forwarded to another shard.
      return {
        kind: 'tr' as const,
        envelope: slice.ref(),
        outEnvelope: slice.ref(),
        transitFee: slice.coins(),
      };
    case 0b110:
      return {
        kind: 'discard_fin' as const,
        envelope: slice.ref(),
        transactionId: slice.uint64(),
        fwdFee: slice.coins(),
      };
    default:
      return {
        kind: 'discard_tr' as const,
        envelope: slice.ref(),
        transactionId: slice.uint64(),
        fwdFee: slice.coins(),
        proofDelivered: slice.ref(),
      };
  }
}

function readDeferred(slice: Slice) {
  const tag = slice.uint(2);
  if (tag === 0b00) return readFinal(slice, 'deferred_fin');
  if (tag === 0b01) return { kind: 'deferred_tr' as const, envelope: slice.ref(), outEnvelope: slice.ref() };
  throw new CellError('unknown tag of an inbound message');
}

/** Sent in the same block (imm), taken from a queue (fin), or from the dispatch queue (deferred_fin). */
function readFinal(slice: Slice, kind: 'imm' | 'fin' | 'deferred_fin') {
  return { kind, envelope: slice.ref(), transaction: slice.ref(), fwdFee: slice.coins() };
}

const FINAL_TAGS = { imm: [0b011, 3], fin: [0b100, 3], deferred_fin: [0b00100, 5] } as const;

/** Writes an InMsg of any kind. */
function writeInMsg(builder: CellBuilder, inMsg: InMsg): void {
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

/** Builds the cell of an InMsg: outbound messages that leave in the block of their arrival refer to it. */
export function buildInMsg(arena: BuildingArena, inMsg: InMsg): number {
  const builder = new CellBuilder();
  writeInMsg(builder, inMsg);
  return arena.build(builder);
}

// import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
// _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;

/** Fees and value that messages import into a block. */
export interface ImportFees {
  readonly feesCollected: bigint;
  readonly valueImported: CurrencyCollection;
}

const NOTHING: ImportFees = { feesCollected: 0n, valueImported: NO_CURRENCY };

/** The inbound messages of a block by hash. The value of a message depends on the global version. */
export function inMsgDescrCodec(globalVersion: number): DictionaryCodec<InMsg, ImportFees> {
  return {
    keyBits: 256,
    write: writeInMsg,
    augmentation: {
      empty: NOTHING,
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
      return NOTHING;
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
