import { CellBuilder } from '../boc/builder.ts';
import { CellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import type { BuildingArena } from '../state/building-arena.ts';
import { bigUint, COINS, type ConstructorValue, constructorCodec, REF } from './constructors.ts';
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
