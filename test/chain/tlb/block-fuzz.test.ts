import { beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellFault } from '../../../src/chain/boc/cell-fault.ts';
import { readBoc } from '../../../src/chain/boc/read-boc.ts';
import { readBlock } from '../../../src/chain/tlb/block.ts';
import { previousBlocks } from '../../../src/chain/tlb/block-previous.ts';
import { readBlockTransactions, walkTransactions } from '../../../src/chain/tlb/block-transactions.ts';
import { walkInMsgDescr } from '../../../src/chain/tlb/in-msg-descr.ts';
import { readMasterchainMessages } from '../../../src/chain/tlb/masterchain-extra.ts';
import { readShardFees } from '../../../src/chain/tlb/masterchain-extra-fees.ts';
import { normalizedHash } from '../../../src/chain/tlb/message-normalized-hash.ts';
import { walkOutMsgDescr } from '../../../src/chain/tlb/out-msg-descr.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { fuzzDecoders } from '../../support/fuzz/fuzz-decoder.ts';
import { sampleBlock, sampleMasterBlock, sampleTransactions, shardTop } from './block-sample.ts';

/** Reads everything that a block holds. */
function readAll(bytes: Buffer): void {
  const bag = readBoc(bytes);
  const { info, extra, masterchain } = readBlock(bag, bag.root);
  previousBlocks(info);
  for (const { inMessage } of readBlockTransactions(bag, bag.root))
    if (inMessage !== undefined) normalizedHash(inMessage);
  walkInMsgDescr(bag, extra.inMsgDescr, () => {});
  walkOutMsgDescr(bag, extra.outMsgDescr, () => {});
  if (masterchain === undefined) return;
  readShardHashes(bag, masterchain.shardHashes);
  readShardFees(bag, masterchain.shardFees);
  readMasterchainMessages(bag, masterchain.messages);
}

describe('damaged blocks', () => {
  it('are read or refused with a CellFault', () => {
    const seeds = [
      sampleBlock(sampleTransactions(3, 4)).bytes,
      sampleMasterBlock([shardTop(0, 2n ** 62n, 5), shardTop(0, -(2n ** 62n), 6)]).bytes,
    ];
    const report = fuzzDecoders({
      targets: [{ name: 'block', seeds, decode: readAll }],
      fault: CellFault,
      rounds: 6000,
      seed: 20_261,
      hangMs: 50,
    });
    expect(report.problems).toEqual([]);
    expect(report.refused).toBeGreaterThan(100);
    expect(report.accepted).toBeGreaterThan(100);
  });

  it('a dictionary of accounts that stands for more transactions than there are cells', () => {
    const [transaction] = sampleTransactions(1, 1);
    const amount = (builder = beginCell()) => builder.storeUint(0, 5);
    // Each fork has the same cell on both sides, so 200 cells stand for 2^200 accounts.
    const leaf = amount(beginCell().storeUint(0b10, 2).storeUint(56, 6).storeUint(0, 56))
      .storeUint(5, 4)
      .storeUint(0, 256)
      .storeUint(0b10, 2)
      .storeUint(64, 7)
      .storeUint(1, 64)
      .storeUint(0, 5)
      .storeRef(transaction!.cell)
      .storeRef(beginCell().storeUint(0x72, 8).storeUint(0, 512))
      .endCell();
    let tree: Cell = leaf;
    for (let i = 0; i < 200; i++)
      tree = amount(beginCell().storeUint(0, 2).storeRef(tree).storeRef(tree)).endCell();
    const bag = readBoc(amount(beginCell().storeBit(1).storeRef(tree)).endCell().toBoc());
    let count = 0;
    const visit = () => {
      count++;
    };
    expect(() => walkTransactions(bag, bag.root, visit)).toThrow(CellFault);
    expect(count).toBeLessThanOrEqual(bag.count);
  });
});
