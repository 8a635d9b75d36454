import { CellError } from '../chain/boc/cells.ts';
import type { Slice } from '../chain/boc/slice.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { readStateInit } from '../chain/tlb/account.ts';
import { EventNode } from './rules/block.ts';
import type { MessageFacts } from './rules/classifier-input.ts';
import { readAccount } from './rules/read-body.ts';
import { RuleMismatch } from './rules/rule.ts';

const SIGNATURE_BITS = 512;
/** The maximum of all wallet versions. */
const MAX_MESSAGES = 255;

/** Adds the messages inside a rejected external message to a wallet as intended steps that never happened. */
export function addIntendedMessages(root: EventNode): void {
  root.failed = true;
  for (const [at, slice] of readWalletMessages(root).entries()) {
    const message = readIntended(slice, at, root);
    if (message) root.add(new EventNode(message, root.transaction, true));
  }
}

/** The embedded messages, read with the first wallet layout that fits: v3 and v4, then v5. */
function readWalletMessages(root: EventNode): Slice[] {
  for (const layout of [readSigned, readV5]) {
    try {
      const messages = layout(root.body());
      for (const message of messages) readHeader(message.clone());
      return messages;
    } catch (error) {
      if (!(error instanceof CellError || error instanceof RuleMismatch)) throw error;
    }
  }
  return [];
}

function readSigned(body: Slice): Slice[] {
  body.skip(SIGNATURE_BITS + 32 + 32 + 32);
  const messages: Slice[] = [];
  while (body.refsLeft > 0) messages.push(body.refSlice());
  return messages;
}

function readV5(body: Slice): Slice[] {
  body.skip(32 + 32 + 32 + 32);
  const messages: Slice[] = [];
  let list = body.boolean() ? body.refSlice() : undefined;
  while (list && list.bitsLeft > 0 && messages.length < MAX_MESSAGES) {
    const rest = list.refSlice();
    messages.push(list.refSlice());
    list = rest;
  }
  return messages;
}

interface Header {
  readonly bounce: boolean;
  readonly destination: string | null;
  readonly value: bigint;
}

/** Reads the header of an internal message; some clients omit the dictionary of extra currencies. */
function readHeader(slice: Slice): Header | undefined {
  if (slice.peek(1) === 1) return undefined;
  const again = slice.clone();
  try {
    return readHeaderForm(slice, true);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    const header = readHeaderForm(again, false);
    slice.bit = again.bit;
    slice.refAt = again.refAt;
    return header;
  }
}

function readHeaderForm(slice: Slice, withExtraCurrencies: boolean): Header {
  slice.skip(2);
  const bounce = slice.boolean();
  slice.skip(1);
  readAccount(slice);
  const destination = readAccount(slice);
  const value = slice.coins();
  if (withExtraCurrencies && slice.boolean()) slice.ref();
  slice.coins();
  slice.coins();
  slice.skip(64 + 32);
  return { bounce, destination, value };
}

function readIntended(slice: Slice, at: number, { transaction }: EventNode): MessageFacts | undefined {
  const cellHash = slice.cells.hash(slice.cell).toString('base64');
  const header = readHeader(slice);
  if (!header) return undefined;
  if (slice.boolean()) readStateInit(slice.boolean() ? slice.refSlice() : slice);
  const body = slice.boolean() ? slice.refSlice() : slice;
  return {
    // The index distinguishes equal messages.
    hash: Buffer.from(`${cellHash}${at}`).toString('base64'),
    source: transaction.account,
    destination: header.destination,
    value: header.value,
    extraCurrencies: {},
    createdLt: transaction.lt,
    createdAt: transaction.now,
    opcode: body.bitsLeft >= 32 ? body.peek(32) : null,
    bounce: header.bounce,
    body: writeBoc(body, { order: 'tonlib' }),
    init: undefined,
  };
}
