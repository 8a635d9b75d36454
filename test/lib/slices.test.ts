import { describe, expect, it, vi } from 'vitest';
import {
  beginOtherWork,
  eachInSlices,
  endOtherWork,
  isSliceOver,
  mapInSlices,
  nextSlice,
} from '../../src/lib/slices.ts';

/** Holds the event loop until the slice of this turn is used up. */
function useUpSlice(passTime?: () => void): void {
  while (!isSliceOver()) passTime?.();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** More than there are from one slice to the next. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}

/** No pause ends because its time is over, unless the test lets time pass. */
function stopClock() {
  let nowMs = performance.now();
  const now = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const pass = () => {
    nowMs += 0.5;
  };
  return { nowMs, pass, [Symbol.dispose]: () => now.mockRestore() };
}

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
    beginOtherWork({}, performance.now());
    const pauses = await pausesAfter(30, { doesOtherWorkArrive: false, signal });
    expect(pauses.slice(5, 11)).toContain(false);
  });

  it('wait until other work is done, and no longer', async () => {
    const works = [{}, {}];
    useUpSlice();
    using clock = stopClock();
    for (const work of works) beginOtherWork(work, clock.nowMs);
    const order: string[] = [];
    const waiting = nextSlice().then(() => order.push('slice'));
    await someTurns();
    order.push('first');
    endOtherWork(works[0]!);
    await someTurns();
    order.push('second');
    endOtherWork(works[1]!);
    await waiting;
    expect(order).toEqual(['first', 'second', 'slice']);
  });

  it('do not wait for other work that takes long', async () => {
    const work = {};
    useUpSlice();
    using clock = stopClock();
    beginOtherWork(work, clock.nowMs - 100);
    await nextSlice();
    endOtherWork(work);
  });

  it('go to short work after each piece of long work, and not to all of the long work first', async () => {
    useUpSlice();
    using clock = stopClock();
    const order: string[] = [];
    let longLists = 3;
    async function longWork(name: string): Promise<void> {
      const { signal } = new AbortController();
      const work = () => {
        useUpSlice(clock.pass);
        beginOtherWork({}, performance.now());
        order.push(name);
      };
      await eachInSlices(Array.from({ length: 20 }), work, signal);
      longLists -= 1;
    }
    async function shortWork(): Promise<void> {
      // Only in its slices does time pass for the long work that waits.
      while (longLists > 0) {
        const { signal } = new AbortController();
        const work = () => {
          useUpSlice(clock.pass);
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
    if (doesOtherWorkArrive) beginOtherWork({}, performance.now());
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
