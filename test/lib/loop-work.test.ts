import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type LoopWork, startWork, watchLoop } from '../../src/lib/loop-work.ts';

const reported: (readonly [LoopWork, number])[] = [];
let stop = () => {};
afterEach(() => {
  stop();
  reported.length = 0;
});

function watch(): void {
  stop = watchLoop((work, ms) => {
    reported.push([work, ms]);
  });
}

function hold(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

const works = () => reported.map(([work]) => work);

describe('work of the event loop', () => {
  it('is reported with its duration at the end of the turn', async () => {
    watch();
    startWork('database');
    hold(5);
    expect(reported).toEqual([]);
    await nextTurn();
    expect(works()).toEqual(['database']);
    expect(reported[0]![1]).toBeGreaterThanOrEqual(5);
  });

  it('ends where other work of the same turn starts', async () => {
    watch();
    startWork('request');
    hold(3);
    startWork('response');
    hold(3);
    await nextTurn();
    expect(works()).toEqual(['request', 'response']);
  });

  it('lasts as long as what follows without a turn in between', async () => {
    watch();
    startWork('lite_server');
    await Promise.resolve();
    hold(3);
    await nextTurn();
    expect(works()).toEqual(['lite_server']);
  });

  it('does not include the time in which the loop waits', async () => {
    watch();
    startWork('thread');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reported.every(([, ms]) => ms < 20)).toBe(true);
    startWork('thread');
    hold(2);
    await nextTurn();
    expect(works()).toContain('thread');
  });

  it('is not reported to nobody, and not if it is short', async () => {
    startWork('request');
    hold(2);
    await nextTurn();
    watch();
    await nextTurn();
    expect(reported).toEqual([]);
  });
});
