import type { Vm } from '../../vm/create-vm.ts';
import type { TransactionCause, TransactionOutcome, TransactionRun } from '../../vm/transaction-run.ts';
import type { AccountBook, OpenAccount } from './account-book.ts';
import type { MadeTransaction } from './made-transaction.ts';
import type { Surroundings } from './masterchain-view.ts';

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
  readonly surroundings: Surroundings;
  readonly now: number;
  readonly randSeed: Buffer;
  /** Told how long the block waited for runs, in milliseconds. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
}

/** A run made ahead of its turn, good as long as the account has not changed otherwise. */
interface Ahead {
  readonly after: number;
  readonly outcome: TransactionOutcome;
}

/** A job waits for its turn behind the jobs of other shards. */
const LIMITS = { timeoutMs: 60_000 };

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
    const outcomes = await this.#ask(ordered.map((task, i) => this.#runOf(task, ordered[i - 1]?.account)));
    if (outcomes === undefined) return;
    let at = 0;
    for (const group of groups) {
      let after = group[0]!.account.transactions.length;
      for (const task of group) {
        const outcome = outcomes[at++]!;
        this.#ahead.set(task, { after, outcome });
        if (outcome.kind === 'done') after++;
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
    const outcome =
      ahead !== undefined && ahead.after === account.transactions.length && last === undefined
        ? ahead.outcome
        : await this.#one(
            this.#runOf(
              last !== undefined && last.endLt > lt ? { ...task, lt: last.endLt } : task,
              undefined,
            ),
          );
    if (outcome.kind !== 'done') return outcome;
    return this.#book.commit(account, outcome.transaction, outcome.shardAccount);
  }

  async #one(run: TransactionRun): Promise<TransactionOutcome> {
    const started = performance.now();
    const outcome = await this.#runs.vm.runTransaction(run, LIMITS);
    this.#runs.onWait?.(performance.now() - started);
    return outcome;
  }

  /** The outcomes of many runs; undefined if the machine broke over one of them, which is found when its turn comes. */
  async #ask(runs: readonly TransactionRun[]): Promise<TransactionOutcome[] | undefined> {
    const started = performance.now();
    const outcomes = await this.#runs.vm.runTransactions(runs, LIMITS).catch(() => undefined);
    this.#runs.onWait?.(performance.now() - started);
    return outcomes;
  }

  #runOf({ account, cause, lt }: Task, before: OpenAccount | undefined): TransactionRun {
    const { surroundings, now, randSeed } = this.#runs;
    const shared = { ...surroundings, ...cause, lt, utime: now, randSeed };
    return account === before ? shared : { ...shared, shardAccount: account.boc };
  }
}
