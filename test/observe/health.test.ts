import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../src/lib/errors.ts';
import { createHealth, type HealthChange, mergeReports } from '../../src/observe/health.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<void>(() => {});

describe('readiness', () => {
  it('is true without checks and with checks that pass', async () => {
    const health = createHealth();
    expect(await health.ready()).toEqual({ ready: true, checks: {} });
    health.add('database', async () => {});
    health.add('head', async () => '3 s old');
    expect(await health.ready()).toEqual({
      ready: true,
      checks: { database: { status: 'ok' }, head: { status: 'ok', text: '3 s old' } },
    });
  });

  it('is false with a check that fails, without internal details', async () => {
    const health = createHealth();
    health.add('database', async () => {
      throw new Error('connect ECONNREFUSED postgres://user:secret@db');
    });
    health.add('broken', () => {
      throw new Error('thrown before any promise');
    });
    health.add('lite', async () => {
      throw new Failure('unavailable', 'no lite server answers', { details: { host: '10.0.0.1' } });
    });
    expect(await health.ready()).toEqual({
      ready: false,
      checks: {
        database: { status: 'failing' },
        broken: { status: 'failing' },
        lite: { status: 'failing', text: 'no lite server answers' },
      },
    });
  });

  it('is true with a warning', async () => {
    const health = createHealth();
    health.add('head', async () => ({ warning: '90 s old' }));
    expect(await health.ready()).toEqual({
      ready: true,
      checks: { head: { status: 'warning', text: '90 s old' } },
    });
  });

  it('times out checks that hang, in parallel', async () => {
    const health = createHealth();
    health.add('one', never);
    health.add('two', never);
    const report = health.ready();
    await vi.advanceTimersByTimeAsync(2000);
    const timedOut = { status: 'failing', text: 'timed out' };
    expect(await report).toEqual({ ready: false, checks: { one: timedOut, two: timedOut } });
  });

  it('does not accumulate runs of a check that hangs, and retries it in the end', async () => {
    const health = createHealth();
    const check = vi.fn(never);
    health.add('database', check);
    for (let seconds = 0; seconds < 21; seconds += 3) {
      health.ready();
      await vi.advanceTimersByTimeAsync(3001);
    }
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(30_000);
    health.ready();
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('is shared by concurrent callers and cached for a second', async () => {
    const health = createHealth();
    const check = vi.fn(async () => {});
    health.add('database', check);
    await Promise.all([health.ready(), health.ready()]);
    await vi.advanceTimersByTimeAsync(999);
    await health.ready();
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await health.ready();
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('is false as soon as a shutdown begins, also for waiting callers', async () => {
    const health = createHealth();
    const gate = Promise.withResolvers<void>();
    health.add('slow', () => gate.promise);
    const waiting = health.ready();
    health.stop();
    const stopped = { ready: false, checks: { process: { status: 'failing', text: 'stopping' } } };
    expect(await health.ready()).toEqual(stopped);
    gate.resolve();
    expect(await waiting).toEqual(stopped);
  });
});

describe('onChange of health checks', () => {
  it('is called on the first failure, on a warning and on recovery', async () => {
    const changes: HealthChange[] = [];
    const health = createHealth({ onChange: (change) => void changes.push(change) });
    const error = new Error('connection refused');
    let state = 'works';
    health.add('database', async () => {
      if (state === 'fails') throw error;
      return state === 'lags' ? { warning: '3 s behind' } : undefined;
    });
    for (const next of ['works', 'fails', 'fails', 'lags', 'lags', 'works', 'works']) {
      state = next;
      await health.ready();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(changes).toEqual([
      { name: 'database', status: 'failing', error },
      { name: 'database', status: 'warning', text: '3 s behind' },
      { name: 'database', status: 'ok' },
    ]);
  });

  it('cannot make the checks fail', async () => {
    const health = createHealth({
      onChange: () => {
        throw new Error('disk full');
      },
    });
    health.add('database', async () => {
      throw new Error('away');
    });
    expect((await health.ready()).ready).toBe(false);
  });
});

describe('readiness of several processes', () => {
  const ok = {
    ready: true,
    checks: { head: { status: 'ok', text: 'seqno 5' }, lite: { status: 'ok' } },
  } as const;
  const failing = {
    ready: false,
    checks: { head: { status: 'failing', text: 'no block' }, lite: { status: 'ok' } },
  } as const;

  it('is that of those that can serve', () => {
    expect(mergeReports([ok, ok], 2)).toEqual({
      ready: true,
      checks: { ...ok.checks, workers: { status: 'ok', text: '2 of 2 answer' } },
    });
    expect(mergeReports([ok, failing], 3)).toEqual({
      ready: true,
      checks: {
        head: { status: 'warning', text: 'failing in 1 of 2 workers: no block' },
        lite: { status: 'ok' },
        workers: { status: 'warning', text: '2 of 3 answer' },
      },
    });
  });

  it('is false if none can', () => {
    const other = { ready: false, checks: { head: { status: 'ok' }, lite: { status: 'failing' } } } as const;
    expect(mergeReports([failing, other], 2)).toMatchObject({
      ready: false,
      checks: { head: failing.checks.head, lite: other.checks.lite },
    });
  });
});
