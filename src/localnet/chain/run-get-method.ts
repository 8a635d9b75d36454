import { readAccount } from '../../chain/tlb/account.ts';
import { readExtraCurrencies } from '../../chain/tlb/currency.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import type { Vm } from '../../vm/create-vm.ts';
import type { RunGetMethod } from '../lite-server/get-method-port.ts';
import { bocOf, SurroundingsReader } from '../run-surroundings.ts';
import type { ChainStore } from '../store/chain-store.ts';

const MAX_BALANCE = 2n ** 63n - 1n;
/** A bag of cells with an empty cell, for accounts that have code or data of nothing. */
const EMPTY_CELL = Buffer.from('b5ee9c7201010101000200000000', 'hex');

/** Makes what runs the get-methods that lite clients ask for. */
export function createRunGetMethod(store: ChainStore, vm: Vm): RunGetMethod {
  const surroundings = new SurroundingsReader();
  return async ({ address, account, masterchainState, utime, methodId, params, gasLimit }) => {
    const { cells } = account;
    const read = readAccount(cells, account.root);
    if (read?.state.kind !== 'active') throw new Error('a get-method of an account that is not active');
    const { code, data } = read.state.init;
    const { seqno } = readShardState(masterchainState.cells, masterchainState.root);
    const id = seqno === 0 ? { ...store.head, ...store.zeroState, seqno } : store.masterchainBlock(seqno)!.id;
    const grams = read.balance.grams;
    const run = {
      ...surroundings.read(id, masterchainState),
      code: code < 0 ? EMPTY_CELL : bocOf(cells, code),
      data: data < 0 ? EMPTY_CELL : bocOf(cells, data),
      address: `${address.workchain}:${address.hash.toString('hex')}`,
      balance: grams > MAX_BALANCE ? MAX_BALANCE : grams,
      extraCurrencies: readExtraCurrencies(cells, read.balance),
      utime,
      methodId: Number(BigInt.asIntN(32, methodId)),
      stack: params.length === 0 ? undefined : params,
      gasLimit,
    };
    const { exitCode, stack } = await vm.runGetMethod(run);
    return { exitCode, stack };
  };
}
