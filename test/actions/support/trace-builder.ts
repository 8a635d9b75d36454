import { createHash } from 'node:crypto';
import { type Builder, beginCell, type Cell } from '@ton/core';
import type {
  AccountStatus,
  MessageFacts,
  TraceFacts,
  TransactionFacts,
} from '../../../src/actions/rules/classifier-input.ts';

/** A message and its consequences. */
export interface Step {
  /** The receiving account; null for an outgoing external message. */
  readonly to: string | null;
  readonly value?: bigint;
  readonly body?: Cell | Builder;
  readonly init?: Cell | Builder;
  readonly bounce?: boolean;
  readonly extraCurrencies?: Readonly<Record<string, string>>;
  /** The transaction was aborted. */
  readonly aborted?: boolean;
  /** The transaction deployed the account. */
  readonly deploys?: boolean;
  readonly status?: readonly [AccountStatus, AccountStatus];
  readonly skippedReason?: string;
  readonly exitCode?: number;
  /** The messages that the account sends. */
  readonly sends?: readonly Step[];
}

/** The first step of a trace: an external message unless it has a sender. */
export interface FirstStep extends Step {
  readonly to: string;
  readonly from?: string;
  /** Without a message: a tick-tock transaction. */
  readonly tickTock?: boolean;
}

/** An account with an address derived from a word. */
export function account(name: string, workchain = 0): string {
  return `${workchain}:${createHash('sha256').update(name).digest('hex').toUpperCase()}`;
}

/** A body that starts with an opcode and an optional query id. */
export function op(opcode: number, queryId?: bigint | number): Builder {
  const body = beginCell().storeUint(opcode, 32);
  return queryId === undefined ? body : body.storeUint(queryId, 64);
}

/** The body of a plain transfer with a comment. */
export function text(comment: string): Builder {
  return op(0).storeStringTail(comment);
}

/** A trace in which an account receives an external message and sends these messages. */
export function sent(by: string, ...sends: readonly Step[]): TraceFacts {
  return buildTrace({ to: by, body: op(0x5167_0000), sends });
}

/**
 * Builds a trace from a tree of steps. Transactions are numbered level by level: their hashes are `tx0`, `tx1` and so on,
 * those of their in messages `msg0`, `msg1`; an outgoing external message has the number of its sender and its index.
 */
export function buildTrace(first: FirstStep): TraceFacts {
  const transactions: TransactionFacts[] = [];
  const open: Open[] = [{ step: first, message: first.tickTock ? undefined : firstMessage(first), depth: 0 }];
  for (const [number, { step, message, depth }] of open.entries()) {
    const lt = BigInt(number + 1) * 1_000n;
    const now = START + depth * 5;
    const outMessages: MessageFacts[] = [];
    for (const [place, next] of (step.sends ?? []).entries()) {
      const hash = next.to === null ? `log${number}.${place}` : `msg${open.length}`;
      const times = { createdLt: lt + BigInt(place) + 1n, createdAt: now };
      const one = { ...messageOf(next, step.to), hash, ...times };
      outMessages.push(one);
      if (next.to !== null) open.push({ step: next, message: one, depth: depth + 1 });
    }
    transactions.push({
      ...transactionOf(step, message),
      hash: `tx${number}`,
      lt,
      now,
      mcSeqno: 100 + depth,
      tickTock: step === first && first.tickTock === true,
      outMessages,
    });
  }
  const end = transactions.at(-1)!;
  return {
    traceId: 'tx0',
    externalHash: 'msg0',
    externalHashNorm: null,
    mcSeqnoEnd: end.mcSeqno,
    startLt: 1_000n,
    endLt: end.lt,
    startUtime: START,
    endUtime: end.now,
    transactions,
  };
}

const START = 1_700_000_000;

interface Open {
  readonly step: Step;
  readonly message: MessageFacts | undefined;
  readonly depth: number;
}

function firstMessage(first: FirstStep): MessageFacts {
  const message = { ...messageOf(first, first.from ?? null), hash: 'msg0' };
  if (first.from === undefined) return { ...message, value: null, bounce: null };
  return { ...message, createdLt: 999n, createdAt: START };
}

function messageOf(step: Step, source: string | null): Omit<MessageFacts, 'hash'> {
  const body = (step.body ?? beginCell()).asSlice().asCell();
  const bits = body.beginParse();
  return {
    source,
    destination: step.to,
    value: step.to === null ? null : (step.value ?? 50_000_000n),
    extraCurrencies: step.extraCurrencies ?? {},
    createdLt: null,
    createdAt: null,
    opcode: bits.remainingBits >= 32 ? bits.loadUint(32) : null,
    bounce: step.to === null ? null : (step.bounce ?? true),
    body: body.toBoc(),
    init: step.init?.asSlice().asCell().toBoc(),
  };
}

function transactionOf(step: Step, message: MessageFacts | undefined) {
  const [origStatus, endStatus] = step.status ?? [step.deploys ? 'uninit' : 'active', 'active'];
  return {
    account: step.to ?? '',
    origStatus,
    endStatus,
    aborted: step.aborted ?? false,
    skippedReason: step.skippedReason ?? null,
    exitCode: step.exitCode ?? (step.aborted ? 100 : 0),
    inMessage: message,
  };
}
