import type { MessageFacts, TransactionFacts } from '../actions/rules/classifier-input.ts';
import { toAccountBytes } from '../chain/address.ts';
import { currencyTexts, NO_CURRENCY_TEXTS } from '../chain/tlb/currency.ts';
import { type Message, writePart } from '../chain/tlb/message.ts';
import { accountKeyOf, type MsgAddress } from '../chain/tlb/msg-address.ts';
import type { Transaction } from '../chain/tlb/transaction.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { accountText } from './contracts.ts';

interface CommittedTransaction {
  readonly transaction: Transaction;
  readonly mcSeqno: number;
}

/** Reads the transactions of a trace, in order, for classification. A delivered message is read once. */
export function readTraceTransactions(members: readonly CommittedTransaction[]): TransactionFacts[] {
  const messages = new Map<string, MessageFacts>();
  const factsOf = (message: Message): MessageFacts => {
    const key = bytesKey(message.hash);
    const facts = messages.get(key) ?? readMessageFacts(message);
    messages.set(key, facts);
    return facts;
  };
  return members.map((member) => readTransactionFacts(member, factsOf));
}

function readTransactionFacts(
  { transaction, mcSeqno }: CommittedTransaction,
  factsOf: (message: Message) => MessageFacts,
): TransactionFacts {
  const { description, inMessage, outMessages } = transaction;
  const compute = 'compute' in description ? description.compute : undefined;
  return {
    hash: transaction.hash.toString('base64'),
    account: accountText(toAccountBytes(transaction.account)),
    lt: transaction.lt,
    now: transaction.now,
    mcSeqno,
    origStatus: transaction.origStatus,
    endStatus: transaction.endStatus,
    tickTock: description.kind === 'tick_tock',
    aborted: 'aborted' in description && description.aborted,
    skippedReason: compute?.skipped === true ? compute.reason : null,
    exitCode: compute?.skipped === false ? compute.exitCode : null,
    inMessage: inMessage && factsOf(inMessage),
    outMessages: outMessages.map(factsOf),
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
    extraCurrencies: internal === undefined ? NO_CURRENCY_TEXTS : currencyTexts(cells, internal.value),
    createdLt: sent?.createdLt ?? null,
    createdAt: sent?.createdAt ?? null,
    opcode: message.opcode === undefined ? null : message.opcode >>> 0,
    bounce: internal?.bounce ?? null,
    body: writePart(cells, message.body),
    init: init && writePart(cells, init.part),
  };
}

function addressText(address: MsgAddress): string | null {
  const account = accountKeyOf(address);
  return account === undefined ? null : accountText(account);
}
