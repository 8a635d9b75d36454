import type { Address, Cell } from '@ton/core';
import type { AccountId } from '../../../src/chain/address.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { methodIdByName } from '../../../src/chain/contracts/method-ids.ts';
import { type ContractReader, MethodResult, throwMismatch } from '../../../src/chain/contracts/probe.ts';
import type { StackEntry } from '../../../src/chain/stack/entries.ts';
import { readStackBoc, writeStackBoc } from '../../../src/chain/stack/vm-stack.ts';
import { Failure } from '../../../src/lib/errors.ts';
import { VmRefusal } from '../../../src/vm/errors.ts';
import { writeLibraries } from '../../../src/vm/shared-inputs.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { boc, config, UTIME } from '../../vm/built-data.ts';

/** A contract to probe. */
interface TestContract {
  readonly account: AccountId | Address;
  readonly code: Cell;
  readonly data: Cell;
  readonly balance?: bigint;
}

/** Contracts that run in a separate VM. */
export interface TestProbes {
  /** Adds or replaces a contract. */
  put(contract: TestContract): ContractReader;
  /** An added contract; throws InterfaceMismatch if it does not exist. */
  of(account: AccountId | Address): ContractReader;
  close(): Promise<void>;
}

interface TestProbesOptions {
  readonly contracts?: Iterable<TestContract>;
  /** The time that contracts see, in Unix seconds. */
  readonly utime?: number;
  readonly libraries?: readonly Cell[];
}

/** Enough for all contracts here; those that loop take it all. */
const GAS_LIMIT = 200_000;

/** Starts a VM with contracts that are probed like in detection. */
export function openTestProbes(options: TestProbesOptions = {}): TestProbes {
  const { contracts = [], utime = UTIME, libraries = [] } = options;
  const vm = sharedVm();
  const shared = writeLibraries(libraries.map(boc));
  const known = new Map<string, ContractReader>();

  async function run(
    { code, data, balance = 10n ** 9n }: TestContract,
    address: string,
    method: string,
    args: readonly StackEntry[] = [],
  ): Promise<MethodResult> {
    try {
      const { exitCode, stack } = await vm.runGetMethod({
        code: boc(code),
        data: boc(data),
        address,
        balance,
        config,
        utime,
        gasLimit: GAS_LIMIT,
        libraries: shared,
        methodId: methodIdByName(method),
        stack: args.length === 0 ? undefined : writeStackBoc(args),
      });
      return exitCode === 0 ? new MethodResult(readStackBoc(stack)) : throwMismatch(`exit code ${exitCode}`);
    } catch (error) {
      const isTheirs = error instanceof CellError || error instanceof VmRefusal;
      if (isTheirs || (error instanceof Failure && error.kind === 'lite_server'))
        return throwMismatch(error.message);
      throw error;
    }
  }

  const of = (account: AccountId | Address): ContractReader =>
    known.get(nameOf(account)) ?? throwMismatch('no such contract');

  function put(contract: TestContract): ContractReader {
    const account = { workchain: workchainOf(contract.account), hash: contract.account.hash };
    const name = nameOf(account);
    const probe: ContractReader = {
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
