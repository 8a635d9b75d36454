import {
  beginCell,
  type Cell,
  loadTransaction,
  type Message,
  storeMessage,
  type Transaction,
} from '@ton/core';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc, writeCellBoc } from '../../../src/chain/boc/writer.ts';
import { methodIdByName } from '../../../src/chain/contracts/method-ids.ts';
import type { StackEntry } from '../../../src/chain/stack/entries.ts';
import { readStackBoc, writeStackBoc } from '../../../src/chain/stack/vm-stack.ts';
import { type Account, readAccount } from '../../../src/chain/tlb/account.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { findShardAccount, readShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { prepareConfig } from '../../../src/vm/shared-inputs.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import type { Genesis } from '../support/genesis.ts';

/** Runs one contract of a zero state in the emulator, one transaction after another. */
export interface ContractRunner {
  tickTock(which: 'tick' | 'tock'): Promise<Transaction>;
  /** Throws the exit code of an external message that is not accepted. */
  receive(message: Message | Cell): Promise<Transaction>;
  get(method: string, ...args: readonly StackEntry[]): Promise<StackEntry[]>;
  account(): Account;
  data(): Cell;
}

/** An external message that a contract does not accept. */
class NotAccepted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`not accepted: ${exitCode}`);
    this.exitCode = exitCode;
  }
}

const SEED = Buffer.alloc(32, 7);

/** Opens a contract of a zero state at a time. */
export function createContractRunner(
  vm: Vm,
  genesis: Genesis,
  address: { readonly workchain: number; readonly id: Buffer },
  utime: number,
): ContractRunner {
  const [masterchain, basechain] = genesis.zeroStates.map((bytes) => readBoc(bytes));
  const { custom } = readShardState(masterchain!, masterchain!.root);
  const configRoot = readMcStateExtra(masterchain!, custom).config;
  const config = prepareConfig(writeCellBoc(masterchain!, configRoot));
  const state = address.workchain === 0 ? basechain! : masterchain!;
  const found = findShardAccount(state, readShardState(state, state.root).accounts, address.id)!;
  let shardAccount = writeBoc(found, { order: 'core' });
  let lt = 1_000_000n;

  async function transact(cause: { tickTock: 'tick' | 'tock' } | { message: Buffer }): Promise<Transaction> {
    lt += 1_000_000n;
    const outcome = await vm.runTransaction({ ...cause, shardAccount, config, lt, utime, randSeed: SEED });
    if (outcome.kind === 'not_accepted') throw new NotAccepted(outcome.exitCode);
    if (outcome.kind === 'refused') throw new Error(outcome.text);
    shardAccount = outcome.shardAccount;
    const bag = readBoc(outcome.transaction);
    return loadTransaction(toCoreCell(bag, bag.root).beginParse());
  }

  function open(): { account: Account; code: Cell; data: Cell } {
    const bag = readBoc(shardAccount);
    const account = readAccount(bag, readShardAccount(new Slice(bag, bag.root)).account)!;
    if (account.state.kind !== 'active') throw new Error('the contract is not active');
    const { code, data } = account.state.init;
    return { account, code: toCoreCell(bag, code), data: toCoreCell(bag, data) };
  }

  return {
    tickTock: (which) => transact({ tickTock: which }),
    receive(message) {
      const cell = 'info' in message ? beginCell().store(storeMessage(message)).endCell() : message;
      return transact({ message: cell.toBoc() });
    },
    async get(method, ...args) {
      const { account, code, data } = open();
      const result = await vm.runGetMethod({
        code: code.toBoc(),
        data: data.toBoc(),
        address: `${address.workchain}:${address.id.toString('hex')}`,
        balance: account.balance.grams,
        config,
        utime,
        methodId: methodIdByName(method),
        stack: writeStackBoc(args),
      });
      if (result.exitCode !== 0) throw new Error(`${method} ends with exit code ${result.exitCode}`);
      return readStackBoc(result.stack);
    },
    account: () => open().account,
    data: () => open().data,
  };
}
