import { expect } from 'vitest';
import type { CellBag } from '../../../src/chain/boc/bag.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { readMasterchainMessages } from '../../../src/chain/tlb/masterchain-block.ts';
import { readMessage } from '../../../src/chain/tlb/message.ts';
import { type InMsg, type OutMsg, readInMsg, readMessageEnvelope } from '../../../src/chain/tlb/msg-descr.ts';
import type { Transaction } from '../../../src/chain/tlb/transaction.ts';
import { type Block, readBlock, readBlockTransactions } from './block-readers.ts';
import {
  readShardFees,
  totalExported,
  totalImportFees,
  walkInMsgDescr,
  walkOutMsgDescr,
} from './block-walks.ts';

/** All that is in a block. */
export interface WholeBlock {
  readonly block: Block;
  readonly transactions: readonly Transaction[];
  readonly inMsgs: readonly InMsg[];
  readonly outMsgs: readonly OutMsg[];
}

/** Reads everything in a block and checks that its parts fit together. */
export function readWhole(bag: CellBag): WholeBlock {
  const block = readBlock(bag, bag.root);
  const transactions = readBlockTransactions(bag, bag.root);
  const known = new Set(transactions.map(({ cell }) => cell));
  const messageOf = (entry: InMsg | OutMsg): Buffer | undefined => {
    if ('transaction' in entry && !known.has(entry.transaction)) throw new Error('an unknown transaction');
    if ('message' in entry) return readMessage(bag, entry.message).hash;
    if ('envelope' in entry) return readMessage(bag, readMessageEnvelope(bag, entry.envelope).message).hash;
    return undefined;
  };

  const inMsgs: InMsg[] = [];
  let collected = 0n;
  let imported = 0n;
  walkInMsgDescr(bag, block.extra.inMsgDescr, (hash, entry, fees) => {
    inMsgs.push(entry);
    if (!messageOf(entry)?.equals(hash)) throw new Error('a message under a wrong hash');
    collected += fees.feesCollected;
    imported += fees.valueImported.grams;
  });
  const total = totalImportFees(bag, block.extra.inMsgDescr);
  expect([total.feesCollected, total.valueImported.grams]).toEqual([collected, imported]);

  const outMsgs: OutMsg[] = [];
  let exported = 0n;
  walkOutMsgDescr(bag, block.extra.outMsgDescr, (hash, entry, value) => {
    outMsgs.push(entry);
    if (messageOf(entry)?.equals(hash) === false) throw new Error('a message under a wrong hash');
    exported += value.grams;
  });
  expect(totalExported(bag, block.extra.outMsgDescr).grams).toBe(exported);

  checkStateUpdate(bag, block);
  checkMasterchain(bag, block);
  const flow = block.valueFlow;
  const from = [
    flow.fromPrevBlock,
    flow.imported,
    flow.feesImported,
    flow.created,
    flow.minted,
    flow.recovered,
  ];
  const to = [flow.toNextBlock, flow.exported, flow.feesCollected, ...(flow.burned ? [flow.burned] : [])];
  expect(sum(bag, from)).toEqual(sum(bag, to));
  return { block, transactions, inMsgs, outMsgs };
}

function checkStateUpdate(bag: CellBag, { stateUpdate }: Block): void {
  expect(stateUpdate.oldHash).toEqual(bag.hash(stateUpdate.old, 0));
  expect(stateUpdate.newHash).toEqual(bag.hash(stateUpdate.new, 0));
  expect(stateUpdate.oldDepth).toBe(bag.depth(stateUpdate.old, 0));
  expect(stateUpdate.newDepth).toBe(bag.depth(stateUpdate.new, 0));
}

function checkMasterchain(bag: CellBag, { info, masterchain, valueFlow }: Block): void {
  expect(masterchain !== undefined).toBe(!info.notMaster);
  if (masterchain === undefined) return;
  expect(masterchain.keyBlock).toBe(info.keyBlock);
  const fees = readShardFees(bag, masterchain.shardFees);
  expect(
    sum(
      bag,
      fees.map((entry) => entry.fees),
    ),
  ).toEqual(sum(bag, [masterchain.totalShardFees.fees]));
  expect(sum(bag, [valueFlow.feesImported])).toEqual(sum(bag, [masterchain.totalShardFees.fees]));
  const { recoverCreateMsg, mintMsg } = readMasterchainMessages(bag, masterchain.messages);
  for (const cell of [recoverCreateMsg, mintMsg])
    if (cell >= 0) expect(readInMsg(new Slice(bag, cell))).toMatchObject({ kind: 'imm' });
}

/** The sum of amounts, by currency. */
function sum(bag: CellBag, amounts: readonly CurrencyCollection[]): Record<string, bigint> {
  const total: Record<string, bigint> = { grams: 0n };
  for (const amount of amounts) {
    total.grams! += amount.grams;
    for (const { id, amount: more } of readExtraCurrencies(bag, amount)) total[id] = (total[id] ?? 0n) + more;
  }
  return total;
}
