import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { childShards } from '../../../src/chain/shards.ts';
import { holds, placeBetween, routeFrom } from '../../../src/localnet/collate/routing.ts';

const prefix = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const place = fc.record({ workchain: fc.constant<number>(0), prefix });

/** The shard of a depth that holds a place. */
function shardAt(
  at: { workchain: number; prefix: bigint },
  depth: number,
): { workchain: number; shard: bigint } {
  let shard = WHOLE_SHARD;
  for (let i = 0; i < depth; i++)
    shard = childShards(shard).find((half) => holds({ workchain: at.workchain, shard: half }, at))!;
  return { workchain: at.workchain, shard };
}

describe('the route of a message', () => {
  it('ends immediately in its own shard', () => {
    fc.assert(
      fc.property(place, (to) => {
        expect(routeFrom(shardAt(to, 3), to, to)).toEqual({ current: 96, next: 96 });
      }),
    );
  });

  it('leads to and from the masterchain directly', () => {
    const masterchain = { workchain: MASTERCHAIN, prefix: 5n };
    const account = { workchain: 0, prefix: -7n };
    expect(routeFrom({ workchain: MASTERCHAIN, shard: WHOLE_SHARD }, masterchain, account)).toEqual({
      current: 0,
      next: 96,
    });
    expect(routeFrom(shardAt(account, 2), account, masterchain)).toEqual({ current: 0, next: 96 });
  });

  it('leads to any of up to sixteen shards in one hop', () => {
    fc.assert(
      fc.property(place, place, fc.integer({ min: 1, max: 4 }), (from, to, depth) => {
        const here = shardAt(from, depth);
        fc.pre(!holds(here, to));
        const route = routeFrom(here, from, to);
        expect(route).toEqual({ current: 32, next: 36 });
        expect(holds(here, placeBetween(from, to, route.current))).toBe(true);
        expect(holds(shardAt(to, depth), placeBetween(from, to, route.next))).toBe(true);
      }),
    );
  });

  it('gets closer to its destination with every hop between small shards', () => {
    fc.assert(
      fc.property(place, place, (from, to) => {
        let at = from;
        let hops = 0;
        for (let here = shardAt(at, 8); !holds(here, to); here = shardAt(at, 8)) {
          const { next } = routeFrom(here, at, to);
          at = placeBetween(at, to, next);
          expect(++hops).toBeLessThanOrEqual(2);
        }
      }),
    );
  });
});
