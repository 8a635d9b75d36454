import { ACCOUNT_BYTES } from '../../chain/address/account-key.ts';
import type { Message } from '../../chain/tlb/message.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { IN_EXTERNAL, IN_INTERNAL, IN_NONE, IN_SYSTEM, type TraceFacts } from './decoded-seqno.ts';

const HASH_BYTES = 32;

/** What a trace needs to know of one transaction. */
interface TraceFact {
  readonly account: Buffer;
  readonly transaction: Transaction;
  /** Whether no account sent its message. */
  readonly isSystem: boolean;
  readonly normalizedHash: Buffer | undefined;
  readonly traceIdAt: number;
}

/** Collects what traces are made of. */
export class TraceCollector {
  readonly #facts: TraceFact[] = [];

  add(fact: TraceFact): void {
    this.#facts.push(fact);
  }

  /** All that was collected, by lt, then workchain, then address. */
  finish(): TraceFacts {
    const facts = this.#facts.sort(inOrder);
    const count = facts.length;
    const sent = facts.map(({ transaction }) => transaction.outMessages.filter(isInternal));
    const hashes = Buffer.alloc(count * HASH_BYTES);
    const accounts = Buffer.alloc(count * ACCOUNT_BYTES);
    const lts = new BigUint64Array(count);
    const nows = new Float64Array(count);
    const inKinds = new Uint8Array(count);
    const inHashes = Buffer.alloc(count * HASH_BYTES);
    const normHashes = Buffer.alloc(count * HASH_BYTES);
    const outFrom = new Uint32Array(count + 1);
    const outHashes = Buffer.alloc(sent.reduce((sum, { length }) => sum + length, 0) * HASH_BYTES);
    const logs = new Uint16Array(count);
    const traceIdAt = new Uint32Array(count);
    let outs = 0;
    for (const [i, { transaction, account, normalizedHash, ...fact }] of facts.entries()) {
      const { inMessage } = transaction;
      hashes.set(transaction.hash, i * HASH_BYTES);
      accounts.set(account, i * ACCOUNT_BYTES);
      lts[i] = transaction.lt;
      nows[i] = transaction.now;
      inKinds[i] = kindOf(inMessage, fact.isSystem);
      if (inMessage !== undefined) inHashes.set(inMessage.hash, i * HASH_BYTES);
      if (normalizedHash !== undefined) normHashes.set(normalizedHash, i * HASH_BYTES);
      for (const message of sent[i]!) outHashes.set(message.hash, outs++ * HASH_BYTES);
      outFrom[i + 1] = outs;
      logs[i] = transaction.outMessages.length - sent[i]!.length;
      traceIdAt[i] = fact.traceIdAt;
    }
    const one = { count, hashes, accounts, lts, nows, inKinds, inHashes };
    return { ...one, normHashes, outFrom, outHashes, logs, traceIdAt };
  }
}

function inOrder(a: TraceFact, b: TraceFact): number {
  if (a.transaction.lt !== b.transaction.lt) return a.transaction.lt < b.transaction.lt ? -1 : 1;
  const byWorkchain = a.transaction.account.workchain - b.transaction.account.workchain;
  return byWorkchain || Buffer.compare(a.account, b.account);
}

function isInternal({ info }: Message): boolean {
  return info.kind === 'internal';
}

function kindOf(message: Message | undefined, isSystem: boolean): number {
  if (message === undefined) return IN_NONE;
  if (message.info.kind !== 'internal') return IN_EXTERNAL;
  return isSystem ? IN_SYSTEM : IN_INTERNAL;
}
