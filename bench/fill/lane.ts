import { setImmediate as turn } from 'node:timers/promises';
import { BuildingArena } from '../../src/chain/state/building-arena.ts';
import type { StateSummary } from '../../src/index/write/decoded-seqno.ts';
import { type Account, StateBuilder } from './accounts.ts';
import { BodyBuilder } from './bodies.ts';
import { ChainBuilder, type Draft, type Fees, GAS_PRICE } from './cells.ts';
import {
  type Batch,
  type FillOptions,
  LT_PER_SEQNO,
  ltOfSeqno,
  ORIGIN_SEQNO,
  type Run,
  timeOfSeqno,
} from './plan.ts';
import { Population } from './population.ts';
import { Random } from './random.ts';
import {
  type Call,
  type Handler,
  PLAIN_TRACE,
  TRACE_KINDS,
  type TraceContext,
  type TraceKind,
} from './traces.ts';

/** A transaction of the generated chain; cells are numbers in the arena of its batch. */
export interface MadeTransaction {
  readonly account: Account;
  readonly cell: number;
  readonly hash: Buffer;
  readonly lt: number;
  readonly before: StateSummary;
  readonly after: StateSummary;
  /** The in message, if there is one, then those that it sent. */
  readonly messages: readonly number[];
  /** The first transaction of its trace; undefined if it is the first one itself. */
  readonly root: MadeTransaction | undefined;
}

/** A masterchain seqno with its transactions in the order of logical time. */
export interface MadeSeqno {
  readonly seqno: number;
  readonly time: number;
  readonly transactions: readonly MadeTransaction[];
}

export interface MadeBatch {
  readonly arena: BuildingArena;
  readonly states: StateBuilder;
  readonly seqnos: readonly MadeSeqno[];
}

/** A message that is not received yet; an external one has no cell before its receiver has run. */
interface Delivery {
  readonly to: Account;
  readonly kind: 'external' | 'internal' | 'tick-tock';
  readonly message: number;
  readonly value: number;
  readonly handler: Handler;
  readonly sender: Account | undefined;
  readonly bounce: boolean;
  readonly root: MadeTransaction | undefined;
}

const LT_PER_TRANSACTION = 1000;
const MAX_PER_SEQNO = LT_PER_SEQNO / LT_PER_TRANSACTION - 1;
const ARENA_CELLS_PER_TRANSACTION = 16;
const FORWARD_FEE = 266_669;
const ACTION_FEE = 133_331;
const IMPORT_FEE = 800_000;
const MIN_GAS = 1200;
const MORE_GAS = 5000;
/** Messages are received in the same seqno or the next one. */
const SAME_SEQNO = 0.4;
const VALID_SECONDS = 60;
const ARRIVES: Handler = () => {};

/** Generates the batches of one lane in their order: every batch continues from the states that the one before left. */
export class Lane {
  readonly accounts: Population;
  readonly #options: FillOptions;
  readonly #random: Random;

  constructor(options: FillOptions, lane: number) {
    this.#options = options;
    this.#random = new Random(options.seed, lane);
    this.accounts = new Population(options, lane, this.#random);
  }

  /** Takes a turn of the event loop for each run, so that the batch before can be sent meanwhile. */
  async next(batch: Batch): Promise<MadeBatch> {
    const transactions = batch.runs.reduce((sum, run) => sum + run.transactions, 0);
    const arena = new BuildingArena(transactions * ARENA_CELLS_PER_TRANSACTION);
    const states = new StateBuilder(arena, timeOfSeqno(ORIGIN_SEQNO, this.#options));
    const seqnos: MadeSeqno[] = [];
    for (const run of batch.runs) {
      seqnos.push(...this.#run(run, arena, states));
      await turn();
    }
    return { arena, states, seqnos };
  }

  /** Generates a run; all its traces end in it. */
  #run(run: Run, arena: BuildingArena, states: StateBuilder): MadeSeqno[] {
    const context = { random: this.#random, accounts: this.accounts, bodies: new BodyBuilder(arena) };
    const machine = new Machine(arena, states, this.#random);
    const starts = this.#plan(run);
    let waiting: Delivery[] = [];
    const made = Array.from({ length: run.seqnos }, (_, at): MadeSeqno => {
      const seqno = run.firstSeqno + at;
      const time = timeOfSeqno(seqno, this.#options);
      const queue = [
        tickTock(this.accounts.system),
        ...waiting,
        ...starts[at]!.map((kind) => external(kind, context)),
      ];
      waiting = [];
      const isLast = at === run.seqnos - 1;
      const transactions: MadeTransaction[] = [];
      for (let next = 0; next < queue.length; next++) {
        if (next === MAX_PER_SEQNO) throw new Error(`Too many transactions in seqno ${seqno}`);
        const lt = ltOfSeqno(seqno) + (next + 1) * LT_PER_TRANSACTION;
        const { transaction, sent } = machine.execute(queue[next]!, lt, time);
        transactions.push(transaction);
        for (const delivery of sent)
          (isLast || this.#random.fraction() < SAME_SEQNO ? queue : waiting).push(delivery);
      }
      return { seqno, time, transactions };
    });
    const count = made.reduce((sum, { transactions }) => sum + transactions.length, 0);
    if (count !== run.transactions)
      throw new Error(`Run ${run.firstSeqno} has ${count} transactions instead of ${run.transactions}`);
    return made;
  }

  /** The kinds of the traces that start in each seqno of a run. */
  #plan({ seqnos, transactions }: Run): TraceKind[][] {
    const starts: TraceKind[][] = Array.from({ length: seqnos }, () => []);
    let left = transactions - seqnos;
    while (left > 0) {
      const chosen = chooseKind(this.#random);
      const kind = chosen.transactions <= left ? chosen : PLAIN_TRACE;
      left -= kind.transactions;
      starts[this.#random.below(seqnos)]!.push(kind);
    }
    return starts;
  }
}

const ALL_SHARES = TRACE_KINDS.reduce((sum, { share }) => sum + share, 0);

function chooseKind(random: Random): TraceKind {
  let rest = random.fraction() * ALL_SHARES;
  for (const kind of TRACE_KINDS) {
    rest -= kind.share;
    if (rest < 0) return kind;
  }
  return PLAIN_TRACE;
}

function tickTock(to: Account): Delivery {
  const nothing = { message: -1, value: 0, sender: undefined, bounce: false, root: undefined };
  return { ...nothing, to, kind: 'tick-tock', handler: ARRIVES };
}

function external(kind: TraceKind, context: TraceContext): Delivery {
  const { account, handler } = kind.start(context);
  const nothing = { message: -1, value: 0, sender: undefined, bounce: false, root: undefined };
  return { ...nothing, to: account, kind: 'external', handler };
}

/** A message that a running contract sends. */
interface SentDraft extends Draft {
  readonly handler: Handler;
}

/** Runs contracts and builds their transactions. */
class Machine {
  readonly #arena: BuildingArena;
  readonly #states: StateBuilder;
  readonly #random: Random;
  readonly #cells: ChainBuilder;

  constructor(arena: BuildingArena, states: StateBuilder, random: Random) {
    this.#arena = arena;
    this.#states = states;
    this.#random = random;
    this.#cells = new ChainBuilder(arena);
  }

  /** Delivers a message: changes the account and returns the transaction with the messages that it sent. */
  execute(
    delivery: Delivery,
    lt: number,
    now: number,
  ): { readonly transaction: MadeTransaction; readonly sent: readonly Delivery[] } {
    const { to: account, kind, value } = delivery;
    const cells = this.#cells;
    const before = this.#states.current(account);
    const gas = MIN_GAS + this.#random.below(MORE_GAS);
    const fees = { storage: this.#random.below(1000), compute: gas * GAS_PRICE };
    const { drafts, exitCode } = runContract(delivery, value - fees.storage - fees.compute);
    const allFees: Fees = {
      ...fees,
      import: kind === 'external' ? IMPORT_FEE : 0,
      action: drafts.length * ACTION_FEE,
      forward: drafts.length * FORWARD_FEE,
    };
    const inMessage =
      kind === 'external'
        ? cells.external(account, drafts, this.#random.bytes(64), now + VALID_SECONDS)
        : delivery.message;
    const outMessages = drafts.map((draft, i) => cells.internal(draft, FORWARD_FEE, lt + 1 + i, now));
    const spent = drafts.reduce((sum, draft) => sum + draft.value, 0);
    account.balance += value - spent - sumOf(allFees);
    if (account.balance < 0)
      throw new Error(`Account ${account.kind} ${account.number} spent more than it had`);
    if (kind === 'external') account.amount++;
    const after = this.#states.build(account, lt + 1 + drafts.length, now);
    const cell = cells.transaction({
      account,
      lt,
      now,
      inMessage,
      credit: kind === 'internal' ? value : undefined,
      outMessages,
      oldState: before.hash,
      newState: after.hash,
      fees: allFees,
      gas,
      exitCode,
      actionHash: this.#random.bytes(32),
    });
    const hash = Buffer.from(this.#arena.hash(cell));
    account.lastLt = lt;
    account.lastHash = hash;
    account.count++;
    const messages = inMessage < 0 ? outMessages : [inMessage, ...outMessages];
    const transaction = { account, cell, hash, lt, before, after, messages, root: delivery.root };
    const root = delivery.root ?? transaction;
    const sent = drafts.map(
      (draft, i): Delivery => ({
        to: draft.to,
        kind: 'internal',
        message: outMessages[i]!,
        value: draft.value,
        handler: draft.handler,
        sender: account,
        bounce: draft.bounce,
        root,
      }),
    );
    return { transaction, sent };
  }
}

/** Runs the handler of a message; `left` is what the contract may send on. */
function runContract(
  { to: from, kind, handler, sender, bounce }: Delivery,
  left: number,
): { readonly drafts: readonly SentDraft[]; readonly exitCode: number } {
  const drafts: SentDraft[] = [];
  let rest = left;
  let exitCode = 0;
  const call: Call = {
    account: from,
    send({ to, value, body, bounce: mayBounce = true, handler: next = ARRIVES }) {
      const charged = kind === 'external' ? 0 : FORWARD_FEE + ACTION_FEE;
      const sent = value ?? rest - charged;
      if (sent < 0) throw new Error(`A ${from.kind} has nothing left to send`);
      rest -= sent + charged;
      drafts.push({ from, to, value: sent, body, bounce: mayBounce, bounced: false, handler: next });
    },
    fail(code, body) {
      exitCode = code;
      if (!bounce) return;
      const value = rest - FORWARD_FEE - ACTION_FEE;
      const back = { from, to: sender!, body, bounce: false, bounced: true };
      drafts.push({ ...back, value, handler: ARRIVES });
    },
  };
  handler(call);
  return { drafts, exitCode };
}

function sumOf({ storage, compute, import: imported, action, forward }: Fees): number {
  return storage + compute + imported + action + forward;
}
