import { accountKey, accountKeyOf } from '../../../chain/address/account-key.ts';
import { readBoc } from '../../../chain/boc/read-boc.ts';
import { writeBoc } from '../../../chain/boc/write-boc.ts';
import { readExtraCurrencies } from '../../../chain/tlb/currency.ts';
import type { Message } from '../../../chain/tlb/message.ts';
import { type MessagePart, sliceOf } from '../../../chain/tlb/message-part.ts';
import type { MsgAddress } from '../../../chain/tlb/msg-address.ts';
import { readTransaction, type Transaction } from '../../../chain/tlb/transaction.ts';
import type { MessageFacts, TraceFacts, TransactionFacts } from '../../actions/trace-facts.ts';
import { accountText } from '../account-text.ts';

/** A transaction in cells. */
export interface RawTransaction {
  readonly workchain: number;
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
}

/** A trace in cells; the first transaction took the message from outside. */
export interface RawTrace {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly transactions: readonly RawTransaction[];
}

/** Reads from cells what the index would have of a trace; throws CellFault for what is none. */
export function readTraceFacts({ externalHash, normalizedHash, transactions: raw }: RawTrace): TraceFacts {
  const read = raw.map(({ workchain, boc, mcSeqno }) => {
    const cells = readBoc(boc);
    return { transaction: readTransaction(cells, cells.root, workchain), mcSeqno };
  });
  const root = read[0]!.transaction;
  // The order of the index.
  const sorted = read.toSorted((a, b) => compare(a.transaction, b.transaction));
  const transactions = sorted.map(({ transaction, mcSeqno }) => readFacts(transaction, mcSeqno));
  return {
    traceId: root.hash.toString('base64'),
    externalHash: externalHash.toString('base64'),
    externalHashNorm: normalizedHash.equals(externalHash) ? null : normalizedHash.toString('base64'),
    mcSeqnoEnd: Math.max(...read.map(({ mcSeqno }) => mcSeqno)),
    startLt: root.lt,
    endLt: sorted.at(-1)!.transaction.lt,
    startUtime: root.now,
    endUtime: Math.max(...read.map(({ transaction }) => transaction.now)),
    transactions,
  };
}

function compare(a: Transaction, b: Transaction): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1;
  return Buffer.compare(keyOf(a), keyOf(b));
}

function keyOf({ account }: Transaction): Buffer {
  return accountKey(account.workchain, account.hash);
}

function readFacts(transaction: Transaction, mcSeqno: number): TransactionFacts {
  const { description, inMessage, outMessages } = transaction;
  const aborted = 'aborted' in description && description.aborted;
  const compute = 'compute' in description ? description.compute : undefined;
  return {
    hash: transaction.hash.toString('base64'),
    account: accountText(keyOf(transaction)),
    ...{ lt: transaction.lt, now: transaction.now, mcSeqno },
    ...{ origStatus: transaction.origStatus, endStatus: transaction.endStatus },
    tickTock: description.kind === 'tick_tock',
    aborted,
    skippedReason: compute?.skipped === true ? compute.reason : null,
    exitCode: compute?.skipped === false ? compute.exitCode : null,
    inMessage: inMessage && readMessageFacts(inMessage),
    outMessages: outMessages.map(readMessageFacts),
  };
}

function readMessageFacts(message: Message): MessageFacts {
  const { info, init, cells } = message;
  const internal = info.kind === 'internal' ? info : undefined;
  const sent = info.kind === 'external-in' ? undefined : info;
  return {
    hash: message.hash.toString('base64'),
    source: addressText(info.src),
    destination: addressText(info.dest),
    value: internal?.value.grams ?? null,
    extraCurrencies: Object.fromEntries(
      internal ? readExtraCurrencies(cells, internal.value).map(({ id, amount }) => [id, `${amount}`]) : [],
    ),
    createdLt: sent?.createdLt ?? null,
    createdAt: sent?.createdAt ?? null,
    opcode: message.opcode === undefined ? null : message.opcode >>> 0,
    bounce: internal?.bounce ?? null,
    body: bagOf(message, message.body),
    init: init && bagOf(message, init.part),
  };
}

function addressText(address: MsgAddress): string | null {
  const account = accountKeyOf(address);
  return account === undefined ? null : accountText(account);
}

function bagOf({ cells }: Message, part: MessagePart): Buffer {
  const source = part.whole ? { cells, roots: [part.cell] } : sliceOf(cells, part);
  return writeBoc(source, { order: 'tonlib' });
}
