import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockStartLtAfter, compareByLt } from '../../../src/chain/logical-time.ts';
import { MessageQueue } from '../../../src/localnet/collate/block-draft.ts';
import { BlockLoad, nextHistory } from '../../../src/localnet/collate/block-load.ts';
import { isBeforeSplit } from '../../../src/localnet/collate/collate-block.ts';
import { addBlocks, decay, NO_BLOCKS } from '../../../src/localnet/collate/masterchain-extra.ts';
import type { NewMessage } from '../../../src/localnet/collate/transactions.ts';

describe('logical times and split times of blocks', () => {
  it('start at the next million after everything they reference', () => {
    expect(blockStartLtAfter(0n)).toBe(1_000_000n);
    expect(blockStartLtAfter(1_000_012n, 2n)).toBe(2_000_000n);
    expect(blockStartLtAfter(3_000_000n, 2_000_001n)).toBe(3_000_000n);
  });

  it('allow a split in its time window, but not in the last seconds of it', () => {
    const plan = { kind: 'split', utime: 1000, interval: 100 } as const;
    expect([999, 1000, 1086, 1087].map((now) => isBeforeSplit(plan, now))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(isBeforeSplit(undefined, 1000)).toBe(false);
  });
});

describe('block creator counters', () => {
  it('decay exponentially', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 50n }),
        fc.integer({ min: 0, max: 40 * 65536 }),
        (value, k) => {
          const exact = Number(value) * Math.exp(-k / 65536);
          expect(Math.abs(Number(decay(value, k)) - exact)).toBeLessThan(2 + exact * 1e-13);
        },
      ),
    );
    expect(decay(2n ** 40n, 50 * 65536)).toBe(0n);
  });

  it('count created blocks', () => {
    const one = addBlocks(NO_BLOCKS, 1, 1000);
    expect(one).toEqual({ lastUpdated: 1000, total: 1n, count2048: 2n ** 32n, count65536: 2n ** 32n });
    const more = addBlocks(one, 2, 1010);
    expect(more.total).toBe(3n);
    expect(Number(more.count2048) / 2 ** 32).toBeCloseTo(2 + Math.exp(-10 / 2048), 8);
  });
});

describe('the load of a block', () => {
  const marks = { underload: 10_000, softLimit: 20_000, hardLimit: 40_000 };
  const wide = { underload: 1, softLimit: 1e9, hardLimit: 2e9 };
  const limits = {
    bytes: marks,
    gas: wide,
    ltDelta: wide,
    collatedData: undefined,
    importedMsgQueue: undefined,
  };

  it('leaves more room for external than for internal messages', () => {
    const load = new BlockLoad(limits);
    expect([load.fitsInternal, load.fitsExternal]).toEqual([true, true]);
    load.addBytes(20_000);
    expect([load.fitsInternal, load.fitsExternal, load.class]).toEqual([false, true, 'soft']);
    load.addBytes(10_000);
    expect([load.fitsInternal, load.fitsExternal, load.class]).toEqual([false, false, 'medium']);
  });

  it('makes a shard want to split or merge when it persists', () => {
    const none = { totalBalance: { grams: 0n, extra: -1 }, totalValidatorFees: { grams: 0n, extra: -1 } };
    let history = { overloadHistory: 0n, underloadHistory: 0n, wantSplit: false, wantMerge: false };
    const push = (load: 'underload' | 'hard', count: number): void => {
      for (let i = 0; i < count; i++)
        history = nextHistory({ ...none, ...history, libraries: -1, masterRef: undefined }, load, 0);
    };
    push('underload', 23);
    expect(history.wantMerge).toBe(false);
    push('underload', 1);
    expect([history.wantSplit, history.wantMerge]).toEqual([false, true]);
    push('hard', 24);
    expect([history.wantSplit, history.wantMerge]).toEqual([true, false]);
  });
});

describe('the queue of new messages', () => {
  it('returns messages in message order', () => {
    const message = fc.record({
      lt: fc.bigInt({ min: 0n, max: 20n }),
      hash: fc.uint8Array({ minLength: 4, maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(message), (drafts) => {
        const messages = drafts.map(({ lt, hash }) => ({ lt, hash: Buffer.from(hash) }) as NewMessage);
        const queue = new MessageQueue();
        for (const one of messages) queue.push(one);
        expect(queue.next(messages.length + 1)).toHaveLength(messages.length);
        const out: NewMessage[] = [];
        for (let one = queue.pop(); one !== undefined; one = queue.pop()) out.push(one);
        expect(out).toEqual(messages.toSorted(compareByLt));
      }),
    );
  });
});
