import { describe, expect, it } from 'vitest';
import { eachInSlices, isSliceOver, mapInSlices, nextSlice, noteOtherWork } from '../../src/lib/slices.ts';

/** Holds the event loop until the slice of this turn is used up. */
function useUpSlice(): void {
  while (!isSliceOver());
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('slices', () => {
  it('map and visit all items in their order', async () => {
    const items = Array.from({ length: 20 }, (_, at) => at);
    const visited: number[] = [];
    const work = (item: number) => {
      if (item % 5 === 0) useUpSlice();
      return item * 2;
    };
    expect(await mapInSlices(items, work)).toEqual(items.map((item) => item * 2));
    await eachInSlices(new Set(items), (item) => visited.push(work(item)));
    expect(visited).toEqual(items.map((item) => item * 2));
  });

  it('are taken by one list per turn of the event loop, in turns', async () => {
    const order: string[] = [];
    let turn = 0;
    let isDone = false;
    const count = (async () => {
      while (!isDone) {
        await nextTurn();
        turn += 1;
      }
    })();
    const list = (name: string) =>
      eachInSlices([1, 2, 3], (item) => {
        useUpSlice();
        order.push(`${turn} ${name}${item}`);
      });
    useUpSlice();
    await nextSlice();
    await Promise.all([list('a'), list('b')]);
    isDone = true;
    await count;
    expect(order.map((entry) => entry.split(' ')[1])).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    // The first two began in the same turn, in what was left of its slice.
    expect(new Set(order.slice(1).map((entry) => entry.split(' ')[0])).size).toBe(5);
  });

  it('end with the reason of an aborted signal', async () => {
    const abort = new AbortController();
    const seen: number[] = [];
    const visited = eachInSlices(
      [1, 2, 3],
      (item) => {
        seen.push(item);
        useUpSlice();
        abort.abort(new Error('gone'));
      },
      abort.signal,
    );
    await expect(visited).rejects.toThrow('gone');
    expect(seen).toEqual([1]);
  });

  it('leave time to other work', async () => {
    expect(await pausesAfter(10, { doesOtherWorkArrive: true })).not.toContain(false);
  });

  it('of a request leave time to other work only once it has taken long', async () => {
    const { signal } = new AbortController();
    const pauses = await pausesAfter(30, { doesOtherWorkArrive: true, signal });
    // A busy machine may pause by itself, but not every time.
    expect(pauses.slice(0, 4)).toContain(false);
    expect(pauses.slice(20)).not.toContain(false);
  });

  it('of a request do not wait because the request itself has just arrived', async () => {
    const { signal } = new AbortController();
    noteOtherWork(performance.now());
    const pauses = await pausesAfter(30, { doesOtherWorkArrive: false, signal });
    expect(pauses.slice(5, 11)).toContain(false);
  });

  it('go to short work after each piece of long work, and not to all of the long work first', async () => {
    const order: string[] = [];
    let longLists = 3;
    async function longWork(name: string): Promise<void> {
      const { signal } = new AbortController();
      const work = () => {
        useUpSlice();
        noteOtherWork(performance.now());
        order.push(name);
      };
      await eachInSlices(Array.from({ length: 20 }), work, signal);
      longLists -= 1;
    }
    async function shortWork(): Promise<void> {
      while (longLists === 3) {
        const { signal } = new AbortController();
        const work = () => {
          useUpSlice();
          order.push('short');
        };
        await eachInSlices([1, 2], work, signal);
      }
    }
    await Promise.all([longWork('a'), longWork('b'), longWork('c'), shortWork()]);
    // The first five slices of each list gave way to nothing.
    const shared = order.slice(order.lastIndexOf('c', 30), order.lastIndexOf('short'));
    const longBetween = shared.join('').split('short').slice(1, -1);
    expect(longBetween.length).toBeGreaterThan(10);
    expect(longBetween.filter(({ length }) => length > 1)).toEqual([]);
    expect(
      longBetween
        .filter((names) => names !== '')
        .slice(0, 9)
        .join(''),
    ).toMatch(/^(abc|bca|cab)+$/);
  });
});

interface OtherWork {
  /** In every slice. */
  readonly doesOtherWorkArrive: boolean;
  readonly signal?: AbortSignal;
}

/** Takes slices, and returns whether there was a pause after each. */
async function pausesAfter(slices: number, { doesOtherWorkArrive, signal }: OtherWork): Promise<boolean[]> {
  const timers: { hasFired: boolean }[] = [];
  const pauses: boolean[] = [];
  const takeSlice = () => {
    if (timers.length > 0) pauses.push(timers.at(-1)!.hasFired);
    useUpSlice();
    if (doesOtherWorkArrive) noteOtherWork(performance.now());
    const timer = { hasFired: false };
    timers.push(timer);
    // Without a pause the next slice begins before it.
    setTimeout(() => {
      timer.hasFired = true;
    }, 1);
  };
  await eachInSlices(Array.from({ length: slices + 1 }), takeSlice, signal);
  return pauses;
}
