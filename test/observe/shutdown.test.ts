import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/observe/logger.ts';
import { createShutdown } from '../../src/observe/shutdown.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<void>(() => {});

function setUp(timeoutMs = 10_000, drainMs = 0) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const codes: number[] = [];
  const signals = new EventEmitter();
  const shutdown = createShutdown({
    log: createLogger({ level: 'info', destination }),
    timeoutMs,
    drainMs,
    exit: (code) => void codes.push(code),
    signals,
  });
  const closed: string[] = [];
  const add = (name: string) => shutdown.add(name, () => void closed.push(name));
  return { shutdown, lines, codes, signals, closed, add };
}

describe('stop of a shutdown', () => {
  it('closes in reverse order, one after another, and exits once', async () => {
    const { shutdown, codes, closed, add } = setUp();
    add('database');
    shutdown.add('server', async () => {
      await vi.advanceTimersByTimeAsync(100);
      closed.push('server');
    });
    expect(shutdown.stopping()).toBe(false);
    shutdown.assertRunning();
    const ends = [shutdown.stop('one'), shutdown.stop('two')];
    expect(shutdown.stopping()).toBe(true);
    expect(shutdown.assertRunning).toThrow('Stopped during the start');
    await Promise.all(ends);
    expect(closed).toEqual(['server', 'database']);
    expect(codes).toEqual([0]);
  });

  it('continues after a part that fails, and exits with 1', async () => {
    const { shutdown, lines, codes, closed, add } = setUp();
    add('database');
    shutdown.add('rejecting', () => Promise.reject(new Error('no')));
    shutdown.add('throwing', () => {
      throw new Error('no');
    });
    await shutdown.stop('test');
    expect(closed).toEqual(['database']);
    expect(codes).toEqual([1]);
    expect(lines.filter(({ level }) => level === 'error').map(({ part }) => part)).toEqual([
      'throwing',
      'rejecting',
    ]);
  });

  it('closes every part even if one hangs, then gives up and logs those that did not close', async () => {
    const { shutdown, lines, codes, closed, add } = setUp();
    add('database');
    add('cache');
    shutdown.add('indexer', never);
    shutdown.add('server', never);
    const end = shutdown.stop('test');
    await vi.advanceTimersByTimeAsync(10_000);
    await end;
    expect(closed).toEqual(['cache', 'database']);
    expect(codes).toEqual([1]);
    expect(lines).toContainEqual(
      expect.objectContaining({ parts: ['server', 'indexer'], timeoutMs: 10_000 }),
    );
  });

  it('closes quick parts without any timeout', async () => {
    const { shutdown, codes, closed, add } = setUp(0);
    add('database');
    add('server');
    const end = shutdown.stop('test');
    await vi.runAllTimersAsync();
    await end;
    expect(closed).toEqual(['server', 'database']);
    expect(codes).toEqual([0]);
  });

  it('closes a part that is added during the shutdown', async () => {
    const { shutdown, closed, add } = setUp();
    shutdown.add('starting', async () => add('late'));
    await shutdown.stop('test');
    expect(closed).toEqual(['late']);
  });
});

describe('close of a shutdown', () => {
  it('closes everything without an exit and stops listening', async () => {
    const { shutdown, codes, signals, closed, add } = setUp();
    add('database');
    await shutdown.close();
    await shutdown.close();
    expect(closed).toEqual(['database']);
    expect(codes).toEqual([]);
    expect(signals.eventNames()).toEqual([]);
  });

  it('becomes a stop if a signal arrives meanwhile', async () => {
    const { shutdown, codes, signals, closed } = setUp();
    const slow = Promise.withResolvers<void>();
    shutdown.add('slow', () => slow.promise.then(() => void closed.push('slow')));
    const closing = shutdown.close();
    signals.emit('SIGTERM');
    slow.resolve();
    await closing;
    await vi.runAllTimersAsync();
    expect(closed).toEqual(['slow']);
    expect(codes).toEqual([0]);
  });
});

describe('the drain of a shutdown', () => {
  async function drained(reason: string, { serves = true } = {}) {
    const parts = setUp(10_000, 5000);
    parts.add('server');
    if (serves) parts.shutdown.onDrain(() => void parts.closed.push('draining'));
    parts.signals.emit(reason);
    await vi.advanceTimersByTimeAsync(4999);
    return parts;
  }

  it('delays the closing of parts after SIGTERM', async () => {
    const { shutdown, closed, codes } = await drained('SIGTERM');
    expect(shutdown.stopping()).toBe(true);
    expect(closed).toEqual(['draining']);
    await vi.advanceTimersByTimeAsync(1);
    expect(closed).toEqual(['draining', 'server']);
    expect(codes).toEqual([0]);
  });

  it.each([
    ['Ctrl-C', 'SIGINT', true],
    ['a process that serves nothing', 'SIGTERM', false],
  ])('is left out for %s', async (_, signal, serves) => {
    const { closed, codes } = await drained(signal, { serves });
    expect(closed).toEqual(['server']);
    expect(codes).toEqual([0]);
  });

  it('ends with a second signal and with an uncaught error', async () => {
    const second = await drained('SIGTERM');
    second.signals.emit('SIGINT');
    expect(second.codes).toEqual([130]);
    const failing = await drained('SIGTERM');
    failing.signals.emit('uncaughtException', new Error('broken'));
    await vi.advanceTimersByTimeAsync(0);
    expect(failing.closed).toEqual(['draining', 'server']);
    expect(failing.codes).toEqual([1]);
  });
});
