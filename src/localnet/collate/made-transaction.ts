import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readCurrencyCollection } from '../../chain/tlb/currency.ts';
import { walkDictionary } from '../../chain/tlb/dictionary.ts';
import type { MessageMetadata } from '../../chain/tlb/message-envelope.ts';
import { type ExternalOutInfo, type InternalInfo, readMessageInfo } from '../../chain/tlb/message-info.ts';
import { readTransactionDescription } from '../../chain/tlb/transaction-description.ts';

/** A transaction of the block that is being made. */
export interface MadeTransaction {
  readonly cell: number;
  readonly lt: bigint;
  /** After the transaction and all its messages. */
  readonly endLt: bigint;
  readonly gasUsed: number;
  /** In the order in which they were sent. */
  readonly messages: readonly SentMessage[];
}

/** A message that a transaction of the block sent. */
export interface SentMessage {
  readonly cell: number;
  readonly hash: Buffer;
  readonly lt: bigint;
  readonly info: InternalInfo | ExternalOutInfo;
  /** The cell of the transaction. */
  readonly transaction: number;
}

/** A message together with who started what led to it. */
export interface NewMessage extends SentMessage {
  readonly metadata: MessageMetadata | undefined;
}

const BITS_BEFORE_LT = 4 + 256;
const BITS_AFTER_LT = 256 + 64 + 32;
const COUNT_BITS = 15;
const STATUS_BITS = 4;

/** Reads what the making of a block needs of a transaction. */
export function readMade(cells: Cells, cell: number): MadeTransaction {
  const slice = new Slice(cells, cell);
  slice.skip(BITS_BEFORE_LT);
  const lt = slice.uint64();
  slice.skip(BITS_AFTER_LT);
  const count = slice.uint(COUNT_BITS);
  slice.skip(STATUS_BITS);
  const messagesCell = slice.ref();
  readCurrencyCollection(slice);
  slice.ref();
  const description = readTransactionDescription(slice.refSlice());
  const gasUsed = 'compute' in description && !description.compute.skipped ? description.compute.gasUsed : 0;
  slice.open(messagesCell);
  slice.maybeRef();
  const messages = readSent(cells, slice.maybeRef(), cell);
  return { cell, lt, endLt: lt + 1n + BigInt(count), gasUsed, messages };
}

function readSent(cells: Cells, root: number, transaction: number): SentMessage[] {
  const found: SentMessage[] = [];
  if (root >= 0)
    walkDictionary(cells, root, COUNT_BITS, (_key, value) => {
      const cell = value.ref();
      const info = readMessageInfo(new Slice(cells, cell));
      if (info.kind === 'external-in') throw new Error('a transaction that sent a message from outside');
      const hash = Buffer.from(cells.hash(cell));
      found.push({ cell, hash, lt: info.createdLt, info, transaction });
    });
  return found;
}
