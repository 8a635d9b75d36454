import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { bocText } from '../../src/chain/boc/writer.ts';
import { CodeTextCache, LoadingCache } from '../../src/live/caches.ts';

interface Fact {
  readonly bytes: number;
}

const createCache = (room: { maxEntries?: number; maxBytes?: number } = {}) =>
  new LoadingCache<Fact>({ maxEntries: 10, maxBytes: 1000, ...room, bytesOf: ({ bytes }) => bytes });

const callOf = (timeoutMs = 60_000, signal = new AbortController().signal) => ({
  deadlineMs: performance.now() + timeoutMs,
  signal,
});

const never = () => new Promise<Fact>(() => {});
const unread = () => Promise.reject(new Error('this should not be read'));

describe('LoadingCache', () => {
  it('loads a value once for all callers', async () => {
    const facts = createCache();
    const { promise, resolve } = Promise.withResolvers<Fact>();
    let reads = 0;
    const read = () => {
      reads += 1;
      return promise;
    };
    const wanted = [callOf(), callOf(), callOf()].map((call) => facts.get('a', call, read));
    const fact = { bytes: 1 };
    resolve(fact);
    for (const found of await Promise.all(wanted)) expect(found).toBe(fact);
    expect(await facts.get('a', callOf(), unread)).toBe(fact);
    expect(reads).toBe(1);
  });

  it('does not cache a failure: a waiting caller loads the value itself', async () => {
    const facts = createCache();
    const first = facts.get('a', callOf(), () => Promise.reject(new Error('broken')));
    const second = facts.get('a', callOf(), async () => ({ bytes: 2 }));
    await expect(first).rejects.toThrow('broken');
    expect(await second).toEqual({ bytes: 2 });
  });

  it('does not join the first attempt of the same caller', async () => {
    const facts = createCache();
    const call = callOf();
    const { promise, reject } = Promise.withResolvers<Fact>();
    const first = facts.get('a', call, () => promise);
    const second = facts.get('a', call, async () => ({ bytes: 2 }));
    reject(new Error('the first server is gone'));
    await expect(first).rejects.toThrow('the first server is gone');
    expect(await second).toEqual({ bytes: 2 });
  });

  it('waits no longer than the deadline of the caller', async () => {
    const facts = createCache();
    const hangUp = new AbortController();
    void facts.get('a', callOf(), never).catch(() => {});
    const late = facts.get('a', callOf(20), never);
    const gone = facts.get('a', callOf(60_000, hangUp.signal), never);
    await expect(late).rejects.toMatchObject({ kind: 'timeout' });
    hangUp.abort(new Error('hung up'));
    await expect(gone).rejects.toThrow('hung up');
  });

  it('removes old entries to make room', async () => {
    const facts = createCache({ maxEntries: 2 });
    const put = (key: string, bytes: number) => facts.get(key, callOf(), async () => ({ bytes }));
    for (const key of ['a', 'b', 'c']) await put(key, 1);
    expect(await put('c', 9)).toEqual({ bytes: 1 });
    expect(await put('a', 9)).toEqual({ bytes: 9 });
    // Too large to be cached, but still returned.
    expect(await put('huge', 2000)).toEqual({ bytes: 2000 });
    expect(await put('huge', 3000)).toEqual({ bytes: 3000 });
  });
});

it('CodeTextCache writes the same code once, whatever cells it is in', () => {
  const code = beginCell().storeUint(7, 32).endCell();
  const other = beginCell().storeUint(8, 32).endCell();
  const alone = fromCoreCell(code);
  const among = fromCoreCell(beginCell().storeRef(other).storeRef(code).endCell());
  const texts = new CodeTextCache();
  const text = texts.textOf({ cells: alone, cell: alone.root });
  expect(text).toBe(bocText(alone, alone.root));
  expect(texts.textOf({ cells: among, cell: among.ref(among.root, 1) })).toBe(text);
  expect(texts.textOf({ cells: among, cell: among.ref(among.root, 0) })).not.toBe(text);
});
