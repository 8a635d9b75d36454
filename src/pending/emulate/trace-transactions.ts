import { readBoc } from '../../chain/boc/read-boc.ts';
import { readTransaction, type Transaction } from '../../chain/tlb/transaction.ts';
import type { Vm } from '../../vm/create-vm.ts';
import { runWithLibraries } from '../../vm/run-with-libraries.ts';
import type { TransactionOutcome } from '../../vm/transaction-run.ts';
import type { EmulatedTransaction, EmulationBound, EmulationRefusal } from '../emulated-trace.ts';
import type { AccountPlace, EmulationMoment } from '../emulation-ground.ts';
import { type OpenAccount, OpenAccounts } from './open-accounts.ts';
import { receiverOf } from './start-message.ts';
import type { TraceLimits } from './trace-limits.ts';
import { bocOf, type WaitingMessage } from './waiting-message.ts';

/** What one emulation is made with. */
export interface TraceOptions {
  readonly vm: Vm;
  readonly moment: EmulationMoment;
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
  readonly sent: readonly WaitingMessage[];
}

/** Ends an emulation before all messages are delivered. */
export class Ended extends Error {
  readonly why: EmulationBound | EmulationRefusal;

  constructor(why: EmulationBound | EmulationRefusal) {
    super('the emulation ended');
    this.why = why;
  }
}

/** The transactions of a trace, made one after another within its bounds. */
export class TraceTransactions {
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
  open(place: AccountPlace): Promise<OpenAccount> {
    return this.#accounts.open(place);
  }

  /** Makes the transaction of a message, not before a logical time. Throws Ended where there is to be none. */
  async deliver(message: WaitingMessage, earliestLt: bigint): Promise<Delivered> {
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

  async #run(message: WaitingMessage, account: OpenAccount, earliestLt: bigint) {
    const { vm, moment, randSeed, ignoreSignature, deadlineMs, signal } = this.#options;
    const { config, prevBlocks, utime } = moment;
    const run = {
      ...{ shardAccount: account.boc, message: bocOf(message), config, prevBlocks, utime },
      ...{ randSeed, ignoreSignature },
      // The emulator learns from the account when its last transaction ended, but not from one that is gone.
      lt: earliestLt > account.endLt ? earliestLt : account.endLt,
    };
    const { outcome, elapsedSeconds } = await runWithLibraries(vm, run, moment.libraries, {
      deadlineMs,
      signal,
    });
    this.vmSeconds += elapsedSeconds;
    if (outcome.kind !== 'done')
      throw new Ended(message.isExternal ? refusalOf(outcome, this.vmSeconds) : 'failed');
    return outcome;
  }

  #sentBy({ cells, outMessages }: Transaction, depth: number): WaitingMessage[] {
    const parent = this.made.length - 1;
    const sent: WaitingMessage[] = [];
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
    if (performance.now() >= deadlineMs) throw new Ended('time');
    if (this.left <= 0) throw new Ended('transactions');
    if (this.#gas >= limits.gas) throw new Ended('gas');
    if (this.#bytes >= limits.bytes) throw new Ended('bytes');
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
