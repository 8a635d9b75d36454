import { type Builder, beginCell, type Cell } from '@ton/core';
import type { CellBag } from '../boc/cell-bag.ts';
import { fromCoreCell, toCoreCell } from '../boc/core-cell.ts';
import type { AccountId } from '../tl/names.ts';
import type { WalletType } from './wallet-codes.ts';

/** A message that a wallet is to send. */
export interface OrderedMessage {
  /** Its workchain fits a byte. */
  readonly to: AccountId;
  readonly bounce: boolean;
  /** Nanotons. */
  readonly value: bigint;
  readonly body: CellBag | undefined;
  /** A StateInit. */
  readonly init: CellBag | undefined;
}

/** What a wallet is told to do. */
export interface TransferOrder {
  readonly type: WalletType;
  readonly seqno: number;
  /** Wallets before v3 have none. */
  readonly walletId: number | undefined;
  /** Unix seconds after which the wallet refuses it; those of v1 do not look. */
  readonly validUntil: number;
  readonly messages: readonly OrderedMessage[];
}

const SIGNATURE = Buffer.alloc(64);
const SIGNED_EXTERNAL = 0x7369676e;
const SEND_MESSAGE = 0x0ec3c86d;
/** Fees apart from the value, and a message that cannot be sent does not stop the others. */
const MODE = 3;

/**
 * The body of the message from outside that makes a wallet send messages, with zeros in the place of the signature: good
 * for runs in which nobody looks at that. Undefined where wallets of this type cannot be told so. Throws a CellFault for
 * cells that @ton/core cannot hold.
 */
export function unsignedTransfer(order: TransferOrder): CellBag | undefined {
  const { type, seqno, walletId = 0, validUntil } = order;
  const messages = order.messages.map(messageCell);
  switch (type) {
    case 'wallet v1 r1':
    case 'wallet v1 r2':
    case 'wallet v1 r3':
      return messages.length > 1 ? undefined : signed(beginCell().storeUint(seqno, 32), messages);
    case 'wallet v2 r1':
    case 'wallet v2 r2':
      return signed(beginCell().storeUint(seqno, 32).storeUint(validUntil, 32), messages);
    case 'wallet v3 r1':
    case 'wallet v3 r2':
      return signed(guard(walletId, validUntil, seqno), messages);
    case 'wallet v4 r1':
    case 'wallet v4 r2':
      // A simple send, not a change of plugins.
      return signed(guard(walletId, validUntil, seqno).storeUint(0, 8), messages);
    case 'wallet v5 r1': {
      const body = beginCell()
        .storeUint(SIGNED_EXTERNAL, 32)
        .storeBuilder(guard(walletId, validUntil, seqno));
      // Messages, and none of the other actions that it knows.
      body.storeMaybeRef(actionList(messages)).storeBit(0);
      return fromCoreCell(body.storeBuffer(SIGNATURE).endCell());
    }
    case 'wallet v5 beta':
      return undefined;
  }
}

function guard(walletId: number, validUntil: number, seqno: number): Builder {
  return beginCell().storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32);
}

/** What wallets up to v4 read: the signature, what guards it, then messages, of which a cell holds four. */
function signed(guarded: Builder, messages: readonly Cell[]): CellBag {
  for (const message of messages) guarded.storeUint(MODE, 8).storeRef(message);
  return fromCoreCell(beginCell().storeBuffer(SIGNATURE).storeBuilder(guarded).endCell());
}

/** The list of actions as contracts make it: the last one outside. */
function actionList(messages: readonly Cell[]): Cell {
  let list = beginCell().endCell();
  for (const message of messages)
    list = beginCell()
      .storeUint(SEND_MESSAGE, 32)
      .storeUint(MODE, 8)
      .storeRef(list)
      .storeRef(message)
      .endCell();
  return list;
}

/** A message without what the chain fills in: its sender, its fees and its times. Packed as wallets of today do it. */
function messageCell({ to, bounce, value, body, init }: OrderedMessage): Cell {
  const message = beginCell().storeUint(0b01, 2).storeBit(bounce).storeUint(0b0_00, 3);
  message.storeUint(0b100, 3).storeInt(to.workchain, 8).storeBuffer(to.hash);
  message.storeCoins(value).storeBit(0).storeCoins(0).storeCoins(0).storeUint(0, 64).storeUint(0, 32);
  message.storeBit(init !== undefined);
  // A bit stays free for the body.
  if (init !== undefined) storeEither(message, toCoreCell(init, init.root), 1);
  storeEither(message, body === undefined ? beginCell().endCell() : toCoreCell(body, body.root), 0);
  return message.endCell();
}

/** Stores a cell inside where it fits, else by reference. */
function storeEither(builder: Builder, cell: Cell, spareBits: number): void {
  const fits =
    builder.availableBits - 1 - spareBits >= cell.bits.length && builder.refs + cell.refs.length <= 4;
  if (fits && !cell.isExotic) builder.storeBit(0).storeSlice(cell.beginParse());
  else builder.storeBit(1).storeRef(cell);
}
