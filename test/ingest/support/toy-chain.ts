import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  type DecodedSeqno,
  IN_EXTERNAL,
  IN_INTERNAL,
  IN_NONE,
  IN_SYSTEM,
} from '../../../src/index/write/decoded-seqno.ts';
import { MadeChain, type MadeMessage, type MadeTransaction } from '../../support/made-chain.ts';
import { decodeMade, utimeOf } from '../../support/store-transactions.ts';

/** A message on its way to an account. */
export interface ToyMessage {
  readonly made: MadeMessage;
  readonly kind: number;
  /** Of external messages, if it is not the hash. */
  readonly normHash?: string | undefined;
}

/** A transaction with the fields that traces need; hashes and accounts in hex. */
export interface ToyTransaction {
  readonly made: MadeTransaction;
  readonly mcSeqno: number;
  readonly account: string;
  readonly lt: number;
  readonly hash: string;
  readonly inKind: number;
  readonly inHash: string | undefined;
  readonly normHash: string | undefined;
  /** Hashes of internal messages. */
  readonly outs: readonly string[];
  readonly logs: number;
  /** The same messages. */
  readonly sent: readonly ToyMessage[];
}

/** What a transaction of a toy chain does. */
interface ToyParts {
  readonly mcSeqno: number;
  /** A name. */
  readonly account: string;
  readonly lt: number;
  readonly in?: ToyMessage | undefined;
  /** Names of the accounts that it sends a message to. */
  readonly to?: readonly string[];
  readonly logs?: number;
}

/** An account derived from a name. */
const accountOf = (name: string): Buffer =>
  Buffer.concat([Buffer.of(0), createHash('sha256').update(name).digest()]);
/** The address of messages that no account sends. */
const SYSTEM = Buffer.concat([Buffer.of(0xff), Buffer.alloc(32)]);

/** Real transactions that send messages and nothing else. */
export class ToyChain {
  readonly #chain = new MadeChain();

  /** An external message, the same for the same name; if it is `packed`, its normalised hash is another one. */
  external(to: string, name: string, packed = false): ToyMessage {
    const body = { bytes: Buffer.from(name) };
    const made = this.#chain.external({ to: accountOf(to), body, importFee: packed ? 1n : 0n });
    const { hash } = this.#chain.external({ to: accountOf(to), body });
    return { made, kind: IN_EXTERNAL, normHash: packed ? hash.toString('hex') : undefined };
  }

  /** A message that no account sends. */
  system(to: string, lt: number): ToyMessage {
    const made = this.#chain.internal({ from: SYSTEM, to: accountOf(to), lt: BigInt(lt), at: 1 });
    return { made, kind: IN_SYSTEM };
  }

  /** A message of an account that has no transactions here. */
  foreign(to: string, lt: number): ToyMessage {
    const made = this.#chain.internal({
      from: accountOf('elsewhere'),
      to: accountOf(to),
      lt: BigInt(lt),
      at: 1,
    });
    return { made, kind: IN_INTERNAL };
  }

  transaction({ mcSeqno, account, lt, in: inbound, to = [], logs = 0 }: ToyParts): ToyTransaction {
    const [from, at] = [accountOf(account), utimeOf(mcSeqno)];
    const ltOf = (ordinal: number) => BigInt(lt) + BigInt(ordinal) + 1n;
    const sent = to.map((name, ordinal) => ({
      made: this.#chain.internal({
        from,
        to: accountOf(name),
        lt: ltOf(ordinal),
        at,
        // A writer waits for another one that stores the same body.
        body: { bytes: Buffer.from(`${lt} ${ordinal}`) },
      }),
      kind: IN_INTERNAL,
    }));
    const logged = Array.from({ length: logs }, (_, i) =>
      this.#chain.log({ from, lt: ltOf(to.length + i), at }),
    );
    const made = this.#chain.transaction({
      account: from,
      lt: BigInt(lt),
      now: at,
      mcSeqno,
      in: inbound?.made,
      out: [...sent.map((message) => message.made), ...logged],
      isTickTock: inbound === undefined,
      isSystem: inbound?.kind === IN_SYSTEM,
    });
    return {
      made,
      mcSeqno,
      account: from.toString('hex'),
      lt,
      hash: made.hash.toString('hex'),
      inKind: inbound?.kind ?? IN_NONE,
      inHash: inbound?.made.hash.toString('hex'),
      normHash: inbound?.normHash,
      outs: sent.map((message) => message.made.hash.toString('hex')),
      logs,
      sent,
    };
  }
}

/** A decoded seqno with these transactions. */
export function toySeqno(
  mcSeqno: number,
  transactions: readonly ToyTransaction[],
  more: Partial<DecodedSeqno> = {},
): DecodedSeqno {
  return { ...decodeMade({ mcSeqno, transactions: transactions.map(({ made }) => made) }), ...more };
}

/** The expected content of the tables, computed naively from all transactions at once. */
export function expectedTraces(transactions: readonly ToyTransaction[]) {
  const senders = new Map<string, ToyTransaction>();
  for (const transaction of transactions) for (const out of transaction.outs) senders.set(out, transaction);
  const receivers = new Map<string, ToyTransaction>();
  for (const transaction of transactions)
    if (transaction.inKind === IN_INTERNAL) receivers.set(transaction.inHash!, transaction);

  const rootOf = (transaction: ToyTransaction): ToyTransaction => {
    const isSent = transaction.inKind === IN_INTERNAL && senders.has(transaction.inHash!);
    return isSent ? rootOf(senders.get(transaction.inHash!)!) : transaction;
  };
  const members = Map.groupBy(transactions, rootOf);
  const traces = [...members].map(([root, parts]) => {
    const waiting = parts.flatMap(({ outs }) => outs).filter((out) => !receivers.has(out));
    const sent = parts.reduce((sum, { outs }) => sum + outs.length, 0);
    const logs = parts.reduce((sum, part) => sum + part.logs, 0);
    const broken = root.inKind === IN_INTERNAL;
    const hasRootMessage = root.inKind !== IN_NONE && !broken;
    return {
      traceId: root.hash,
      ...(hasRootMessage ? { externalHash: root.inHash! } : {}),
      ...(root.inKind === IN_EXTERNAL && root.normHash ? { externalHashNorm: root.normHash } : {}),
      mcSeqnoStart: root.mcSeqno,
      mcSeqnoEnd: Math.max(...parts.map(({ mcSeqno }) => mcSeqno)),
      startLt: String(root.lt),
      startUtime: utimeOf(root.mcSeqno),
      endLt: String(Math.max(...parts.map(({ lt }) => lt))),
      endUtime: Math.max(...parts.map(({ mcSeqno }) => utimeOf(mcSeqno))),
      nodes: parts.length,
      edges: sent - waiting.length + logs + (hasRootMessage ? 1 : 0),
      pendingEdges: waiting.length,
      broken,
      accounts: [...new Set(parts.map(({ account }) => account))].sort(),
    };
  });
  const isOpen = (trace: (typeof traces)[number]) => trace.broken || trace.pendingEdges > 0;
  const traceIds = transactions
    .map((transaction) => ({ hash: transaction.hash, traceId: rootOf(transaction).hash }))
    .sort(by('hash'));
  return {
    trace_ids: traceIds,
    traces: traces
      .filter((trace) => !isOpen(trace))
      .map(({ pendingEdges, broken, ...trace }) => trace)
      .sort(by('traceId')),
    open_traces: traces
      .filter(isOpen)
      .map(({ accounts, ...trace }) => trace)
      .sort(by('traceId')),
    pending_messages: [...senders]
      .filter(([hash]) => !receivers.has(hash))
      .map(([hash, sender]) => ({ hash, trace_id: rootOf(sender).hash, mc_seqno: sender.mcSeqno }))
      .sort(by('hash')),
    orphan_messages: [...receivers]
      .filter(([hash]) => !senders.has(hash))
      .map(([hash, receiver]) => ({ hash, trace_id: receiver.hash, mc_seqno: receiver.mcSeqno }))
      .sort(by('hash')),
  };
}

function by(...keys: string[]) {
  const keyOf = (row: object) => keys.map((key) => (row as Record<string, unknown>)[key]).join();
  return (a: object, b: object) => (keyOf(a) < keyOf(b) ? -1 : 1);
}

/** Number of seqnos, from 1. */
export const SEQNOS = 12;
const ACCOUNTS = 9;
/** Between transactions, so that messages have logical times of their own. */
const LT_STEP = 100;

/** Creates transactions one by one; `pick` selects the pending message that is received. */
const step = fc.record({
  kind: fc.constantFrom(
    'internal',
    'internal',
    'internal',
    'internal',
    'external',
    'tick',
    'system',
    'foreign',
  ),
  pick: fc.nat(20),
  hops: fc.constantFrom(0, 0, 1, 2),
  sends: fc.constantFrom(0, 1, 1, 2, 3),
  logs: fc.constantFrom(0, 0, 1, 2),
  account: fc.nat(ACCOUNTS - 1),
  repeats: fc.boolean(),
});

/** Random steps of a chain. */
export const steps = fc.array(step, { minLength: 1, maxLength: 60 });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Random transactions in which no message is received before it is sent. */
export function runSteps(steps: readonly Step[]): ToyTransaction[] {
  const chain = new ToyChain();
  const waiting: { message: ToyMessage; to: string; mcSeqno: number }[] = [];
  return steps.map(({ kind, pick, hops, sends, logs, account: number, repeats }, at) => {
    const [taken] = kind === 'internal' ? waiting.splice(pick % Math.max(waiting.length, 1), 1) : [];
    const account = taken?.to ?? String(number);
    const mcSeqno = Math.min(SEQNOS, (taken?.mcSeqno ?? 1 + (pick % SEQNOS)) + hops);
    const lt = at * LT_STEP;
    const inbound = taken?.message ?? firstMessage(chain, kind, account, lt, repeats);
    const to = Array.from({ length: sends }, (_, turn) => String((number + turn + 1) % ACCOUNTS));
    const transaction = chain.transaction({ mcSeqno, account, lt, in: inbound, to, logs });
    waiting.push(...transaction.sent.map((message, turn) => ({ message, to: to[turn]!, mcSeqno })));
    return transaction;
  });
}

function firstMessage(
  chain: ToyChain,
  kind: Step['kind'],
  account: string,
  lt: number,
  repeats: boolean,
): ToyMessage | undefined {
  if (kind === 'tick') return undefined;
  if (kind === 'system') return chain.system(account, lt);
  if (kind === 'foreign') return chain.foreign(account, lt);
  // Externals may be executed several times.
  return repeats ? chain.external(account, 'the same', true) : chain.external(account, `external ${lt}`);
}
