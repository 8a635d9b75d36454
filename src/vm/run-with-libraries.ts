import { type CellBag, readBoc } from '../chain/boc/bag.ts';
import { Slice } from '../chain/boc/slice.ts';
import { readAccount } from '../chain/tlb/account.ts';
import { allLibrariesIn, librariesIn } from '../chain/tlb/libraries.ts';
import { readShardAccount } from '../chain/tlb/shard-accounts.ts';
import type { TransactionOutcome, TransactionRun } from './runs.ts';
import type { SharedBoc } from './shared-inputs.ts';
import type { RunLimits, Vm } from './vm.ts';

export interface LibrarySource {
  /** Finds libraries; returns those that exist and were not found before, as bags of cells. */
  find(hashes: readonly Buffer[]): Promise<readonly Uint8Array[]>;
  /** All libraries found so far, as input of runs. */
  share(): SharedBoc | undefined;
}

/** A message, with the account it is for. */
type MessageRun = Omit<TransactionRun, 'libraries'> & {
  readonly shardAccount: Uint8Array;
  readonly message: Uint8Array;
};

/** How often a run is repeated because a library was missing. */
const MAX_RESTARTS = 8;

/**
 * Executes a transaction with the libraries that it needs. Those that the code and the message refer to are fetched
 * first. The emulator reports that a library was missing but not which, so then all are fetched that the account, the
 * message or a library refers to; one whose hash the contract computes is not found. `limitsOfRun` is asked before each
 * run, and the time is that of all runs.
 */
export async function runWithLibraries(
  vm: Vm,
  run: MessageRun,
  libraries: LibrarySource,
  limitsOfRun: () => RunLimits,
): Promise<{ readonly outcome: TransactionOutcome; readonly elapsedSeconds: number }> {
  const account = readBoc(run.shardAccount);
  const message = readBoc(run.message);
  let result = await libraries.find([...inCode(account), ...librariesIn(message, message.root)]);
  let unread: readonly CellBag[] = [account, message, ...result.map(readBoc)];
  let elapsedSeconds = 0;
  for (let restarts = 0; ; restarts++) {
    const outcome = await vm.runTransaction({ ...run, libraries: libraries.share() }, limitsOfRun());
    if (outcome.kind === 'refused') return { outcome, elapsedSeconds };
    elapsedSeconds += outcome.elapsedSeconds;
    if (!outcome.lacksLibrary || restarts === MAX_RESTARTS) return { outcome, elapsedSeconds };
    result = await libraries.find(unread.flatMap(allLibrariesIn));
    if (result.length === 0) return { outcome, elapsedSeconds };
    unread = result.map(readBoc);
  }
}

function inCode(bag: CellBag): Buffer[] {
  const account = readAccount(bag, readShardAccount(new Slice(bag, bag.root)).account);
  const code = account?.state.kind === 'active' ? account.state.init.code : -1;
  return code < 0 ? [] : librariesIn(bag, code);
}
