import {
  type Address,
  Cell,
  getMethodId,
  loadTransaction,
  parseTuple,
  serializeTuple,
  type Transaction,
  type TupleItem,
  TupleReader,
} from '@ton/core';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { iterateTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { createLocalnet, type Localnet } from '../../../src/localnet/chain/localnet.ts';
import { createValidatorSigner } from '../../../src/localnet/chain/validators.ts';
import { createCollator } from '../../../src/localnet/collate/collator.ts';
import { createDemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { headState } from '../../../src/localnet/store/head-state.ts';
import { parseBlock, shardTops } from '../../../src/localnet/store/parse-block.ts';
import { VmContextReader } from '../../../src/localnet/vm-context.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

/** The genesis time of test chains. */
export const GENESIS_TIME = 1_800_000_000;

/** Opens the chain of a folder with a fixed clock; it makes blocks on request. */
export function openDemoLocalnet(folder: string, vm: Vm, shards: 1 | 2 | 4 = 1): Promise<Localnet> {
  return createLocalnet({
    folder,
    vm,
    settings: { blockMs: 1000, mine: 'interval', shards },
    makeZeroStates: async (genesis) => (await createGenesis(genesis)).zeroStates,
    createCollator: (store) => createCollator({ store, vm, signer: createValidatorSigner() }),
    log: createQuietLog(),
    clock: () => GENESIS_TIME,
  });
}

/** The result stack of a get-method at the head; throws if it fails. */
export async function getFrom(
  { localnet, vm }: { localnet: Localnet; vm: Vm },
  address: Address,
  method: string,
  stack: TupleItem[] = [],
): Promise<TupleReader> {
  const account = createDemoChain(localnet).account(address);
  if (account?.storage.state.type !== 'active') throw new Error(`${address} is not active`);
  const { code, data } = account.storage.state.state;
  const head = headState(localnet.store);
  const result = await vm.runGetMethod({
    ...new VmContextReader().read(head.id, head),
    code: code!.toBoc(),
    data: data!.toBoc(),
    address: address.toRawString(),
    balance: account.storage.balance.coins,
    utime: head.state.genUtime,
    methodId: getMethodId(method),
    stack: serializeTuple(stack).toBoc(),
  });
  if (result.exitCode !== 0) throw new Error(`${method} ended with ${result.exitCode}`);
  return new TupleReader(parseTuple(Cell.fromBoc(result.stack)[0]!));
}

/** All transactions of a chain by the raw addresses of their accounts. */
export function transactionsOf(store: ChainStore): Map<string, Transaction[]> {
  const found = new Map<string, Transaction[]>();
  for (let seqno = 1; seqno <= store.head.seqno; seqno++) {
    const masterchain = store.masterchainBlock(seqno)!;
    const tops = shardTops(parseBlock(store.open(masterchain).bytes));
    for (const block of [...tops.map((id) => store.block(id)), masterchain]) {
      if (block === undefined || block.masterchainSeqno !== seqno) continue;
      const { cells, cell: root } = store.open(block);
      const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, root).extra);
      for (const { account, cell } of iterateTransactions(cells, accountBlocks)) {
        const key = `${block.id.workchain}:${account.toString('hex')}`;
        const transaction = loadTransaction(toCoreCell(cells, cell).beginParse());
        found.set(key, [...(found.get(key) ?? []), transaction]);
      }
    }
  }
  return found;
}
