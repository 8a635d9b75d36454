import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InFlight } from '../../../src/lite/connection/in-flight.ts';
import { LiteTimeout } from '../../../src/lite/errors.ts';

const ANSWER = Buffer.from('answer');

describe('queries in flight', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('share one timer, and leave none behind', async () => {
    const inFlight = new InFlight(() => performance.now());
    const opened = Array.from({ length: 2000 }, (_, number) => {
      const { id, answer } = inFlight.open(5000 + (number % 7), undefined);
      return { id: Buffer.from(id), answer };
    });
    expect(vi.getTimerCount()).toBe(1);
    for (const { id } of opened) expect(inFlight.settle(id, ANSWER)).toBe(true);
    await Promise.all(opened.map(({ answer }) => answer));
    await vi.advanceTimersByTimeAsync(6000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('end at their own deadline, whatever the order they came in', async () => {
    const inFlight = new InFlight(() => performance.now());
    const ended: number[] = [];
    for (const timeoutMs of [500, 100, 300, 100, 900]) {
      inFlight.open(timeoutMs, undefined).answer.catch((error) => {
        expect(error).toBeInstanceOf(LiteTimeout);
        ended.push(timeoutMs);
      });
    }
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(251);
    expect(ended).toEqual([100, 100, 300]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toEqual([100, 100, 300, 500, 900]);
    expect(inFlight.size).toBe(0);
  });

  it('take an answer once, and only for an id of theirs', async () => {
    const inFlight = new InFlight(() => performance.now());
    const { id, answer } = inFlight.open(5000, undefined);
    const stranger = Buffer.from(id);
    stranger.writeUInt8(stranger.readUInt8(0) ^ 1, 0);
    const unknown = Buffer.from(id);
    unknown.writeUInt8(9, 31);
    expect(inFlight.settle(stranger, ANSWER)).toBe(false);
    expect(inFlight.settle(unknown, ANSWER)).toBe(false);
    expect(inFlight.settle(id, ANSWER)).toBe(true);
    expect(inFlight.settle(id, ANSWER)).toBe(false);
    expect(await answer).toEqual(ANSWER);
    inFlight.failAll(new Error('nobody is there'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may wait for longer than a timer can', async () => {
    const inFlight = new InFlight(() => performance.now());
    const { id, answer } = inFlight.open(Number.POSITIVE_INFINITY, undefined);
    const ofId = Buffer.from(id);
    inFlight.open(2 ** 40, undefined).answer.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(inFlight.size).toBe(2);
    inFlight.settle(ofId, ANSWER);
    expect(await answer).toEqual(ANSWER);
    inFlight.failAll(new Error('over'));
  });
});
