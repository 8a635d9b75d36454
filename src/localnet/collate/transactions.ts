import { readBoc } from '../../chain/boc/bag.ts';
import { CellBuilder } from '../../chain/boc/builder.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { writeCellBoc } from '../../chain/boc/writer.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import {
  ACCOUNT_TRANSACTIONS,
  type AccountBlock,
  SHARD_ACCOUNT_BLOCKS,
  transactionKey,
} from '../../chain/tlb/account-blocks.ts';
import { readCurrencyCollection } from '../../chain/tlb/currency.ts';
import { Dictionary, readDictionary } from '../../chain/tlb/dictionary.ts';
import { readMessageInfo } from '../../chain/tlb/message.ts';
import type { MessageMetadata } from '../../chain/tlb/msg-descr.ts';
import { readShardAccount, SHARD_ACCOUNTS, type ShardAccount } from '../../chain/tlb/shard-accounts.ts';
import { buildHashUpdate, readTransactionDescription } from '../../chain/tlb/transaction.ts';
import type { TransactionCause, TransactionOutcome, TransactionRun } from '../../vm/runs.ts';
import type { Vm } from '../../vm/vm.ts';
import type { VmContext } from '../vm-context.ts';

/** A transaction of the block under construction. */
export type MadeTransaction = Readonly<ReturnType<typeof readMadeTransaction>>;

/** A sent message with its initiator. */
export type NewMessage = ReturnType<typeof readSent>[number] & {
  readonly metadata: MessageMetadata | undefined;
};

const BITS_BEFORE_LT = 4 + 256;
const BITS_AFTER_LT = 256 + 64 + 32;
const COUNT_BITS = 15;
const STATUS_BITS = 4;

/** Reads what collation needs from a transaction. */
function readMadeTransaction(cells: Cells, cell: number) {
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
  return {
    cell,
    lt,
    /** After the transaction and all its messages. */
    endLt: lt + 1n + BigInt(count),
    gasUsed,
    /** In the order in which they were sent. */
    messages: readSent(cells, slice.maybeRef(), cell),
  };
}

function readSent(cells: Cells, root: number, transaction: number) {
  return readDictionary(cells, root, COUNT_BITS, (_key, value) => {
    const cell = value.ref();
    const info = readMessageInfo(new Slice(cells, cell));
    if (info.kind === 'external-in') throw new Error('a transaction that sent a message from outside');
    return { cell, hash: Buffer.from(cells.hash(cell)), lt: info.createdLt, info, transaction };
  });
}

/** An account touched by the block. */
export interface OpenAccount {
  readonly id: Buffer;
  /** State before the block; undefined if it did not exist. */
  readonly original: ShardAccount | undefined;
  /** Current state: a ShardAccount cell, and the same as a BoC. */
  current: ShardAccount;
  boc: Buffer;
  readonly transactions: MadeTransaction[];
}

const NO_HASH = Buffer.alloc(32);

export class BlockAccounts {
  readonly #arena: BuildingArena;
  readonly #accounts: Dictionary<ShardAccount, unknown>;
  /** Root of the accounts dictionary before the block. */
  readonly #root: number;
  readonly #open = new Map<string, OpenAccount>();
  /** Cell of an account that does not exist. */
  readonly #none: number;

  constructor(arena: BuildingArena, root: number) {
    this.#arena = arena;
    this.#accounts = new Dictionary(arena, SHARD_ACCOUNTS) as Dictionary<ShardAccount, unknown>;
    this.#root = root;
    this.#none = arena.build(new CellBuilder().boolean(false));
  }

  /** The account need not exist. */
  get(id: Buffer): OpenAccount {
    const name = id.toString('hex');
    const cached = this.#open.get(name);
    if (cached !== undefined) return cached;
    const result = this.#accounts.get(this.#root, id);
    const original = result && readShardAccount(result);
    const current = original ?? { account: this.#none, lastTransHash: NO_HASH, lastTransLt: 0n };
    const opened = { id, original, current, boc: this.#writeCellBoc(current), transactions: [] };
    this.#open.set(name, opened);
    return opened;
  }

  touched(): OpenAccount[] {
    return [...this.#open.values()].filter(({ transactions }) => transactions.length > 0);
  }

  /** Last transaction of an account that does not exist (any more): only the block knows it. */
  lastOfGone({ current, transactions }: OpenAccount): MadeTransaction | undefined {
    return current.account === this.#none ? transactions.at(-1) : undefined;
  }

  /** Applies a transaction and the account state after it, both as BoCs. */
  commit(account: OpenAccount, transaction: Buffer, after: Buffer): MadeTransaction {
    const arena = this.#arena;
    const last = this.lastOfGone(account);
    let cell = importBoc(arena, transaction);
    account.current = readShardAccount(new Slice(arena, importBoc(arena, after)));
    account.boc = after;
    if (last !== undefined) {
      cell = followUp(arena, cell, last);
      account.current = { ...account.current, lastTransHash: Buffer.from(arena.hash(cell)) };
      account.boc = this.#writeCellBoc(account.current);
    }
    const made = readMadeTransaction(arena, cell);
    account.transactions.push(made);
    return made;
  }

  /** Root of the accounts dictionary after the block. */
  build(): number {
    let root = this.#root;
    for (const { id, original, current } of this.touched()) {
      if (current.account === (original?.account ?? this.#none)) continue;
      if (current.account === this.#none) root = this.#accounts.delete(root, id);
      else root = this.#accounts.set(root, id, current);
    }
    return root;
  }

  /** Root of the account blocks dictionary. */
  buildBlocks(): number {
    const arena = this.#arena;
    const transactions = new Dictionary(arena, ACCOUNT_TRANSACTIONS);
    const sorted = this.touched().sort((a, b) => a.id.compare(b.id));
    const blocks = sorted.map(({ id, original, current, transactions: made }): [Buffer, AccountBlock] => {
      const entries = made.map(({ lt, cell }) => [transactionKey(lt), cell] as const);
      const before = arena.hash(original?.account ?? this.#none);
      const stateUpdate = buildHashUpdate(arena, before, arena.hash(current.account));
      return [id, { account: id, transactions: transactions.build(entries), stateUpdate }];
    });
    return new Dictionary(arena, SHARD_ACCOUNT_BLOCKS).build(blocks);
  }

  #writeCellBoc({ account, lastTransHash, lastTransLt }: ShardAccount): Buffer {
    const builder = new CellBuilder().ref(account).hash(lastTransHash).uint64(lastTransLt);
    return writeCellBoc(this.#arena, this.#arena.build(builder));
  }
}

/** Adds the cells of a BoC to an arena; returns its root. */
export function importBoc(arena: BuildingArena, boc: Buffer): number {
  const bag = readBoc(boc);
  return arena.add(bag, bag.root);
}

const BITS_BEFORE_PREVIOUS = 4 + 256 + 64;
const PREVIOUS_BITS = 256 + 64;

/** A transaction with its previous transaction replaced. */
function followUp(arena: BuildingArena, transaction: number, last: MadeTransaction): number {
  const slice = new Slice(arena, transaction);
  const builder = new CellBuilder().sliceBits(slice, BITS_BEFORE_PREVIOUS);
  slice.skip(PREVIOUS_BITS);
  return arena.build(builder.hash(arena.hash(last.cell)).uint64(last.lt).slice(slice));
}

export interface TransactionTask {
  readonly account: OpenAccount;
  readonly cause: TransactionCause;
  /** The earliest logical time. */
  readonly lt: bigint;
}

interface BlockRunContext {
  readonly vm: Vm;
  readonly vmContext: VmContext;
  readonly now: number;
  readonly randSeed: Buffer;
}

type NotMade = Exclude<TransactionOutcome, { kind: 'done' }>;

/** A job waits for its turn behind the jobs of other shards. */
const LIMITS = { timeoutMs: 60_000 };
/** With less, the VM log is truncated. */
const WITH_ALL_STEPS = 1;

/** Runs the transactions of a block: one by one, or many ahead to save round trips to the VM. */
export class TransactionMaker {
  readonly #book: BlockAccounts;
  readonly #runs: BlockRunContext;
  /** Runs made ahead of their turn, valid if the account state is still the one they started from. */
  readonly #ahead = new Map<TransactionTask, { before: Buffer; outcome: TransactionOutcome }>();

  constructor(book: BlockAccounts, runs: BlockRunContext) {
    this.#book = book;
    this.#runs = runs;
  }

  /** Runs tasks ahead, those of one account in order. */
  async prepare(tasks: readonly TransactionTask[]): Promise<void> {
    const groups = [...Map.groupBy(tasks, ({ account }) => account).values()];
    const ordered = groups.flat();
    if (ordered.length < 2) return;
    const runs = ordered.map((task, i) => this.#runOf(task, ordered[i - 1]?.account));
    // If the VM fails on one of them, that shows when its turn comes.
    const outcomes = await this.#runs.vm.runTransactions(runs, LIMITS).catch(() => undefined);
    if (outcomes === undefined) return;
    let at = 0;
    for (const group of groups) {
      let before = group[0]!.account.boc;
      for (const task of group) {
        const outcome = outcomes[at++]!;
        this.#ahead.set(task, { before, outcome });
        if (outcome.kind === 'done') before = outcome.shardAccount;
      }
    }
  }

  /** Runs a transaction; returns it, or the outcome if there is none. */
  async make(task: TransactionTask): Promise<MadeTransaction | NotMade> {
    const outcome = await this.#run(task);
    if (outcome.kind !== 'done') return outcome;
    return this.#book.commit(task.account, outcome.transaction, outcome.shardAccount);
  }

  /** The same, but leaves a transaction out that changes no data and sends nothing; returns undefined then. */
  async makeUnlessIdle(task: TransactionTask): Promise<MadeTransaction | NotMade | undefined> {
    const outcome = await this.#run(task);
    if (outcome.kind !== 'done') return outcome;
    const { transaction, shardAccount } = outcome;
    const bag = readBoc(transaction);
    const isIdle =
      readMadeTransaction(bag, bag.root).messages.length === 0 &&
      dataHash(task.account.boc).equals(dataHash(shardAccount));
    return isIdle ? undefined : this.#book.commit(task.account, transaction, shardAccount);
  }

  async #run(task: TransactionTask): Promise<TransactionOutcome> {
    const ahead = this.#ahead.get(task);
    this.#ahead.delete(task);
    const { account, lt } = task;
    // The VM reads the end of the last transaction from the account, but not from a deleted one.
    const last = this.#book.lastOfGone(account);
    const isGood = ahead?.before === account.boc && last === undefined;
    const later = last !== undefined && last.endLt > lt ? { ...task, lt: last.endLt } : task;
    return isGood ? ahead.outcome : this.#runs.vm.runTransaction(this.#runOf(later, undefined), LIMITS);
  }

  /** Runs a rejected task again to get its full log. */
  async explain(task: TransactionTask): Promise<TransactionOutcome> {
    const run = { ...this.#runOf(task, undefined), verbosity: WITH_ALL_STEPS };
    return this.#runs.vm.runTransaction(run, LIMITS);
  }

  #runOf({ account, cause, lt }: TransactionTask, before: OpenAccount | undefined): TransactionRun {
    const { vmContext, now, randSeed } = this.#runs;
    const shared = { ...vmContext, ...cause, lt, utime: now, randSeed };
    return account === before ? shared : { ...shared, shardAccount: account.boc };
  }
}

/** Hash of the data of an active account, given as a ShardAccount BoC; of nothing if it has none. */
function dataHash(shardAccount: Buffer): Buffer {
  const bag = readBoc(shardAccount);
  const account = readAccount(bag, readShardAccount(new Slice(bag, bag.root)).account);
  const data = account?.state.kind === 'active' ? account.state.init.data : -1;
  return data < 0 ? NO_HASH : Buffer.from(bag.hash(data));
}
