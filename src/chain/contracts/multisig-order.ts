import type { AccountId } from '../address.ts';
import { readBoc } from '../boc/bag.ts';
import { CellError, type Cells } from '../boc/cells.ts';
import type { Slice } from '../boc/slice.ts';
import { walkDictionary } from '../tlb/dictionary.ts';
import { readMessage, sliceOf } from '../tlb/message.ts';
import { readMsgAddress } from '../tlb/msg-address.ts';
import {
  accountIn,
  BocBudget,
  BodyReader,
  MINT,
  type MinterBody,
  readCallTo,
  readChangeContent,
  readJettonBurn,
  readJettonTransfer,
  readMint,
  readNftTransfer,
  readSetStatus,
  readVestingTransfer,
  type TokenBody,
  type VestingBody,
} from './order-bodies.ts';

/** One action of an order. */
export type OrderAction =
  | {
      readonly kind: 'send';
      readonly mode: number;
      readonly destination: AccountId | undefined;
      readonly value: bigint;
      /** A bag of cells. */
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
  try {
    const bag = readBoc(boc);
    const budget = new BocBudget(MAX_BOC_BYTES);
    const actions: OrderAction[] = [];
    walkDictionary(bag, bag.root, INDEX_BITS, (_, value) => {
      actions.push(readAction(value, budget));
    });
    return actions;
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

function readAction(value: Slice, budget: BocBudget): OrderAction {
  try {
    const action = value.refSlice();
    value.end();
    const opcode = action.uint(32);
    if (opcode === SEND) return readSend(action, budget);
    if (opcode === UPDATE) return readUpdate(action);
    return { kind: 'broken', error: `an unknown action 0x${opcode.toString(16).padStart(8, '0')}` };
  } catch (error) {
    if (error instanceof CellError) return { kind: 'broken', error: error.message };
    throw error;
  }
}

function readSend(action: Slice, budget: BocBudget): OrderAction {
  const mode = action.uint(8);
  const message = readMessage(action.cells, action.ref());
  const { cells, info } = message;
  if (info.kind !== 'internal') throw new CellError('a message to the outside');
  return {
    kind: 'send',
    mode,
    destination: accountIn(info.dest),
    value: info.value.grams,
    body: budget.write(cells, message.body),
    content: cells.isExotic(message.body.cell)
      ? { type: 'unknown', opcode: 0 }
      : readOrderBody(new BodyReader(sliceOf(cells, message.body), budget)),
  };
}

function readUpdate(action: Slice): OrderAction {
  const threshold = action.uint(8);
  const { cells } = action;
  const signers = readAddressList(cells, action.ref());
  const proposers = action.maybeRef();
  return {
    kind: 'update',
    threshold,
    signers,
    proposers: proposers < 0 ? [] : readAddressList(cells, proposers),
  };
}

function readAddressList(cells: Cells, root: number): (AccountId | undefined)[] {
  const people: (AccountId | undefined)[] = [];
  walkDictionary(cells, root, INDEX_BITS, (_, value) => {
    people.push(accountIn(readMsgAddress(value)));
  });
  return people;
}

/** The decoded body of a message that an order sends. */
export type OrderBody =
  | TokenBody
  | MinterBody
  | VestingBody
  | { readonly type: 'ton_transfer'; readonly comment: string; readonly encrypted: boolean }
  | { readonly type: 'single_nominator_withdraw'; readonly queryId: bigint; readonly coins: bigint }
  | {
      readonly type: 'single_nominator_change_validator';
      readonly queryId: bigint;
      readonly validator: AccountId | undefined;
    }
  /** The opcode is 0 where the body does not match its opcode. */
  | { readonly type: 'unknown'; readonly opcode: number };

const OPCODE_BITS = 32;
/** A mint request for older minters; too ambiguous to decode, as other bodies start with this number as well. */
const OLD_MINT = 0x15;

const READERS: ReadonlyMap<number, (body: BodyReader) => OrderBody> = new Map<
  number,
  (body: BodyReader) => OrderBody
>([
  [0, (body) => ({ type: 'ton_transfer', comment: body.text(), encrypted: false })],
  [0x2167da4b, (body) => ({ type: 'ton_transfer', comment: body.text(), encrypted: true })],
  [0x0f8a7ea5, readJettonTransfer],
  [0x595f07bc, readJettonBurn],
  [0x5fcc3d14, readNftTransfer],
  [MINT, readMint],
  [0x00009fd3, (body) => ({ type: 'jetton_top_up', queryId: body.queryId() })],
  [
    0x6501f354,
    (body) => ({ type: 'jetton_change_admin', queryId: body.queryId(), newAdmin: body.account() }),
  ],
  [0xfb88e119, (body) => ({ type: 'jetton_claim_admin', queryId: body.queryId() })],
  [0xcb862902, readChangeContent],
  [0x235caf52, readCallTo],
  [0xeed236d3, readSetStatus],
  [
    0x00001000,
    (body) => ({ type: 'single_nominator_withdraw', queryId: body.queryId(), coins: body.coins() }),
  ],
  [
    0x00001001,
    (body) => ({
      type: 'single_nominator_change_validator',
      queryId: body.queryId(),
      validator: body.account(),
    }),
  ],
  [0x75097f5d, readVestingTransfer],
]);

/** Reads a body from its start; a malformed one is `unknown`. */
function readOrderBody(body: BodyReader): OrderBody {
  try {
    if (body.slice.bitsLeft < OPCODE_BITS) return readShortText(body);
    const opcode = body.uint(OPCODE_BITS);
    if (opcode === OLD_MINT) return { type: 'unknown', opcode: 0 };
    return READERS.get(opcode)?.(body) ?? { type: 'unknown', opcode };
  } catch (error) {
    if (error instanceof CellError) return { type: 'unknown', opcode: 0 };
    throw error;
  }
}

/** A body too short for an opcode counts as a comment, usually an empty one. */
function readShortText({ slice }: BodyReader): OrderBody {
  const comment = slice.bitsLeft % 8 === 0 ? slice.bytes(slice.bitsLeft / 8).toString('utf8') : '';
  return { type: 'ton_transfer', comment, encrypted: false };
}

/** All accounts in the actions of an order, with duplicates. */
export function orderAccounts(actions: readonly OrderAction[]): AccountId[] {
  const found: AccountId[] = [];
  collect(actions, found);
  return found;
}

/** Collects the accounts in nested lists and records. */
function collect(value: unknown, found: AccountId[]): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (isAccount(value)) found.push(value);
  else for (const part of Object.values(value)) collect(part, found);
}

function isAccount(value: object): value is AccountId {
  return 'workchain' in value && 'hash' in value;
}
