import { describe, expect, it } from 'vitest';
import { PayerTurns } from '../../src/lib/payer-turns.ts';

const payer = (id: string) => ({ id, rps: 1 });
const open = (limit: number, maxWaiting = 10) =>
  new PayerTurns({ limit, maxWaiting, refusal: () => new Error('refused') });
const limits = { timeoutMs: 10_000, signal: new AbortController().signal };

describe('PayerTurns', () => {
  it('lets payers take turns, each in the order of its work', async () => {
    const turns = open(1);
    const order: string[] = [];
    const first = await turns.take(payer('a'), limits);
    const work = async (id: string, name: string) => {
      const done = await turns.take(payer(id), limits);
      order.push(name);
      done();
    };
    const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('c', 'c1')];
    first();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('runs as many at a time as it may, and prefers payers with fewer running', async () => {
    const turns = open(2);
    const order: string[] = [];
    const ends = [await turns.take(payer('a'), limits), await turns.take(payer('a'), limits)];
    const wait = async (id: string) => {
      const end = await turns.take(payer(id), limits);
      order.push(id);
      ends.push(end);
    };
    const waiting = [wait('a'), wait('b'), wait('b')];
    ends[0]!();
    await waiting[1];
    expect(order).toEqual(['b']);
    ends[1]!();
    await Promise.race(waiting.slice(0, 1));
    expect(order).toEqual(['b', 'a']);
    ends[2]!();
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'a', 'b']);
  });

  it('refuses work above the limit of its payer, work whose time is over, and work that was aborted', async () => {
    const turns = open(1, 1);
    const end = await turns.take(undefined, limits);
    const abort = new AbortController();
    const aborted = turns.take(payer('a'), { timeoutMs: 10_000, signal: abort.signal });
    await expect(turns.take(payer('a'), limits)).rejects.toThrow('refused');
    await expect(turns.take(payer('b'), { ...limits, timeoutMs: 1 })).rejects.toThrow('refused');
    abort.abort(new Error('gone'));
    await expect(aborted).rejects.toThrow('gone');
    end();
    (await turns.take(payer('a'), limits))();
  });
});
