import {
  type Address,
  beginCell,
  type Message,
  storeMessage,
  storeStateInit,
  type Transaction,
} from '@ton/core';
import type { SendMessageResult } from '@ton/sandbox';
import type {
  AccountStatus,
  MessageFacts,
  TraceFacts,
  TransactionFacts,
} from '../../../src/actions/rules/classifier-input.ts';

/** An address in the format of actions. */
export function raw(address: Address): string {
  return `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`;
}

/**
 * A trace of contracts that really ran. Transactions are numbered in order of execution: their hashes are `tx0`, `tx1` and
 * so on.
 */
export function traceOfRun({ transactions }: Pick<SendMessageResult, 'transactions'>): TraceFacts {
  const facts = transactions.map(transactionFacts);
  const lts = facts.map(({ lt }) => lt);
  const [first] = facts;
  const end = facts.at(-1);
  if (!first || !end) throw new Error('nothing was executed');
  return {
    traceId: first.hash,
    externalHash: first.inMessage?.hash ?? null,
    externalHashNorm: null,
    mcSeqnoEnd: end.mcSeqno,
    startLt: first.lt,
    endLt: lts.reduce((most, lt) => (lt > most ? lt : most)),
    startUtime: first.now,
    endUtime: end.now,
    transactions: facts,
  };
}

function transactionFacts(one: Transaction, number: number): TransactionFacts {
  const { description, inMessage } = one;
  const generic = description.type === 'generic' ? description : undefined;
  const compute = generic?.computePhase;
  const destination = inMessage?.info.dest as Address;
  return {
    hash: `tx${number}`,
    account: raw(destination),
    lt: one.lt,
    now: one.now,
    mcSeqno: 100,
    origStatus: statusOf(one.oldStatus),
    endStatus: statusOf(one.endStatus),
    tickTock: description.type === 'tick-tock',
    aborted: generic?.aborted ?? false,
    skippedReason: compute?.type === 'skipped' ? compute.reason.replace('-', '_') : null,
    exitCode: compute?.type === 'vm' ? compute.exitCode : null,
    inMessage: inMessage ? messageFacts(inMessage) : undefined,
    outMessages: one.outMessages.values().map(messageFacts),
  };
}

function statusOf(status: Transaction['oldStatus']): AccountStatus {
  return status === 'uninitialized' ? 'uninit' : status === 'non-existing' ? 'nonexist' : status;
}

function messageFacts(message: Message): MessageFacts {
  const { info, body, init } = message;
  const bits = body.beginParse();
  const inside = info.type === 'internal' ? info : undefined;
  return {
    hash: beginCell().store(storeMessage(message)).endCell().hash().toString('base64'),
    source: info.type === 'external-in' ? null : raw(info.src as Address),
    destination: info.type === 'external-out' ? null : raw(info.dest as Address),
    value: inside?.value.coins ?? null,
    extraCurrencies: {},
    createdLt: info.type === 'external-in' ? null : info.createdLt,
    createdAt: info.type === 'external-in' ? null : info.createdAt,
    opcode: bits.remainingBits >= 32 ? bits.loadUint(32) : null,
    bounce: inside?.bounce ?? null,
    body: body.toBoc(),
    init: init ? beginCell().store(storeStateInit(init)).endCell().toBoc() : undefined,
  };
}
