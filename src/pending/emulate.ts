import { randomBytes } from 'node:crypto';
import type { AccountId } from '../chain/address.ts';
import { MASTERCHAIN } from '../chain/block-id.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { blockStartLtAfter, compareByLt } from '../chain/logical-time.ts';
import { accountPrefix, shardContains } from '../chain/shards.ts';
import type { ShardIdent } from '../chain/tlb/block-refs.ts';
import { readTransaction, type Transaction } from '../chain/tlb/transaction.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { NoSuchShard } from '../lite/methods/accounts.ts';
import type { EmulationContext, EmulationSnapshot, SnapshotOptions } from '../live/emulation.ts';
import { VmCrash } from '../vm/errors.ts';
import { runWithLibraries } from '../vm/run-with-libraries.ts';
import type { TransactionOutcome } from '../vm/runs.ts';
import type { Vm } from '../vm/vm.ts';
import {
  bocOf,
  readExternalStart,
  readInternalStart,
  receiverOf,
  type StartMessage,
  type UndeliveredMessage,
} from './emulation-messages.ts';
import type {
  EmulatedTrace,
  EmulatedTransaction,
  EmulationBound,
  EmulationRefusal,
} from './pending-traces.ts';

export interface TraceEmulatorOptions {
  readonly vm: Vm;
  readonly ground: EmulationContext;
  readonly log: Log;
  readonly limits?: Partial<TraceLimits>;
  readonly metrics?: EmulationMetrics;
  /** Gives the seed of a trace's random numbers, 32 bytes that are not all zero. */
  readonly randomSeed?: () => Buffer;
}

/** What is to be emulated: a message from outside, or one or more between accounts that are not delivered yet. */
export type EmulationRequest = SnapshotOptions & {
  /** Every signature check succeeds. */
  readonly ignoreSignature?: boolean | undefined;
} & ({ readonly message: Uint8Array } | { readonly internal: readonly Uint8Array[] });

/** Says what messages would cause. */
export interface TraceEmulator {
  /**
   * What a message would cause at the newest masterchain block, or at the one of a seqno. The hashes of a trace that
   * starts with messages between accounts are those of the first of them. Where a bound is reached, what there is by
   * then is given; fails where not even one transaction could be made in time.
   */
  emulate(request: EmulationRequest): Promise<EmulatedTrace | EmulationRefusal>;
  /** Emulations under way, and those that wait for their turn. */
  state(): { readonly running: number; readonly waiting: number };
}

const SEED_BYTES = 32;

/** Creates what emulates traces. Many can be asked for at once; so many run at a time, in the order they came. */
export function createTraceEmulator(options: TraceEmulatorOptions): TraceEmulator {
  const { vm, ground, log, metrics = NO_METRICS, randomSeed = () => randomBytes(SEED_BYTES) } = options;
  const limits = { ...TRACE_LIMITS, ...options.limits };
  const permits = new Semaphore(limits.running, tooLate);

  async function inTurn<T>(
    { budgetMs, signal }: SnapshotOptions,
    work: (deadlineMs: number) => Promise<T>,
  ): Promise<T> {
    const deadlineMs = performance.now() + budgetMs;
    signal?.throwIfAborted();
    if (permits.waiting >= limits.waiting)
      throw new Failure('overloaded', 'too many emulations wait', { retryAfterSeconds: 1 });
    await permits.acquire(budgetMs, signal);
    try {
      return await work(deadlineMs);
    } finally {
      permits.release();
    }
  }

  async function run(
    request: EmulationRequest,
    start: readonly StartMessage[],
    deadlineMs: number,
  ): Promise<EmulatedTrace | EmulationRefusal> {
    const { seqno, group, signal, ignoreSignature = false } = request;
    const budgetMs = deadlineMs - performance.now();
    if (budgetMs <= 0) throw tooLate();
    const moment = await ground.open({ seqno, group, budgetMs, signal });
    const randSeed = randomSeed();
    const trace = { vm, moment, limits, randSeed, ignoreSignature, deadlineMs, signal };
    const transactions = new TraceTransactions(trace);
    try {
      await deliverAll(transactions, start, moment.lt);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EmulationEnded && typeof error.why === 'object') return error.why;
      const isFirst = transactions.made.length === 0;
      if (isFirst && error instanceof NoSuchShard)
        return refusal('the workchain of the account does not exist');
      const bound = boundOf(error);
      if (bound === undefined || isFirst) throw bound === 'time' ? tooLate() : error;
      if (bound === 'failed') log.warn({ err: error }, 'a message of a trace could not be emulated');
      transactions.bound ??= bound;
    }
    const { made, bound, vmSeconds } = transactions;
    const { hash: externalHash, normalizedHash } = start[0]!;
    const { mcSeqno, utime } = moment;
    return { externalHash, normalizedHash, mcSeqno, utime, randSeed, transactions: made, bound, vmSeconds };
  }

  async function emulate(request: EmulationRequest): Promise<EmulatedTrace | EmulationRefusal> {
    const start =
      'message' in request
        ? readExternalStart(request.message)
        : request.internal.map((boc) => readInternalStart(boc));
    if (typeof start === 'string') return refusal(start);
    const messages = Array.isArray(start) ? start : [start];
    return inTurn(request, (deadlineMs) => run(request, messages, deadlineMs));
  }

  return {
    async emulate(request) {
      const startedAt = performance.now();
      let outcome: EmulationOutcome = 'failed';
      let count = 0;
      try {
        const result = await emulate(request);
        if ('kind' in result) outcome = result.kind;
        else {
          outcome = result.bound === undefined ? 'whole' : 'bound';
          count = result.transactions.length;
        }
        return result;
      } finally {
        metrics.emulated(outcome, count, (performance.now() - startedAt) / 1000);
      }
    },
    state: () => ({ running: permits.running, waiting: permits.waiting }),
  };
}

/** The bound that ended an emulation; undefined for a failure that has nothing to do with it. */
function boundOf(error: unknown): EmulationBound | undefined {
  if (error instanceof EmulationEnded) return error.why as EmulationBound;
  if (error instanceof NoSuchShard || error instanceof VmCrash) return 'failed';
  return error instanceof Failure && error.kind === 'timeout' ? 'time' : undefined;
}

function refusal(text: string): EmulationRefusal {
  return { kind: 'refused', exitCode: undefined, text, vmSeconds: 0 };
}

function tooLate(): Failure {
  return new Failure('timeout', 'the emulation did not end in time');
}

/** How an emulation ended: with all messages delivered, at a bound, with a refusal, or without an answer. */
type EmulationOutcome = 'whole' | 'bound' | 'refused' | 'failed';

/** Where emulations are counted. */
interface EmulationMetrics {
  /** `seconds` is all the time it took, waiting included. */
  emulated(outcome: EmulationOutcome, transactions: number, seconds: number): void;
}

/** Counts nothing. */
const NO_METRICS: EmulationMetrics = { emulated() {} };

/** How far an emulation goes. */
export interface TraceLimits {
  readonly transactions: number;
  /** Messages in a row, each caused by the one before. */
  readonly depth: number;
  /** Of all transactions together. */
  readonly gas: number;
  /** Transactions and account states that a trace keeps. */
  readonly bytes: number;
  /** Emulations at a time, and how many more may wait. */
  readonly running: number;
  readonly waiting: number;
}

/** Enough for nearly all traces of public networks, and little enough to bear many that are made to be long. */
const TRACE_LIMITS: TraceLimits = {
  transactions: 256,
  depth: 64,
  gas: 20_000_000,
  bytes: 32 * 2 ** 20,
  running: 32,
  waiting: 2000,
};

/** What a block of a shard gets to deliver: from others, in the order of messages, and from outside. */
interface Block {
  readonly shard: ShardIdent;
  readonly messages: UndeliveredMessage[];
}

/** Accounts that are read from the chain at a time. */
const READ_AHEAD = 16;

/**
 * Delivers messages, and all that follow from them, as a chain does after a masterchain block that ends at a logical
 * time. In each step every shard makes a block: it takes in what was sent to it in steps before, then delivers what its
 * transactions send to its own accounts. Last comes the masterchain, which sees what the shards sent in this step.
 */
async function deliverAll(
  transactions: TraceTransactions,
  start: readonly UndeliveredMessage[],
  lt: bigint,
): Promise<void> {
  let endLt = lt;
  for (let waiting = start; waiting.length > 0; ) {
    const startLt = blockStartLtAfter(endLt);
    const shards = await makeBlocks(transactions, waiting.filter(isForShard), startLt);
    const topLt = blockStartLtAfter(shards.endLt);
    const forTop = [...waiting, ...shards.leaving].filter((message) => !isForShard(message));
    const top = await makeBlocks(transactions, forTop, topLt);
    endLt = top.endLt;
    waiting = [...shards.leaving.filter(isForShard), ...top.leaving];
  }
}

function isForShard({ to }: UndeliveredMessage): boolean {
  return to.workchain !== MASTERCHAIN;
}

/** Makes the blocks of all shards that messages go to; gives what they send to others, and when the last of them ends. */
async function makeBlocks(
  transactions: TraceTransactions,
  messages: readonly UndeliveredMessage[],
  startLt: bigint,
): Promise<{ leaving: readonly UndeliveredMessage[]; endLt: bigint }> {
  const leaving: UndeliveredMessage[] = [];
  // Also a block of nothing takes some logical time.
  let endLt = startLt + 1n;
  for (const block of await blocksFor(transactions, messages)) {
    const fresh: UndeliveredMessage[] = [];
    const deliver = async (message: UndeliveredMessage, earliestLt: bigint): Promise<void> => {
      const delivered = await transactions.deliver(message, earliestLt);
      if (delivered.endLt > endLt) endLt = delivered.endLt;
      for (const sent of delivered.sent) put(transactions, holds(block.shard, sent) ? fresh : leaving, sent);
      for (const { to } of [fresh, leaving].flatMap((queue) => queue.slice(0, READ_AHEAD)))
        void transactions.open(to);
    };
    for (const message of block.messages.sort(compareByLt)) await deliver(message, startLt + 1n);
    for (let message = fresh.shift(); message !== undefined; message = fresh.shift())
      await deliver(message, (message.lt > startLt ? message.lt : startLt) + 1n);
  }
  return { leaving, endLt };
}

async function blocksFor(
  transactions: TraceTransactions,
  messages: readonly UndeliveredMessage[],
): Promise<Block[]> {
  const blocks = new Map<string, Block>();
  const accounts = await mapInOrder(messages, READ_AHEAD, ({ to }) => transactions.open(to));
  for (const [i, { shard }] of accounts.entries()) {
    const name = `${shard.workchain}:${shard.shard}`;
    const block = blocks.get(name) ?? { shard, messages: [] };
    block.messages.push(messages[i]!);
    blocks.set(name, block);
  }
  return [...blocks.values()];
}

function holds({ workchain, shard }: ShardIdent, { to }: UndeliveredMessage): boolean {
  return to.workchain === workchain && shardContains(shard, accountPrefix(to.hash));
}

/** Puts a message in its place. Those for which no transaction is left in any case are not kept. */
function put(
  transactions: TraceTransactions,
  queue: UndeliveredMessage[],
  message: UndeliveredMessage,
): void {
  const at = queue.findLastIndex((other) => compareByLt(other, message) <= 0) + 1;
  queue.splice(at, 0, message);
  if (queue.length <= transactions.left) return;
  queue.pop();
  transactions.bound ??= 'transactions';
}

/** An account that an emulation deals with. */
interface OpenAccount {
  readonly place: AccountId;
  readonly shard: ShardIdent;
  /** The ShardAccount as it is now. */
  boc: Uint8Array;
  /** After its last transaction in this emulation; 0 before the first. */
  endLt: bigint;
}

/** The accounts of one emulation: each is read from the chain once, and carried on from there. */
class OpenAccounts {
  readonly #moment: EmulationSnapshot;
  readonly #open = new Map<string, Promise<OpenAccount>>();

  constructor(moment: EmulationSnapshot) {
    this.#moment = moment;
  }

  open(place: AccountId): Promise<OpenAccount> {
    const name = `${place.workchain}:${place.hash.toString('latin1')}`;
    let account = this.#open.get(name);
    if (account === undefined) {
      account = this.#read(place);
      // Where it was read ahead its turn comes later, and a failure must have been noticed by then.
      account.catch(() => {});
      this.#open.set(name, account);
    }
    return account;
  }

  async #read(place: AccountId): Promise<OpenAccount> {
    const { boc, shard } = await this.#moment.account(place);
    return { place, shard: { workchain: place.workchain, shard }, boc, endLt: 0n };
  }
}

/** What one emulation is made with. */
interface TraceOptions {
  readonly vm: Vm;
  readonly moment: EmulationSnapshot;
  readonly limits: TraceLimits;
  readonly randSeed: Buffer;
  readonly ignoreSignature: boolean;
  /** On the clock of `performance.now`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A transaction that was made: when it and its messages end, and those of them that are to be delivered. */
interface Delivered {
  readonly endLt: bigint;
  readonly sent: readonly UndeliveredMessage[];
}

/** Ends an emulation before all messages are delivered. */
class EmulationEnded extends Error {
  readonly why: EmulationBound | EmulationRefusal;

  constructor(why: EmulationBound | EmulationRefusal) {
    super('the emulation ended');
    this.why = why;
  }
}

/** The transactions of a trace, made one after another within its bounds. */
class TraceTransactions {
  readonly made: EmulatedTransaction[] = [];
  /** The first bound that kept a message from being delivered. */
  bound: EmulationBound | undefined;
  vmSeconds = 0;
  readonly #options: TraceOptions;
  readonly #accounts: OpenAccounts;
  #gas = 0;
  #bytes = 0;

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#accounts = new OpenAccounts(options.moment);
  }

  /** How many may still be made. */
  get left(): number {
    return this.#options.limits.transactions - this.made.length;
  }

  /** Reads an account, if that was not done before. */
  open(place: AccountId): Promise<OpenAccount> {
    return this.#accounts.open(place);
  }

  /** Makes the transaction of a message, not before a logical time. Throws Ended where there is to be none. */
  async deliver(message: UndeliveredMessage, earliestLt: bigint): Promise<Delivered> {
    this.#checkBounds();
    const account = await this.open(message.to);
    const { transaction: boc, shardAccount: after } = await this.#run(message, account, earliestLt);
    const bag = readBoc(boc);
    const transaction = readTransaction(bag, bag.root, message.to.workchain);
    const { lt, outMessages } = transaction;
    // A copy, as of all hashes that are kept: a view would keep those of all cells.
    const hash = Buffer.from(transaction.hash);
    const { boc: before } = account;
    const { to, hash: inMessageHash, parent } = message;
    this.made.push({ account: to, boc, hash, lt, inMessageHash, parent, before, after });
    this.#gas += gasOf(transaction);
    this.#bytes += boc.length + after.length + (account.endLt === 0n ? before.length : 0);
    account.boc = after;
    account.endLt = lt + 1n + BigInt(outMessages.length);
    return { endLt: account.endLt, sent: this.#sentBy(transaction, message.depth + 1) };
  }

  async #run(message: UndeliveredMessage, account: OpenAccount, earliestLt: bigint) {
    const { vm, moment, randSeed, ignoreSignature, deadlineMs, signal } = this.#options;
    const { config, prevBlocks, utime } = moment;
    const run = {
      shardAccount: account.boc,
      message: bocOf(message),
      config,
      prevBlocks,
      utime,
      randSeed,
      ignoreSignature,
      // The emulator learns from the account when its last transaction ended, but not from one that is gone.
      lt: earliestLt > account.endLt ? earliestLt : account.endLt,
    };
    const { outcome, elapsedSeconds } = await runWithLibraries(vm, run, moment.libraries, {
      deadlineMs,
      signal,
    });
    this.vmSeconds += elapsedSeconds;
    if (outcome.kind !== 'done')
      throw new EmulationEnded(message.isExternal ? refusalOf(outcome, this.vmSeconds) : 'failed');
    return outcome;
  }

  #sentBy({ cells, outMessages }: Transaction, depth: number): UndeliveredMessage[] {
    const parent = this.made.length - 1;
    const sent: UndeliveredMessage[] = [];
    for (const message of outMessages) {
      const { cell, info } = message;
      const hash = Buffer.from(message.hash);
      const to = receiverOf(message);
      if (info.kind !== 'internal' || to === undefined) continue;
      if (depth > this.#options.limits.depth) this.bound ??= 'depth';
      else sent.push({ cells, cell, hash, to, lt: info.createdLt, isExternal: false, parent, depth });
    }
    return sent;
  }

  #checkBounds(): void {
    const { limits, deadlineMs, signal } = this.#options;
    signal?.throwIfAborted();
    if (performance.now() >= deadlineMs) throw new EmulationEnded('time');
    if (this.left <= 0) throw new EmulationEnded('transactions');
    if (this.#gas >= limits.gas) throw new EmulationEnded('gas');
    if (this.#bytes >= limits.bytes) throw new EmulationEnded('bytes');
  }
}

function gasOf({ description }: Transaction): number {
  return 'compute' in description && !description.compute.skipped ? description.compute.gasUsed : 0;
}

function refusalOf(
  outcome: Exclude<TransactionOutcome, { kind: 'done' }>,
  vmSeconds: number,
): EmulationRefusal {
  const exitCode = outcome.kind === 'not_accepted' ? outcome.exitCode : undefined;
  return { kind: 'refused', exitCode, text: outcome.text, vmSeconds };
}
