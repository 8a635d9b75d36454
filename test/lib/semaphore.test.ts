import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/lib/semaphore.ts';

const timeoutError = () => new Error('too late');

describe('Semaphore', () => {
  it('admits as many as its limit at once, and the others in the order they came', async () => {
    const semaphore = new Semaphore(2, timeoutError);
    const entered: string[] = [];
    expect(semaphore.acquire(1000)).toBeUndefined();
    expect(semaphore.acquire(1000)).toBeUndefined();
    const third = semaphore.acquire(1000)?.then(() => entered.push('third'));
    const fourth = semaphore.acquire(1000)?.then(() => entered.push('fourth'));
    expect([semaphore.running, semaphore.waiting]).toEqual([2, 2]);
    semaphore.release();
    await third;
    expect([semaphore.running, semaphore.waiting]).toEqual([2, 1]);
    semaphore.release();
    await fourth;
    expect(entered).toEqual(['third', 'fourth']);
    semaphore.release();
    semaphore.release();
    expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
  });

  it('rejects a waiter whose time is over and admits the one behind it', async () => {
    const semaphore = new Semaphore(1, timeoutError);
    semaphore.acquire(1000);
    const short = semaphore.acquire(5);
    const long = semaphore.acquire(10_000);
    await expect(short).rejects.toThrow('too late');
    expect(semaphore.waiting).toBe(1);
    semaphore.release();
    await long;
    semaphore.release();
    expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
  });

  it('rejects a waiter whose signal is aborted', async () => {
    const semaphore = new Semaphore(1, timeoutError);
    semaphore.acquire(1000);
    const abort = new AbortController();
    const waiting = semaphore.acquire(10_000, abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    semaphore.release();
    expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
  });
});
