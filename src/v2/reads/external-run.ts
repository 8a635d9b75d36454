import { beginCell, type Cell } from '@ton/core';
import { toCoreCell } from '../../chain/boc/core-cell.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { readTransaction } from '../../chain/tlb/transaction.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { Vm } from '../../vm/create-vm.ts';
import { type LibrarySource, runWithLibraries } from '../../vm/run-with-libraries.ts';
import type { TransactionRun } from '../../vm/transaction-run.ts';
import type { V2Call } from '../call.ts';
import { internalFault } from './internal-fault.ts';

/** A contract about to get a message from outside. */
export interface ExternalRun
  extends Pick<TransactionRun, 'config' | 'prevBlocks' | 'utime' | 'ignoreSignature'> {
  readonly account: AccountId;
  readonly code: FoundCell;
  readonly data: FoundCell | undefined;
  /** What the contract sees as its balance. */
  readonly balance: bigint;
  /** The root of a dictionary. */
  readonly extraCurrencies: FoundCell | undefined;
  /** A bag of cells with a message to the account, without an init. */
  readonly message: Uint8Array;
  /** What a transaction takes from the balance for the message before the contract runs. */
  readonly importFee: bigint;
}

/** What a contract did with a message from outside. */
export interface ExternalOutcome {
  readonly accepted: boolean;
  readonly gasUsed: bigint;
  /** The list of its actions, if it succeeded. */
  readonly actions: FoundCell | undefined;
}

/** The contract did not accept the message, or there is none. */
export const NOT_ACCEPTED: ExternalOutcome = { accepted: false, gasUsed: 0n, actions: undefined };
/** Any but zeros, in whose place the emulator would put a random one. */
const RAND_SEED = Buffer.alloc(32, 1);

/**
 * Runs a contract on a message from outside. The emulator does it only as a part of a transaction, so the account is
 * made up such that nothing of a transaction is felt by the contract: it has paid its rent, and has the cost of
 * importing the message on top of its balance.
 */
export async function runExternal(
  vm: Vm,
  run: ExternalRun,
  libraries: LibrarySource,
  patience: Pick<V2Call, 'deadlineMs' | 'signal'>,
): Promise<ExternalOutcome> {
  const { config, prevBlocks, utime, ignoreSignature, message } = run;
  const shardAccount = shardAccountOf(run).toBoc({ idx: false, crc32: false });
  const { outcome } = await runWithLibraries(
    vm,
    {
      ...{ shardAccount, message, config, prevBlocks, utime, lt: 0n, randSeed: RAND_SEED },
      ...(ignoreSignature !== undefined && { ignoreSignature }),
    },
    libraries,
    patience,
  );
  if (outcome.kind === 'not_accepted') return NOT_ACCEPTED;
  if (outcome.kind === 'refused') throw internalFault(outcome.text);
  const bag = readBoc(outcome.transaction);
  const { description } = readTransaction(bag, bag.root, run.account.workchain);
  if (description.kind !== 'ord' || description.compute.skipped) throw internalFault('the code was not run');
  const { gasUsed, success } = description.compute;
  const actions = success && outcome.actions ? readBoc(outcome.actions) : undefined;
  return {
    accepted: true,
    gasUsed: BigInt(gasUsed),
    actions: actions && { cells: actions, cell: actions.root },
  };
}

function shardAccountOf(run: ExternalRun): Cell {
  const { account, utime, balance, importFee } = run;
  const [extra, code, data] = [run.extraCurrencies, run.code, run.data].map(
    (part) => part && toCoreCell(part.cells, part.cell),
  );
  const made = beginCell().storeBit(1);
  made.storeUint(0b100, 3).storeInt(account.workchain, 8).storeBuffer(account.hash);
  // Storage: nothing used, no extra, paid until now, nothing due.
  made
    .storeUint(0, 3 + 3 + 3)
    .storeUint(utime, 32)
    .storeBit(0);
  made.storeUint(0, 64);
  made.storeCoins(balance + importFee).storeMaybeRef(extra);
  // Active, neither a prefix nor special; no libraries.
  made.storeUint(0b1_00, 3).storeMaybeRef(code).storeMaybeRef(data).storeBit(0);
  return beginCell().storeRef(made.endCell()).storeUint(0, 256).storeUint(0, 64).endCell();
}
