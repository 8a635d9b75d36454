import type { AccountId } from '../address.ts';
import { readBoc } from '../boc/bag.ts';
import { CellError, type Cells, undefinedOnCellError } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { readDictionary } from '../tlb/dictionary.ts';
import { readMessage, sliceOf } from '../tlb/message.ts';
import { readMsgAddress } from '../tlb/msg-address.ts';
import { accountIn, type BagWriter, createBagWriter, type OrderBody, readOrderBody } from './order-bodies.ts';

export type OrderAction =
  | {
      readonly kind: 'send';
      readonly mode: number;
      readonly destination: AccountId | undefined;
      readonly value: bigint;
      readonly body: Buffer;
      readonly content: OrderBody;
    }
  | {
      readonly kind: 'update';
      readonly threshold: number;
      /** Undefined stands for no address. */
      readonly signers: readonly (AccountId | undefined)[];
      readonly proposers: readonly (AccountId | undefined)[];
    }
  | { readonly kind: 'broken'; readonly error: string };

const SEND = 0xf1381e5b;
const UPDATE = 0x1d0cfbd3;
const INDEX_BITS = 8;
/** Bytes of all bags of cells in the actions of one order. */
const MAX_BOC_BYTES = 4 * 1024 * 1024;

/** Reads the actions of a multisig order in sequence; undefined for an unreadable order. */
export function parseOrder(boc: Buffer): OrderAction[] | undefined {
  return undefinedOnCellError(() => {
    const bag = readBoc(boc);
    const writeBag = createBagWriter(MAX_BOC_BYTES);
    return readDictionary(bag, bag.root, INDEX_BITS, (_, value) => readAction(value, writeBag));
  });
}

function readAction(value: Slice, writeBag: BagWriter): OrderAction {
  try {
    const action = value.refSlice();
    value.end();
    const opcode = action.uint(32);
    if (opcode === SEND) return readSend(action, writeBag);
    if (opcode === UPDATE) return readUpdate(action);
    return { kind: 'broken', error: `an unknown action 0x${opcode.toString(16).padStart(8, '0')}` };
  } catch (error) {
    if (error instanceof CellError) return { kind: 'broken', error: error.message };
    throw error;
  }
}

function readSend(action: Slice, writeBag: BagWriter): OrderAction {
  const mode = action.uint(8);
  const message = readMessage(action.cells, action.ref());
  const { cells, info } = message;
  if (info.kind !== 'internal') throw new CellError('a message to the outside');
  return {
    kind: 'send',
    mode,
    destination: accountIn(info.dest),
    value: info.value.grams,
    body: writeBag(cells, message.body),
    content: cells.isExotic(message.body.cell)
      ? { type: 'unknown', opcode: 0 }
      : readOrderBody({ slice: sliceOf(cells, message.body), writeBag }),
  };
}

function readUpdate(action: Slice): OrderAction {
  const threshold = action.uint(8);
  const { cells } = action;
  const signers = readAddressList(cells, action.ref());
  return { kind: 'update', threshold, signers, proposers: readAddressList(cells, action.maybeRef()) };
}

function readAddressList(cells: Cells, root: number): (AccountId | undefined)[] {
  return readDictionary(cells, root, INDEX_BITS, (_, value) => accountIn(readMsgAddress(value)));
}

/** All accounts in the actions of an order, with duplicates. */
export function orderAccounts(actions: readonly OrderAction[]): AccountId[] {
  const accounts: AccountId[] = [];
  collect(actions, accounts);
  return accounts;
}

function collect(value: unknown, accounts: AccountId[]): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if ('workchain' in value && 'hash' in value) accounts.push(value as AccountId);
  else for (const part of Object.values(value)) collect(part, accounts);
}
