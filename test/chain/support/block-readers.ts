import { CellError, type Cells } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { walkTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import {
  type BlockExtra,
  type BlockInfo,
  readBlockExtra,
  readBlockInfo,
  readBlockRoot,
  readStateUpdate,
  type StateUpdate,
  VALUE_FLOW,
  VALUE_FLOW_V2,
  type ValueFlow,
} from '../../../src/chain/tlb/block.ts';
import { readCurrencyCollection } from '../../../src/chain/tlb/currency.ts';
import { type MasterchainExtra, readMasterchainExtra } from '../../../src/chain/tlb/masterchain-block.ts';
import type { OutMsg } from '../../../src/chain/tlb/msg-descr.ts';
import { readTransaction, type Transaction } from '../../../src/chain/tlb/transaction.ts';

/** Reads a block. */
export function readBlock(cells: Cells, cell: number): Block {
  const root = readBlockRoot(cells, cell);
  const extra = readBlockExtra(cells, root.extra);
  return {
    globalId: root.globalId,
    info: readBlockInfo(cells, root.info),
    valueFlow: readValueFlow(cells, root.valueFlow),
    stateUpdate: readStateUpdate(cells, root.stateUpdate),
    extra,
    masterchain: extra.masterchain < 0 ? undefined : readMasterchainExtra(cells, extra.masterchain),
  };
}

/** Reads all transactions of a block from its root cell, by account and logical time. */
export function readBlockTransactions(cells: Cells, block: number): Transaction[] {
  const { info, extra } = readBlockRoot(cells, block);
  const { workchain } = readBlockInfo(cells, info);
  const found: Transaction[] = [];
  walkTransactions(cells, readBlockExtra(cells, extra).accountBlocks, (_account, _lt, cell) => {
    found.push(readTransaction(cells, cell, workchain));
  });
  return found;
}

/** Reads an OutMsg. */
export function readOutMsg(slice: Slice): OutMsg {
  switch (slice.uint(3)) {
    case 0b000:
      return { kind: 'ext', message: slice.ref(), transaction: slice.ref() };
    case 0b001:
      return { kind: 'new', envelope: slice.ref(), transaction: slice.ref() };
    case 0b010:
      return { kind: 'imm', envelope: slice.ref(), transaction: slice.ref(), reimport: slice.ref() };
    case 0b011:
      return { kind: 'tr', envelope: slice.ref(), imported: slice.ref() };
    case 0b100:
      return { kind: 'deq_imm', envelope: slice.ref(), reimport: slice.ref() };
    case 0b101:
      return readDeferred(slice);
    case 0b110:
      return slice.boolean() ? readShort(slice) : readDequeued(slice);
    default:
      return { kind: 'tr_req', envelope: slice.ref(), imported: slice.ref() };
  }
}

// block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState)
//   extra:^BlockExtra = Block;

/** A block; its messages and transactions have readers of their own. */
export interface Block {
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly valueFlow: ValueFlow;
  readonly stateUpdate: StateUpdate;
  readonly extra: BlockExtra;
  readonly masterchain: MasterchainExtra | undefined;
}

/** Reads a ValueFlow of either version. */
export function readValueFlow(cells: Cells, cell: number): ValueFlow {
  const slice = new Slice(cells, cell);
  const tag = slice.uint(32);
  if (tag !== VALUE_FLOW && tag !== VALUE_FLOW_V2) throw new CellError('not a value flow');
  const blocks = slice.refSlice();
  const feesCollected = readCurrencyCollection(slice);
  const burned = tag === VALUE_FLOW_V2 ? readCurrencyCollection(slice) : undefined;
  const fees = slice.refSlice();
  return {
    fromPrevBlock: readCurrencyCollection(blocks),
    toNextBlock: readCurrencyCollection(blocks),
    imported: readCurrencyCollection(blocks),
    exported: readCurrencyCollection(blocks),
    feesCollected,
    burned,
    feesImported: readCurrencyCollection(fees),
    recovered: readCurrencyCollection(fees),
    created: readCurrencyCollection(fees),
    minted: readCurrencyCollection(fees),
  };
}

function readDeferred(slice: Slice): OutMsg {
  const tag = slice.uint(2);
  if (tag === 0b00) return { kind: 'new_defer', envelope: slice.ref(), transaction: slice.ref() };
  if (tag === 0b01) return { kind: 'deferred_tr', envelope: slice.ref(), imported: slice.ref() };
  throw new CellError('unknown tag of an outbound message');
}

function readDequeued(slice: Slice): OutMsg {
  return { kind: 'deq', envelope: slice.ref(), importBlockLt: slice.bigUint(63) };
}

function readShort(slice: Slice): OutMsg {
  return {
    kind: 'deq_short',
    envelopeHash: slice.hash(),
    nextWorkchain: slice.int(32),
    nextAddrPrefix: slice.uint64(),
    importBlockLt: slice.uint64(),
  };
}
