import { beginCell } from '@ton/core';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../src/chain/block-id.ts';
import { writeBoc, writeCellBoc } from '../../src/chain/boc/writer.ts';
import { CellArena } from '../../src/chain/state/arena.ts';
import { applyMerkleUpdate } from '../../src/chain/state/merkle-updates.ts';
import { readBlockExtra, readBlockInfo, readBlockRoot } from '../../src/chain/tlb/block.ts';
import { findShardAccount } from '../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../src/chain/tlb/shard-state.ts';
import type { Transaction } from '../../src/chain/tlb/transaction.ts';
import { type VmContext, VmContextReader } from '../../src/localnet/vm-context.ts';
import type { TransactionRun } from '../../src/vm/runs.ts';
import { readBlockTransactions } from '../chain/support/block-readers.ts';
import { recordedAnswer, recordedBag } from '../chain/support/recorded-network.ts';

/** The transactions of a block: how to make them again, and as they were made. */
export interface ReplayedBlock {
  readonly name: string;
  readonly runs: readonly TransactionRun[];
  readonly transactions: readonly Transaction[];
}

const WHOLE = '8000000000000000';

/** A masterchain block of the recorded network, by what the recording tells of it. */
export function masterchainId(block: { seqno: number; root_hash: string; file_hash: string }): BlockId {
  return {
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: block.seqno,
    rootHash: Buffer.from(block.root_hash, 'base64'),
    fileHash: Buffer.from(block.file_hash, 'base64'),
  };
}

const NO_ACCOUNT = beginCell()
  .storeRef(beginCell().storeBit(0).endCell())
  .storeUint(0, 256)
  .storeUint(0, 64)
  .endCell()
  .toBoc();

/** Follows the recorded network from its zero states: all blocks in the order in which they were made. */
export function* replayChain(): Generator<ReplayedBlock> {
  const arena = new CellArena();
  const states = new Map<string, number>();
  for (const name of [`-1_${WHOLE}_0`, `0_${WHOLE}_0`]) {
    const bag = recordedBag(`states/${name}`);
    states.set(name, arena.add(bag, bag.root));
  }
  const { zero_state: zero } = recordedAnswer('global.config').validator;
  const known = new Map<number, VmContext>();
  const surroundings = new VmContextReader();
  const learn = (block: BlockId): void => {
    const root = states.get(`-1_${WHOLE}_${block.seqno}`)!;
    known.set(block.seqno, surroundings.read(block, { cells: arena, cell: root }));
  };
  learn(masterchainId({ ...zero, seqno: 0 }));

  const replay = (name: string, before: string): ReplayedBlock => {
    const bag = recordedBag(`blocks/${name}`);
    const old = states.get(before)!;
    const root = readBlockRoot(bag, bag.root);
    const { masterRef, seqno, genUtime } = readBlockInfo(bag, root.info);
    const { randSeed } = readBlockExtra(bag, root.extra);
    const transactions = readBlockTransactions(bag, bag.root);
    const { accounts } = readShardState(arena, old);
    const runs = transactions.map((transaction, i): TransactionRun => {
      const { description, inMessage, account, lt } = transaction;
      const shared = { ...known.get(masterRef?.seqno ?? seqno - 1)!, lt, utime: genUtime, randSeed };
      const cause =
        description.kind === 'tick_tock'
          ? ({ tickTock: description.isTock ? 'tock' : 'tick' } as const)
          : { message: writeCellBoc(bag, inMessage!.cell) };
      if (i > 0 && transactions[i - 1]!.account.hash.equals(account.hash)) return { ...shared, ...cause };
      const found = findShardAccount(arena, accounts, account.hash);
      const shardAccount = found ? writeBoc(found, { order: 'core', crc: false }) : NO_ACCOUNT;
      return { ...shared, ...cause, shardAccount };
    });
    states.set(name, applyMerkleUpdate(arena, old, bag, root.stateUpdate));
    return { name, runs, transactions };
  };

  for (const { seqno, block, new_shard_blocks: shardBlocks } of recordedAnswer('index').masterchain) {
    for (const { shard, seqno: shardSeqno } of shardBlocks) {
      const before = states.has(`0_${shard}_${shardSeqno - 1}`) ? shard : WHOLE;
      yield replay(`0_${shard}_${shardSeqno}`, `0_${before}_${shardSeqno - 1}`);
    }
    yield replay(`-1_${WHOLE}_${seqno}`, `-1_${WHOLE}_${seqno - 1}`);
    learn(masterchainId(block));
  }
}
