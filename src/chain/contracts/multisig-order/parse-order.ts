import { CellFault } from '../../boc/cell-fault.ts';
import type { Cells } from '../../boc/cells.ts';
import { readBoc } from '../../boc/read-boc.ts';
import type { Slice } from '../../boc/slice.ts';
import type { AccountId } from '../../tl/names.ts';
import { walkDictionary } from '../../tlb/dictionary.ts';
import { readMessage } from '../../tlb/message.ts';
import { sliceOf } from '../../tlb/message-part.ts';
import { readMsgAddress } from '../../tlb/msg-address.ts';
import { accountIn, BocBudget, BodyReader } from './body-reader.ts';
import { type OrderBody, readOrderBody } from './order-body.ts';

/** One step of an order. */
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
/** Bytes of all bags of cells in the steps of one order. */
const MAX_BOC_BYTES = 4 * 1024 * 1024;

/** Reads the steps of an order of a multisig wallet in their order; undefined for an order that cannot be read. */
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
    if (error instanceof CellFault) return undefined;
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
    if (error instanceof CellFault) return { kind: 'broken', error: error.message };
    throw error;
  }
}

function readSend(action: Slice, budget: BocBudget): OrderAction {
  const mode = action.uint(8);
  const message = readMessage(action.cells, action.ref());
  const { cells, info } = message;
  if (info.kind !== 'internal') throw new CellFault('a message to the outside');
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
  const signers = readPeople(cells, action.ref());
  const proposers = action.maybeRef();
  return {
    kind: 'update',
    threshold,
    signers,
    proposers: proposers < 0 ? [] : readPeople(cells, proposers),
  };
}

function readPeople(cells: Cells, root: number): (AccountId | undefined)[] {
  const people: (AccountId | undefined)[] = [];
  walkDictionary(cells, root, INDEX_BITS, (_, value) => {
    people.push(accountIn(readMsgAddress(value)));
  });
  return people;
}
