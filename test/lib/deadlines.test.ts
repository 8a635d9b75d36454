import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from '../../src/lib/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function stage() {
  const deadlines = new Deadlines();
  const over: string[] = [];
  const add = (name: string, ms: number) => {
    const one = { deadlineMs: performance.now() + ms, onDeadline: () => void over.push(name) };
    deadlines.add(one);
    return one;
  };
  return { deadlines, over, add };
}

describe('Deadlines', () => {
  it('calls each waiter once at its deadline, in whatever order they were added', () => {
    const { deadlines, over, add } = stage();
    add('late', 1000);
    add('early', 100);
    add('middle', 500);
    vi.advanceTimersByTime(150);
    expect(over).toEqual(['early']);
    vi.advanceTimersByTime(400);
    expect(over).toEqual(['early', 'middle']);
    vi.advanceTimersByTime(10_000);
    expect(over).toEqual(['early', 'middle', 'late']);
    expect(deadlines.size).toBe(0);
  });

  it('does not call deleted waiters', () => {
    const { deadlines, over, add } = stage();
    const gone = add('gone', 100);
    add('there', 200);
    deadlines.delete(gone);
    vi.advanceTimersByTime(1000);
    expect(over).toEqual(['there']);
  });

  it('uses one timer, and none without waiters', () => {
    const { over, add } = stage();
    for (let n = 0; n < 1000; n += 1) add(`${n}`, 1000 + n / 100);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1100);
    expect(over).toHaveLength(1000);
    expect(vi.getTimerCount()).toBe(0);
    add('again', 100);
    vi.advanceTimersByTime(200);
    expect(over.at(-1)).toBe('again');
  });
});
