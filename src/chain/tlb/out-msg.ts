import type { BuildingArena } from '../state/building-arena.ts';
import { bigUint, type ConstructorValue, constructorCodec, HASH, INT32, REF } from './constructors.ts';
import {
  addCurrencies,
  type CurrencyCollection,
  NO_CURRENCY,
  readCurrencyCollection,
  writeCurrencyCollection,
} from './currency.ts';
import { Dictionary, type DictionaryCodec } from './dictionary.ts';
import { enclosedValue } from './message-envelope.ts';

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
