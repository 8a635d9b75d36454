import { beginCell, type Cell } from '@ton/core';
import type { AccountId } from '../../../src/chain/address.ts';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import type { BuiltBlock } from './block.ts';
import { createNetworkBuilder, type PlacedTransaction, type ZeroState } from './network-builder.ts';
import type { ConfigCells } from './states.ts';

/** A small network, with its blocks in order of creation. */
export interface SampleChain {
  readonly masterchain: readonly BuiltBlock[];
  readonly shardBlocks: readonly BuiltBlock[];
  readonly zeroState: ZeroState;
  /** Accounts of the masterchain, of the left and of the right half of the basechain. */
  readonly accounts: { readonly mc: AccountId; readonly left: AccountId; readonly right: AccountId };
  /** All transactions, newest first. */
  readonly transactions: readonly PlacedTransaction[];
  /** A public library that exists from masterchain block 3 on. */
  readonly library: Cell;
}

export const LEFT = 0x4000000000000000n;
export const RIGHT = -0x4000000000000000n;

/**
 * Builds the network: masterchain blocks 1 to 7, of which 3 is a key block, and basechain blocks 1 to 6. The basechain
 * splits after block 2 and merges before block 6. Masterchain block 4 brings no new shard block, block 5 brings two of
 * each shard.
 */
export function sampleChain(): SampleChain {
  const accounts = { mc: account(-1, 0x33), left: account(0, 0x22), right: account(0, 0xee) };
  const { mc, left, right } = accounts;
  const library = beginCell().storeStringTail('a public library').endCell();
  const network = createNetworkBuilder(configOf(1));
  const { masterchain, shardBlocks, transactions, mcZeroState, baseZeroState } = network;
  const addMaster = (tops: number, newConfig?: ConfigCells) =>
    network.addMasterchainBlock({
      shards: shardBlocks.slice(-tops),
      accounts: [mc],
      libraries: masterchain.length >= 2 ? [library] : [],
      ...(newConfig && { newConfig }),
    });
  const whole = { shard: WHOLE_SHARD, accounts: [left, right] };

  network.addShardBlock({ ...whole, seqno: 1, prev: [baseZeroState] });
  addMaster(1);
  network.addShardBlock({ ...whole, seqno: 2, prev: shardBlocks.slice(-1), beforeSplit: true });
  addMaster(1);
  const prev = shardBlocks.slice(-1);
  network.addShardBlock({ shard: LEFT, seqno: 3, accounts: [left], prev, afterSplit: true });
  network.addShardBlock({ shard: RIGHT, seqno: 3, accounts: [right], prev, afterSplit: true });
  addMaster(2, configOf(2));
  addMaster(2);
  for (const seqno of [4, 5]) {
    const [leftPrev, rightPrev] = shardBlocks.slice(-2);
    network.addShardBlock({ shard: LEFT, seqno, accounts: [left], prev: [leftPrev!] });
    network.addShardBlock({ shard: RIGHT, seqno, accounts: [right], prev: [rightPrev!] });
  }
  addMaster(2);
  network.addShardBlock({ ...whole, seqno: 6, prev: shardBlocks.slice(-2) });
  addMaster(1);
  addMaster(1);
  return { masterchain, shardBlocks, zeroState: mcZeroState, accounts, transactions, library };
}

function account(workchain: number, firstByte: number): AccountId {
  return { workchain, hash: Buffer.alloc(32, 0x11).fill(firstByte, 0, 1) };
}

/** Configurations that differ in param 8. */
function configOf(version: number): ConfigCells {
  return new Map([
    [0, beginCell().storeUint(0x55, 256).endCell()],
    [8, beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(0, 64).endCell()],
    [-7, beginCell().storeStringTail('a parameter of our own').endCell()],
  ]);
}
