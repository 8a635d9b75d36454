import { expect, it } from 'vitest';
import { formatShardId } from '../../src/chain/shard-id.ts';

it.each([
  [-(2n ** 63n), '8000000000000000'],
  [2n ** 61n, '2000000000000000'],
  [-1n, 'FFFFFFFFFFFFFFFF'],
  [0n, '0'],
])('writes %s as %s', (shard, text) => {
  expect(formatShardId(shard)).toBe(text);
});
