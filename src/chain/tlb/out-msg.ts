import type { CellBuilder } from '../boc/builder.ts';
import type { BuildingArena } from '../state/building-arena.ts';
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
export type OutMsg =
  /** An external message. */
  | { readonly kind: 'ext'; readonly message: number; readonly transaction: number }
  /** Enqueued (new), or put into the dispatch queue of the sender (new_defer). */
  | { readonly kind: 'new' | 'new_defer'; readonly envelope: number; readonly transaction: number }
  /** Delivered in the same block. */
  | {
      readonly kind: 'imm';
      readonly envelope: number;
      readonly transaction: number;
      readonly reimport: number;
    }
  /** Forwarded from another shard (tr), requeued (tr_req), or moved on from the dispatch queue (deferred_tr). */
  | { readonly kind: 'tr' | 'tr_req' | 'deferred_tr'; readonly envelope: number; readonly imported: number }
  /** Taken from the queue and delivered in the same shard. */
  | { readonly kind: 'deq_imm'; readonly envelope: number; readonly reimport: number }
  /** Removed from the queue after another shard imported it. */
  | { readonly kind: 'deq'; readonly envelope: number; readonly importBlockLt: bigint }
  | {
      readonly kind: 'deq_short';
      readonly envelopeHash: Buffer;
      readonly nextWorkchain: number;
      readonly nextAddrPrefix: bigint;
      readonly importBlockLt: bigint;
    };

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
