import { expect } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/cell-bag.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { type Block, readBlock } from '../../../src/chain/tlb/block.ts';
import { readBlockTransactions } from '../../../src/chain/tlb/block-transactions.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { totalImportFees, walkInMsgDescr } from '../../../src/chain/tlb/in-msg-descr.ts';
import { readMasterchainMessages } from '../../../src/chain/tlb/masterchain-extra.ts';
import { readMessageEnvelope } from '../../../src/chain/tlb/message-envelope.ts';
import { totalExported, walkOutMsgDescr } from '../../../src/chain/tlb/out-msg-descr.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import type { Collated } from '../../../src/localnet/collate/create-collator.ts';

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

  check({ step, transactions }: Collated): void {
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
