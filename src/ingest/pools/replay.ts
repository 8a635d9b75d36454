import { readBoc } from '../../chain/boc/bag.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { writeCellBoc } from '../../chain/boc/writer.ts';
import { ACCOUNT_NONE, type Account, codeHash, readAccount } from '../../chain/tlb/account.ts';
import { readShardAccount } from '../../chain/tlb/shard-accounts.ts';
import type { Transaction } from '../../chain/tlb/transaction.ts';
import { VmCrash, VmRunTooLong } from '../../vm/errors.ts';
import type { TransactionCause, TransactionRun } from '../../vm/runs.ts';
import type { VmConfig } from '../../vm/shared-inputs.ts';
import type { Vm } from '../../vm/vm.ts';
import type { PoolState } from './pool-transactions.ts';

/** A transaction with what its block gave to it. */
export interface ReplayedTransaction {
  readonly transaction: Transaction;
  readonly randSeed: Buffer;
}

/** A replay did not give the states of the chain, and will not. */
export class ReplayMismatch extends Error {
  override readonly name = 'ReplayMismatch';
}

interface Replay {
  /** The ShardAccount before the first transaction as a bag of cells. */
  readonly shardAccount: Buffer;
  readonly config: VmConfig;
  readonly transactions: readonly ReplayedTransaction[];
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/** The states after each of the transactions of an account, executed again; throws ReplayMismatch if a state has another hash. */
export async function replayStates(
  vm: Pick<Vm, 'runTransactions'>,
  { shardAccount, config, transactions, signal }: Replay,
): Promise<PoolState[]> {
  const runs = transactions.map(({ transaction, randSeed }, i): TransactionRun => {
    const { lt, now: utime } = transaction;
    return {
      ...causeOf(transaction),
      ...(i === 0 && { shardAccount }),
      config,
      lt,
      utime,
      randSeed,
    };
  });
  const outcomes = await vm.runTransactions(runs, { timeoutMs: TIMEOUT_MS, signal }).catch((error) => {
    const hasFailed = error instanceof VmCrash || error instanceof VmRunTooLong;
    throw hasFailed ? new ReplayMismatch('the emulator failed', { cause: error }) : error;
  });
  return outcomes.map((outcome, i) => {
    const { transaction } = transactions[i]!;
    if (outcome.kind !== 'done')
      throw new ReplayMismatch(`transaction at ${transaction.lt} was ${outcome.kind}`);
    const bag = readBoc(outcome.shardAccount);
    const account: CellRef = { cells: bag, cell: readShardAccount(new Slice(bag, bag.root)).account };
    if (!hashOf(account).equals(transaction.newStateHash))
      throw new ReplayMismatch(`transaction at ${transaction.lt} left another state`);
    return stateOf(account);
  });
}

function causeOf({ inMessage, description, lt }: Transaction): TransactionCause {
  if (inMessage !== undefined) return { message: writeCellBoc(inMessage.cells, inMessage.cell) };
  if (description.kind === 'tick_tock') return { tickTock: description.isTock ? 'tock' : 'tick' };
  throw new ReplayMismatch(`transaction at ${lt} has no message`);
}

/** The hash of an account state. */
export function hashOf(account: CellRef | undefined): Buffer {
  return account === undefined ? ACCOUNT_NONE : account.cells.hash(account.cell, 0);
}

/** Code and data of an account. */
export function stateOf(found: CellRef | undefined): PoolState {
  const account: Account | undefined = found && readAccount(found.cells, found.cell);
  if (found === undefined || account?.state.kind !== 'active')
    return { codeHash: undefined, data: undefined };
  const { data } = account.state.init;
  return {
    codeHash: codeHash(found.cells, account),
    data: data < 0 ? undefined : writeCellBoc(found.cells, data),
  };
}
