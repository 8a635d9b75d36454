import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/pending/memory-store.ts';
import { traceKey } from '../../src/pending/pending-traces.ts';
import { accountOf, hashOf, madeTrace } from './support/test-trace.ts';

const LIMITS = { maxEntries: 100, maxBytes: 1_000_000, maxTraceBytes: 8000, maxFound: 100 };
const keyOf = (name: string): string => traceKey(hashOf(name));

it('memory store finds a trace by its accounts, by those of its actions, and by either hash of its message', async () => {
  const store = createMemoryStore(LIMITS);
  const one = madeTrace('one', { accounts: ['a', 'b'], parties: ['c'] });
  const two = madeTrace('two', { accounts: ['b'] });
  for (const trace of [one, two]) expect(store.put(trace)).toEqual([]);
  const ofAccounts = (...names: string[]) => store.find({ accounts: names.map(accountOf) });
  expect(await ofAccounts('a')).toEqual([one]);
  expect(await ofAccounts('b', 'c')).toEqual([one, two]);
  expect(await ofAccounts('d')).toEqual([]);
  for (const hash of ['one', 'message one'])
    expect(await store.find({ messages: [hashOf(hash), hashOf('nothing')] })).toEqual([one]);
});

it('memory store replaces a trace by its newer form', async () => {
  const store = createMemoryStore(LIMITS);
  store.put(madeTrace('one', { accounts: ['a', 'b'], bytes: 1000 }));
  const { bytes } = store.size();
  const newer = madeTrace('one', { accounts: ['c'], updatedAt: 2 });
  store.put(newer);
  expect(await store.find({ accounts: [accountOf('a'), accountOf('b')] })).toEqual([]);
  expect(await store.find({ accounts: [accountOf('c')] })).toEqual([newer]);
  expect(store.size().traces).toBe(1);
  expect(store.size().bytes).toBeLessThan(bytes);
  store.remove(keyOf('one'));
  expect(store.size()).toEqual({ traces: 0, bytes: 0 });
  expect(await store.find({ messages: [hashOf('message one')] })).toEqual([]);
});

it('memory store evicts the oldest traces beyond its limit', async () => {
  const store = createMemoryStore({ ...LIMITS, maxEntries: 2 });
  for (const name of ['one', 'two']) store.put(madeTrace(name, { accounts: ['a'] }));
  store.put(madeTrace('one', { accounts: ['a'], updatedAt: 2 }));
  expect(store.put(madeTrace('three', { accounts: ['a'] }))).toEqual([keyOf('one')]);
  expect(await store.find({ accounts: [accountOf('a')] })).toHaveLength(2);
});

it('memory store has a limit of bytes, and a trace that is too large evicts no other', async () => {
  const store = createMemoryStore({ ...LIMITS, maxBytes: 100_000 });
  for (let i = 0; i < 100; i++) store.put(madeTrace(`${i}`));
  expect(store.size().bytes).toBeLessThanOrEqual(100_000);
  const { traces } = store.size();
  expect(traces).toBeGreaterThan(16);
  expect(store.put(madeTrace('large', { bytes: 10_000 }))).toEqual([keyOf('large')]);
  // Not even if its earlier form was smaller.
  expect(store.put(madeTrace('99', { bytes: 10_000 }))).toEqual([keyOf('99')]);
  expect(store.size().traces).toBe(traces - 1);
});

it('memory store returns a limited number of traces', async () => {
  const store = createMemoryStore({ ...LIMITS, maxFound: 3 });
  for (let i = 0; i < 10; i++) store.put(madeTrace(`${i}`, { accounts: ['a'] }));
  expect(await store.find({ accounts: [accountOf('a')] })).toHaveLength(3);
});
