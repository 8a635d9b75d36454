import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import {
  childShards,
  formatShardId,
  leafShard,
  parentShard,
  shardContains,
  shardsContaining,
  shardsIntersect,
} from '../../src/chain/shards.ts';

const prefix = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('shards and prefixes', () => {
  it('finds the half that contains a prefix', () => {
    const [left, right] = childShards(WHOLE_SHARD);
    expect(shardContains(WHOLE_SHARD, 0n)).toBe(true);
    expect(shardContains(left, 0x7fffffffffffffffn)).toBe(true);
    expect(shardContains(right, 0x7fffffffffffffffn)).toBe(false);
    expect(shardContains(right, -1n)).toBe(true);
    expect(shardContains(0n, 0n)).toBe(false);
  });

  it('lists the shards that contain a prefix, each inside the previous one', () => {
    fc.assert(
      fc.property(prefix, (some) => {
        const shards = shardsContaining(some);
        expect(shards[0]).toBe(WHOLE_SHARD);
        expect(shards).toHaveLength(61);
        shards.forEach((shard, i) => {
          expect(shardContains(shard, some)).toBe(true);
          if (i > 0) expect(parentShard(shard)).toBe(shards[i - 1]);
          expect(shardsIntersect(shard, leafShard(some))).toBe(true);
        });
      }),
    );
  });

  it('puts a prefix into exactly one of two halves', () => {
    fc.assert(
      fc.property(prefix, fc.nat(59), (some, bits) => {
        const shard = shardsContaining(some)[bits]!;
        const halves = childShards(shard);
        expect(halves.filter((half) => shardContains(half, some))).toHaveLength(1);
        expect(shardsIntersect(...halves)).toBe(false);
        expect(halves.every((half) => shardsIntersect(half, shard))).toBe(true);
      }),
    );
  });
});

it.each([
  [-(2n ** 63n), '8000000000000000'],
  [2n ** 61n, '2000000000000000'],
  [-1n, 'FFFFFFFFFFFFFFFF'],
  [0n, '0'],
])('formats shard %s as %s', (shard, text) => {
  expect(formatShardId(shard)).toBe(text);
});
