import type { Address, Cell } from '@ton/core';
import { CellFault } from '../../../../src/chain/boc/cell-fault.ts';
import { MethodAnswer } from '../../../../src/chain/contracts/method-answer.ts';
import { refuse } from '../../../../src/chain/contracts/not-that.ts';
import type { Probe } from '../../../../src/chain/contracts/probe.ts';
import { methodIdOfName } from '../../../../src/chain/stack/method-id.ts';
import { readStackBoc } from '../../../../src/chain/stack/read-stack.ts';
import type { StackEntry } from '../../../../src/chain/stack/stack-entry.ts';
import { writeStackBoc } from '../../../../src/chain/stack/write-stack.ts';
import type { AccountId } from '../../../../src/chain/tl/names.ts';
import { Failure } from '../../../../src/lib/failure.ts';
import { createVm } from '../../../../src/vm/create-vm.ts';
import { VmRefusal } from '../../../../src/vm/errors.ts';
import { writeLibraries } from '../../../../src/vm/write-libraries.ts';
import { createQuietLog } from '../../../support/quiet-log.ts';
import { boc, config, UTIME } from '../../../vm/built-data.ts';

/** A contract that can be asked. */
interface TestContract {
  readonly account: AccountId | Address;
  readonly code: Cell;
  readonly data: Cell;
  readonly balance?: bigint;
}

/** Contracts that run in a virtual machine of their own. */
export interface TestProbes {
  /** Adds a contract, or puts it in the place of the one that was there. */
  put(contract: TestContract): Probe;
  /** One that was added; throws NotThat when it was not. */
  of(account: AccountId | Address): Probe;
  close(): Promise<void>;
}

interface TestProbesOptions {
  readonly contracts?: Iterable<TestContract>;
  /** Unix seconds that the contracts see. */
  readonly utime?: number;
  readonly libraries?: readonly Cell[];
}

const GAS_LIMIT = 1_000_000;

/** Starts a virtual machine with contracts to ask, as the detection of the index asks them. */
export function openTestProbes(options: TestProbesOptions = {}): TestProbes {
  const { contracts = [], utime = UTIME, libraries = [] } = options;
  const vm = createVm({ log: createQuietLog(), threads: 1, timeoutMs: 60_000, runLimitMs: 60_000 });
  const shared = writeLibraries(libraries.map(boc));
  const known = new Map<string, Probe>();

  async function run(
    { code, data, balance = 10n ** 9n }: TestContract,
    address: string,
    method: string,
    args: readonly StackEntry[] = [],
  ): Promise<MethodAnswer> {
    try {
      const { exitCode, stack } = await vm.runGetMethod({
        ...{ code: boc(code), data: boc(data), address, balance, config, utime, gasLimit: GAS_LIMIT },
        ...{ libraries: shared, methodId: methodIdOfName(method) },
        stack: args.length === 0 ? undefined : writeStackBoc(args),
      });
      return exitCode === 0 ? new MethodAnswer(readStackBoc(stack)) : refuse(`exit code ${exitCode}`);
    } catch (error) {
      const isTheirs = error instanceof CellFault || error instanceof VmRefusal;
      if (isTheirs || (error instanceof Failure && error.kind === 'lite_server'))
        return refuse(error.message);
      throw error;
    }
  }

  const of = (account: AccountId | Address): Probe =>
    known.get(nameOf(account)) ?? refuse('no such contract');

  function put(contract: TestContract): Probe {
    const account = { workchain: workchainOf(contract.account), hash: contract.account.hash };
    const name = nameOf(account);
    const probe: Probe = {
      account,
      run: (method, args) => run(contract, name, method, args),
      beside: async (other) => of(other),
    };
    known.set(name, probe);
    return probe;
  }

  for (const contract of contracts) put(contract);
  return { put, of, close: () => vm.close() };
}

function nameOf(account: AccountId | Address): string {
  return `${workchainOf(account)}:${account.hash.toString('hex')}`;
}

function workchainOf(account: AccountId | Address): number {
  return 'workChain' in account ? account.workChain : account.workchain;
}
