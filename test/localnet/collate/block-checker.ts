import { beginCell, Cell } from '@ton/core';
import { expect } from 'vitest';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import type { CellRef } from '../../../src/chain/boc/cells.ts';
import { writeBoc, writeCellBoc } from '../../../src/chain/boc/writer.ts';
import { previousBlocks } from '../../../src/chain/tlb/block.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { readMasterchainMessages } from '../../../src/chain/tlb/masterchain-block.ts';
import { readMessageEnvelope } from '../../../src/chain/tlb/msg-descr.ts';
import { findShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import type { CollatedStep } from '../../../src/localnet/collate/collator.ts';
import { type VmContext, VmContextReader } from '../../../src/localnet/vm-context.ts';
import type { TransactionOutcome, TransactionRun } from '../../../src/vm/runs.ts';
import { type Block, readBlock, readBlockTransactions } from '../../chain/support/block-readers.ts';
import {
  totalExported,
  totalImportFees,
  walkInMsgDescr,
  walkOutMsgDescr,
} from '../../chain/support/block-walks.ts';
import type { LocalChain } from '../support/local-chain.ts';

/** Follows a chain and checks that its blocks say the same thing in all their parts, and fit together. */
export class BlockChecker {
  /** Messages between accounts that were sent and not delivered yet, by hash. */
  readonly #underWay = new Set<string>();
  readonly #delivered = new Set<string>();
  /** The last transaction of each account, and the hash of its state. */
  readonly #last = new Map<string, { hash: string; lt: bigint; state: string; isGone: boolean }>();
  readonly kinds = new Set<string>();
  transactions = 0;
  /** Those that a message caused. */
  ordinary = 0;

  /** Messages that were sent and not delivered yet. */
  get underWay(): number {
    return this.#underWay.size;
  }

  check({ step, transactions }: CollatedStep): void {
    const blocks = [...step.shards, step.masterchain].map(({ load }) => readBoc(load()));
    const before = this.transactions;
    for (const bag of blocks) this.#checkBlock(bag, readBlock(bag, bag.root));
    expect(this.transactions - before).toBe(transactions);
  }

  #checkBlock(bag: CellBag, block: Block): void {
    const transactions = readBlockTransactions(bag, bag.root);
    this.transactions += transactions.length;
    checkFlow(bag, block, transactions);
    this.#checkDescriptors(bag, block, transactions);
    for (const transaction of transactions) this.#checkAccount(transaction);
    // An account that is gone after a block begins anew.
    for (const [name, { isGone }] of this.#last) if (isGone) this.#last.delete(name);
  }

  #checkDescriptors(bag: CellBag, block: Block, transactions: readonly Transaction[]): void {
    const byHash = new Map(transactions.map((transaction) => [hex(transaction.hash), transaction]));
    const sent = new Map<string, Transaction>();
    for (const transaction of transactions)
      for (const message of transaction.outMessages) sent.set(hex(message.hash), transaction);
    walkOutMsgDescr(bag, block.extra.outMsgDescr, (hash, message) => {
      const name = hex(hash);
      this.kinds.add(`out ${message.kind}`);
      if (message.kind !== 'ext' && message.kind !== 'new' && message.kind !== 'imm') return;
      const transaction = sent.get(name);
      expect(bag.hash(message.transaction).equals(transaction!.hash)).toBe(true);
      sent.delete(name);
      if (message.kind !== 'ext') this.#underWay.add(name);
    });
    expect([...sent.keys()]).toEqual([]);

    const specials = specialMessages(bag, block);
    const caused = transactions.filter(({ inMessage }) => inMessage !== undefined).length;
    this.ordinary += caused;
    let inbound = 0;
    walkInMsgDescr(bag, block.extra.inMsgDescr, (hash, message) => {
      const name = hex(hash);
      inbound++;
      this.kinds.add(`in ${message.kind}`);
      if (message.kind !== 'ext' && message.kind !== 'fin' && message.kind !== 'imm')
        throw new Error(`an inbound message of the kind ${message.kind}`);
      const transaction = byHash.get(hex(bag.hash(message.transaction)));
      expect(hex(transaction!.inMessage!.hash)).toBe(name);
      if (message.kind === 'ext') return;
      expect(bag.hash(readMessageEnvelope(bag, message.envelope).message).equals(hash)).toBe(true);
      expect(this.#delivered.has(name)).toBe(false);
      this.#delivered.add(name);
      if (!specials.has(name)) expect(this.#underWay.delete(name)).toBe(true);
    });
    expect(inbound).toBe(caused);
  }

  #checkAccount(transaction: Transaction): void {
    const name = `${transaction.account.workchain}:${hex(transaction.account.hash)}`;
    const last = this.#last.get(name);
    if (last !== undefined) {
      expect(transaction.lt).toBeGreaterThan(last.lt);
      expect(transaction.prevTransLt).toBe(last.lt);
      expect(hex(transaction.prevTransHash)).toBe(last.hash);
      expect(hex(transaction.oldStateHash)).toBe(last.state);
    }
    const { hash, lt, newStateHash, endStatus } = transaction;
    const isGone = endStatus === 'nonexist';
    this.#last.set(name, { hash: hex(hash), lt, state: hex(newStateHash), isGone });
  }
}

/** Checks that no money comes from nowhere: in the block, and in the descriptors that it is added up from. */
function checkFlow(bag: CellBag, { valueFlow, extra }: Block, transactions: readonly Transaction[]): void {
  const { fromPrevBlock, imported, feesImported, created, minted, recovered } = valueFlow;
  const { toNextBlock, exported, feesCollected, burned } = valueFlow;
  const came = sums(bag, fromPrevBlock, imported, feesImported, created, minted, recovered);
  const went = sums(bag, toNextBlock, exported, feesCollected, ...(burned === undefined ? [] : [burned]));
  expect(came).toEqual(went);

  const imports: CurrencyCollection[] = [];
  let importFees = 0n;
  walkInMsgDescr(bag, extra.inMsgDescr, (_hash, _message, fees) => {
    imports.push(fees.valueImported);
    importFees += fees.feesCollected;
  });
  const total = totalImportFees(bag, extra.inMsgDescr);
  expect(sums(bag, total.valueImported)).toEqual(sums(bag, ...imports));
  expect(sums(bag, imported)).toEqual(sums(bag, ...imports));
  expect(total.feesCollected).toBe(importFees);

  const exports: CurrencyCollection[] = [];
  walkOutMsgDescr(bag, extra.outMsgDescr, (_hash, _message, value) => {
    exports.push(value);
  });
  expect(sums(bag, totalExported(bag, extra.outMsgDescr))).toEqual(sums(bag, ...exports));
  expect(sums(bag, exported)).toEqual(sums(bag, ...exports));
  if (burned === undefined) {
    const fees = transactions.reduce((sum, { totalFees }) => sum + totalFees.grams, importFees);
    expect(feesCollected.grams).toBe(fees + created.grams + feesImported.grams);
  }
}

function sums(bag: CellBag, ...amounts: readonly CurrencyCollection[]): Record<string, bigint> {
  const total: Record<string, bigint> = { grams: 0n };
  for (const amount of amounts) {
    total.grams! += amount.grams;
    for (const { id, amount: more } of readExtraCurrencies(bag, amount)) total[id] = (total[id] ?? 0n) + more;
  }
  return total;
}

/** The hashes of messages that come from no account. */
function specialMessages(bag: CellBag, { masterchain }: Block): Set<string> {
  const found = new Set<string>();
  if (masterchain === undefined) return found;
  const { recoverCreateMsg, mintMsg } = readMasterchainMessages(bag, masterchain.messages);
  for (const cell of [recoverCreateMsg, mintMsg])
    if (cell >= 0) found.add(hex(bag.hash(readMessageEnvelope(bag, bag.ref(cell, 0)).message)));
  return found;
}

function hex(hash: Buffer): string {
  return hash.toString('hex');
}

const NO_ACCOUNT = beginCell()
  .storeRef(beginCell().storeBit(0))
  .storeUint(0, 256)
  .storeUint(0, 64)
  .endCell()
  .toBoc();

/** Makes the transactions of a step anew from its blocks and the states before them: they must be the same. */
export async function reExecute({ step }: CollatedStep, chain: LocalChain): Promise<void> {
  const { store, vm } = chain;
  const head = stateOf(chain, store.head);
  const surroundings = new VmContextReader().read(store.head, head);
  for (const { load } of [...step.shards, step.masterchain]) {
    const bag = readBoc(load());
    const { info, extra } = readBlock(bag, bag.root);
    const before = stateOf(chain, previousBlocks(info)[0]!);
    const { accounts } = readShardState(before.cells, before.cell);
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

function stateOf({ store }: LocalChain, id: BlockId): CellRef {
  const tree = store.state(id);
  if (tree === undefined || tree === 'gone') throw new Error('a state is not there');
  return tree;
}

function runOf({ cells, description, inMessage, lt }: Transaction, surroundings: VmContext) {
  if (description.kind === 'tick_tock')
    return { ...surroundings, lt, tickTock: description.isTock ? 'tock' : 'tick' } as const;
  return { ...surroundings, lt, message: writeCellBoc(cells, inMessage!.cell) };
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
