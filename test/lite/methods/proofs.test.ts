import { describe, expect, it } from 'vitest';
import { isPossibleBlock, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { shardContains } from '../../../src/chain/shards.ts';
import { formatShard, isAccountInBlock } from '../../../src/lite/methods/proofs.ts';

const LEFT = 0x4000000000000000n;
const RIGHT = -0x4000000000000000n;
const NO_HASH = Buffer.alloc(32);

describe('shard and block ids', () => {
  it('shardContains accepts prefixes that start like the shard', () => {
    for (const prefix of [0n, 1n, -1n, LEFT, RIGHT, WHOLE_SHARD])
      expect(shardContains(WHOLE_SHARD, prefix)).toBe(true);
    expect([0n, 1n, LEFT, 0x7fffffffffffffffn].map((prefix) => shardContains(LEFT, prefix))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([-1n, RIGHT, WHOLE_SHARD].map((prefix) => shardContains(LEFT, prefix))).toEqual([
      false,
      false,
      false,
    ]);
    // A node takes the name of a whole workchain for its second half: it starts with a one.
    expect(shardContains(RIGHT, WHOLE_SHARD)).toBe(true);
    expect(shardContains(0x2000000000000000n, 0x1234n)).toBe(true);
    expect(shardContains(0x2000000000000000n, 0x4000000000000000n)).toBe(false);
  });

  it('isAccountInBlock accepts blocks of the workchain and shard of the account', () => {
    const block = { workchain: 0, shard: RIGHT, seqno: 1, rootHash: NO_HASH, fileHash: NO_HASH };
    const account = { workchain: 0, hash: Buffer.alloc(32, 0xff) };
    expect(isAccountInBlock(block, account)).toBe(true);
    expect(isAccountInBlock(block, { ...account, workchain: -1 })).toBe(false);
    expect(isAccountInBlock(block, { ...account, hash: Buffer.alloc(32, 0x7f) })).toBe(false);
  });

  it('isPossibleBlock refuses ids that no block has', () => {
    const block = { workchain: 0, shard: RIGHT, seqno: 1, rootHash: NO_HASH, fileHash: NO_HASH };
    expect(isPossibleBlock(block)).toBe(true);
    expect(isPossibleBlock({ ...block, shard: 0n })).toBe(false);
    expect(isPossibleBlock({ ...block, workchain: -0x80000000 })).toBe(false);
    expect(isPossibleBlock({ ...block, seqno: -1 })).toBe(false);
    expect(formatShard(block)).toBe('0:c000000000000000');
  });
});
