import { describe, expect, it } from 'vitest';
import { SingleFlight, type WaitLimits } from '../../src/lib/single-flight.ts';

const NO_LIMITS: WaitLimits = { timeoutMs: undefined, signal: undefined };

function setUp() {
  const flights = new SingleFlight<string, string>(() => new Error('too late'));
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
    join: (owner: string, limits = NO_LIMITS, key = 'key') => flights.join(key, owner, start, limits),
    starts: () => starts,
    aborted: () => aborted,
  };
}

describe('SingleFlight', () => {
  it('runs equal calls once, by the first caller, for all callers', async () => {
    const { flights, work, join, starts } = setUp();
    const tickets = [join('a'), join('b'), join('c')];
    work.resolve('done');
    expect(await Promise.all(tickets.map(({ result }) => result))).toEqual(['done', 'done', 'done']);
    expect(tickets.map(({ owner }) => owner)).toEqual(['a', 'a', 'a']);
    expect(starts()).toBe(1);
    expect(flights.size).toBe(0);
  });

  it('runs a call again after it ended, and calls of other keys on their own', async () => {
    const { work, join, starts } = setUp();
    work.resolve('done');
    await join('a').result;
    expect(join('b').owner).toBe('b');
    expect(join('c', NO_LIMITS, 'other').owner).toBe('c');
    expect(starts()).toBe(3);
  });

  it('shares calls of callers that have no owner and no limits', async () => {
    const flights = new SingleFlight<number>();
    let starts = 0;
    const start = async () => ++starts;
    expect(await Promise.all([flights.run('a', start), flights.run('a', start)])).toEqual([1, 1]);
    expect(await flights.run('a', start)).toBe(2);
  });

  it('rejects all callers when the call fails', async () => {
    const { flights, work, join } = setUp();
    const results = [join('a').result, join('b').result];
    work.reject(new Error('broken'));
    expect(await Promise.allSettled(results)).toEqual([
      { status: 'rejected', reason: new Error('broken') },
      { status: 'rejected', reason: new Error('broken') },
    ]);
    expect(flights.size).toBe(0);
  });

  it('continues the call when the caller who started it gives up', async () => {
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

  it('rejects a caller whose time is over and continues the call for the others', async () => {
    const { work, join } = setUp();
    const first = join('a', { timeoutMs: 5, signal: undefined }).result;
    const second = join('b').result;
    await expect(first).rejects.toThrow('too late');
    work.resolve('done');
    expect(await second).toBe('done');
  });

  it('aborts the call when all callers have given up, and starts a new one for the next caller', async () => {
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

  it('rejects a caller whose signal is aborted already', async () => {
    const { flights, join } = setUp();
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(join('a', { timeoutMs: undefined, signal }).result).rejects.toThrow('gone');
    expect(flights.size).toBe(0);
  });
});
