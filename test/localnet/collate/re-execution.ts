import { beginCell, Cell } from '@ton/core';
import { expect } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { writeBoc } from '../../../src/chain/boc/write-boc.ts';
import { readBlock } from '../../../src/chain/tlb/block.ts';
import { previousBlocks } from '../../../src/chain/tlb/block-previous.ts';
import { readBlockTransactions } from '../../../src/chain/tlb/block-transactions.ts';
import { findShardAccount } from '../../../src/chain/tlb/shard-account.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import type { Collated } from '../../../src/localnet/collate/create-collator.ts';
import { bocOf, type RunSurroundings, SurroundingsReader } from '../../../src/localnet/run-surroundings.ts';
import type { CellTree } from '../../../src/localnet/store/chain-store.ts';
import type { TransactionOutcome, TransactionRun } from '../../../src/vm/transaction-run.ts';
import type { LocalChain } from './local-chain.ts';

const NO_ACCOUNT = beginCell()
  .storeRef(beginCell().storeBit(0))
  .storeUint(0, 256)
  .storeUint(0, 64)
  .endCell()
  .toBoc();

/** Makes the transactions of a step anew from its blocks and the states before them: they must be the same. */
export async function reExecute({ step }: Collated, chain: LocalChain): Promise<void> {
  const { store, vm } = chain;
  const head = stateOf(chain, store.head);
  const surroundings = new SurroundingsReader().read(store.head, head);
  for (const { load } of [...step.shards, step.masterchain]) {
    const bag = readBoc(load());
    const { info, extra } = readBlock(bag, bag.root);
    const before = stateOf(chain, previousBlocks(info)[0]!);
    const { accounts } = readShardState(before.cells, before.root);
    const transactions = readBlockTransactions(bag, bag.root);
    const runs = transactions.map((transaction, i): TransactionRun => {
      const run = { ...runOf(transaction, surroundings), utime: info.genUtime, randSeed: extra.randSeed };
      if (i > 0 && transactions[i - 1]!.account.hash.equals(transaction.account.hash)) return run;
      const found = findShardAccount(before.cells, accounts, transaction.account.hash);
      return { ...run, shardAccount: found ? writeBoc(found, { order: 'core', crc: false }) : NO_ACCOUNT };
    });
    const outcomes = await vm.runTransactions(runs, { timeoutMs: 60_000 });
    expect(outcomes.map((outcome, i) => hashOf(outcome, transactions[i]!))).toEqual(
      transactions.map(({ hash }) => hash.toString('hex')),
    );
  }
}

function stateOf({ store }: LocalChain, id: BlockId): CellTree {
  const tree = store.state(id);
  if (tree === undefined || tree === 'gone') throw new Error('a state is not there');
  return tree;
}

function runOf({ cells, description, inMessage, lt }: Transaction, surroundings: RunSurroundings) {
  if (description.kind === 'tick_tock')
    return { ...surroundings, lt, tickTock: description.isTock ? 'tock' : 'tick' } as const;
  return { ...surroundings, lt, message: bocOf(cells, inMessage!.cell) };
}

/** The hash of a transaction; it names the one before if the machine cannot know that of an account that is gone. */
function hashOf(
  outcome: TransactionOutcome,
  { prevTransHash, prevTransLt, origStatus }: Transaction,
): string {
  if (outcome.kind !== 'done') return outcome.text;
  const cell = Cell.fromBoc(outcome.transaction)[0]!;
  if (origStatus !== 'nonexist') return cell.hash().toString('hex');
  const slice = cell.beginParse();
  const builder = beginCell().storeBits(slice.loadBits(4 + 256 + 64));
  slice.skip(256 + 64);
  builder.storeBuffer(prevTransHash).storeUint(prevTransLt, 64).storeSlice(slice);
  return builder.endCell().hash().toString('hex');
}
