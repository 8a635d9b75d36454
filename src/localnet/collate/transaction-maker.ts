import type { Vm } from '../../vm/create-vm.ts';
import type { TransactionCause, TransactionOutcome, TransactionRun } from '../../vm/transaction-run.ts';
import type { RunSurroundings } from '../run-surroundings.ts';
import type { AccountBook, OpenAccount } from './account-book.ts';
import type { MadeTransaction } from './made-transaction.ts';

/** A transaction that is to be made. */
export interface Task {
  readonly account: OpenAccount;
  readonly cause: TransactionCause;
  /** The earliest logical time. */
  readonly lt: bigint;
}

/** What all runs of a block have in common. */
export interface BlockRuns {
  readonly vm: Vm;
  readonly surroundings: RunSurroundings;
  readonly now: number;
  readonly randSeed: Buffer;
}

/** A run made ahead of its turn, good if the account is then what it started from. */
interface Ahead {
  readonly before: Buffer;
  readonly outcome: TransactionOutcome;
}

/** A job waits for its turn behind the jobs of other shards. */
const LIMITS = { timeoutMs: 60_000 };
/** With less, the log of the machine is cut. */
const WITH_ALL_STEPS = 1;

/** Makes the transactions of a block: one by one, or many ahead to save the ways to the machine and back. */
export class TransactionMaker {
  readonly #book: AccountBook;
  readonly #runs: BlockRuns;
  readonly #ahead = new Map<Task, Ahead>();

  constructor(book: AccountBook, runs: BlockRuns) {
    this.#book = book;
    this.#runs = runs;
  }

  /** Runs tasks ahead, those of one account in their order. */
  async prepare(tasks: readonly Task[]): Promise<void> {
    const groups = [...Map.groupBy(tasks, ({ account }) => account).values()];
    const ordered = groups.flat();
    if (ordered.length < 2) return;
    const runs = ordered.map((task, i) => this.#runOf(task, ordered[i - 1]?.account));
    // If the machine breaks over one of them, it is found when its turn comes.
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

  /** Makes a transaction; gives it, or the outcome if there is none. */
  async make(task: Task): Promise<MadeTransaction | Exclude<TransactionOutcome, { kind: 'done' }>> {
    const ahead = this.#ahead.get(task);
    this.#ahead.delete(task);
    const { account, lt } = task;
    // The machine learns from the account where its last transaction ended, but not from one that is gone.
    const last = this.#book.lastOfGone(account);
    const isGood = ahead?.before === account.boc && last === undefined;
    const later = last !== undefined && last.endLt > lt ? { ...task, lt: last.endLt } : task;
    const outcome = isGood
      ? ahead.outcome
      : await this.#runs.vm.runTransaction(this.#runOf(later, undefined), LIMITS);
    if (outcome.kind !== 'done') return outcome;
    return this.#book.commit(account, outcome.transaction, outcome.shardAccount);
  }

  /** Runs a task that was not accepted once more to learn every step of it. */
  async explain(task: Task): Promise<TransactionOutcome> {
    return this.#runs.vm.runTransaction(
      { ...this.#runOf(task, undefined), verbosity: WITH_ALL_STEPS },
      LIMITS,
    );
  }

  #runOf({ account, cause, lt }: Task, before: OpenAccount | undefined): TransactionRun {
    const { surroundings, now, randSeed } = this.#runs;
    const shared = { ...surroundings, ...cause, lt, utime: now, randSeed };
    return account === before ? shared : { ...shared, shardAccount: account.boc };
  }
}
