import { describe, expect, it } from 'vitest';
import { pause, WakeableTimer, waitAtMost } from '../../src/lib/wait.ts';

describe('pause', () => {
  it('waits for the given time', async () => {
    const startedAt = performance.now();
    await pause(30, new AbortController().signal);
    expect(performance.now() - startedAt).toBeGreaterThan(25);
  });

  it('returns without an error when its signal is aborted', async () => {
    const abort = new AbortController();
    const waiting = pause(60_000, abort.signal);
    abort.abort();
    await waiting;
    await pause(60_000, abort.signal);
  });
});

describe('WakeableTimer', () => {
  it('wakes all who wait, and nobody who comes later', async () => {
    const timer = new WakeableTimer();
    const { signal } = new AbortController();
    const both = [timer.wait(60_000, signal), timer.wait(60_000, signal)];
    timer.wake();
    await Promise.all(both);
    let isOver = false;
    const later = timer.wait(30, signal).then(() => {
      isOver = true;
    });
    await Promise.resolve();
    expect(isOver).toBe(false);
    await later;
  });

  it('returns when its signal is aborted', async () => {
    const abort = new AbortController();
    const waiting = new WakeableTimer().wait(60_000, abort.signal);
    abort.abort();
    await waiting;
    await new WakeableTimer().wait(60_000, abort.signal);
  });
});

describe('waitAtMost', () => {
  it('returns when the work has ended', async () => {
    await waitAtMost(60_000, Promise.resolve());
  });

  it('returns when the time is over, though the work has not ended', async () => {
    await waitAtMost(10, new Promise(() => {}));
  });

  it('throws a failure of the work', async () => {
    await expect(waitAtMost(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
