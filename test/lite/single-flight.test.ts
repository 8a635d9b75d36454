import { describe, expect, it } from 'vitest';
import { LiteBudgetExceeded } from '../../src/lite/errors.ts';
import { SingleFlight, type WaitLimits } from '../../src/lite/single-flight.ts';

const PATIENT: WaitLimits = { timeoutMs: undefined, signal: undefined };

function setUp() {
  const flights = new SingleFlight<string, string>();
  const work = Promise.withResolvers<string>();
  let starts = 0;
  let aborted: unknown;
  const start = (signal: AbortSignal | undefined) => {
    starts += 1;
    signal?.addEventListener('abort', () => {
      aborted = signal.reason;
      work.reject(signal.reason);
    });
    return work.promise;
  };
  return {
    flights,
    work,
    join: (owner: string, patience = PATIENT, key = 'key') => flights.join(key, owner, start, patience),
    starts: () => starts,
    aborted: () => aborted,
  };
}

describe('equal work', () => {
  it('is done once, by the first, for all who want it', async () => {
    const { flights, work, join, starts } = setUp();
    const seats = [join('a'), join('b'), join('c')];
    work.resolve('done');
    expect(await Promise.all(seats.map(({ result }) => result))).toEqual(['done', 'done', 'done']);
    expect(seats.map(({ owner }) => owner)).toEqual(['a', 'a', 'a']);
    expect(starts()).toBe(1);
    expect(flights.size).toBe(0);
  });

  it('is done again when it is wanted later, or is not equal', async () => {
    const { work, join, starts } = setUp();
    work.resolve('done');
    await join('a').result;
    expect(join('b').owner).toBe('b');
    expect(join('c', PATIENT, 'other').owner).toBe('c');
    expect(starts()).toBe(3);
  });

  it('fails for all', async () => {
    const { flights, work, join } = setUp();
    const results = [join('a').result, join('b').result];
    work.reject(new Error('broken'));
    expect(await Promise.allSettled(results)).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
    expect(flights.size).toBe(0);
  });

  it('goes on when the one who began it gives up', async () => {
    const { work, join, aborted } = setUp();
    const abort = new AbortController();
    const first = join('a', { timeoutMs: undefined, signal: abort.signal }).result;
    const second = join('b').result;
    abort.abort(new Error('client gone'));
    await expect(first).rejects.toThrow('client gone');
    expect(aborted()).toBeUndefined();
    work.resolve('done');
    expect(await second).toBe('done');
  });

  it('goes on when the time of one is over', async () => {
    const { work, join } = setUp();
    const first = join('a', { timeoutMs: 5, signal: undefined }).result;
    const second = join('b').result;
    await expect(first).rejects.toThrow(LiteBudgetExceeded);
    work.resolve('done');
    expect(await second).toBe('done');
  });

  it('ends when all have given up, and whoever comes then starts anew', async () => {
    const { flights, join, starts, aborted } = setUp();
    const abort = new AbortController();
    const leaving = { timeoutMs: undefined, signal: abort.signal };
    const results = [join('a', leaving).result, join('b', leaving).result];
    abort.abort(new Error('gone'));
    await Promise.allSettled(results);
    expect(aborted()).toEqual(new Error('gone'));
    expect(flights.size).toBe(0);
    await expect(join('c').result).rejects.toThrow('gone');
    expect(starts()).toBe(2);
  });

  it('is not begun for one who has given up already', async () => {
    const { flights, join } = setUp();
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(join('a', { timeoutMs: undefined, signal }).result).rejects.toThrow('gone');
    expect(flights.size).toBe(0);
  });
});
