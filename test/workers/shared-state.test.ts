import { duplexPair } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { RateStore } from '../../src/access/rate-limit.ts';
import { type Channel, openChannel } from '../../src/lib/channel.ts';
import { createPayerBudget } from '../../src/lib/payer-budget.ts';
import { keepBudgets, shareBudgets } from '../../src/workers/budgets.ts';
import type { Crew, Member } from '../../src/workers/crew.ts';
import { keepRates, shareRates } from '../../src/workers/rates.ts';
import { keepSlots, shareMessageCounts, shareStreamSlots } from '../../src/workers/slots.ts';
import { keepTraces, shareTraces } from '../../src/workers/traces.ts';
import { createQuietLog } from '../support/quiet-log.ts';

/** A crew whose workers are in this process; `leave` ends one. */
function createTestCrew() {
  const members = new Map<Member, Channel>();
  const joiners: ((member: Member) => void)[] = [];
  const leavers: ((member: Member) => void)[] = [];
  const crew = {
    onJoin: (join: (member: Member) => void) => void joiners.push(join),
    onLeave: (leave: (member: Member) => void) => void leavers.push(leave),
    ready: () => [...members.keys()],
    tellOthers(sender: Member, name: string, ...args: readonly unknown[]) {
      for (const member of members.keys()) if (member !== sender) member.channel.notify(name, ...args);
    },
  };
  return {
    crew: crew as unknown as Crew,
    join(): { readonly channel: Channel; readonly leave: () => void } {
      const [parentEnd, workerEnd] = duplexPair();
      const member = { channel: openChannel(parentEnd) } as unknown as Member;
      const channel = openChannel(workerEnd);
      members.set(member, channel);
      for (const join of joiners) join(member);
      return {
        channel,
        leave() {
          members.delete(member);
          for (const leave of leavers) leave(member);
        },
      };
    },
  };
}

function take(store: RateStore, key: string, max: number): Promise<boolean> {
  return new Promise((resolve) =>
    store.incr(key, (_error, count) => resolve(count!.current <= max), 1000, max),
  );
}

/** Longer than any machine takes. */
const NEVER_LATE_MS = 60_000;

const ratesOf = (channel: Channel, onError = vi.fn(), timeoutMs = NEVER_LATE_MS) =>
  shareRates({ channel, log: createQuietLog(), onError, timeoutMs });

it('workers count calls and wrong keys together', async () => {
  const { crew, join } = createTestCrew();
  keepRates(crew);
  const [one, two] = [join(), join()];
  const [first, second] = [ratesOf(one.channel), ratesOf(two.channel)];
  const taken = await Promise.all(
    Array.from({ length: 20 }, (_, at) => take((at % 2 === 0 ? first : second).store, 'k:1', 5)),
  );
  expect(taken.filter(Boolean)).toHaveLength(5);
  expect(await take(first.store, 'k:2', 5)).toBe(true);
  // A key that has got a higher rate meanwhile.
  expect(await take(first.store, 'k:1', 6)).toBe(true);

  const permits = await Promise.all(Array.from({ length: 10 }, () => first.guesses.begin('1.2.3.4')));
  const waiting = second.guesses.begin('1.2.3.4');
  for (const permit of permits.slice(1)) permit!.end(true);
  expect((await first.guesses.count('1.2.3.4')).current).toBe(9);
  // A worker that ends leaves no try behind.
  one.leave();
  (await waiting)!.end(true);
  expect((await second.guesses.count('1.2.3.4')).current).toBe(10);
  expect(await second.guesses.begin('1.2.3.4')).toBeNull();
});

it('a worker counts on its own while the parent is late', async () => {
  const [parentEnd, workerEnd] = duplexPair();
  const parent = openChannel(parentEnd);
  const answers: (() => void)[] = [];
  parent.on('count', () => new Promise(() => {}));
  parent.on('ping', () => new Promise<void>((resolve) => answers.push(resolve)));
  const onError = vi.fn();
  const { store } = ratesOf(openChannel(workerEnd), onError, 20);
  expect(await take(store, 'k:1', 1)).toBe(true);
  expect(await take(store, 'k:1', 1)).toBe(false);
  expect(onError).toHaveBeenCalledTimes(1);
  parent.on('count', () => ({ current: 1, ttl: 1000 }));
  await expect.poll(() => answers.length).toBe(1);
  answers[0]!();
  await expect.poll(() => take(store, 'k:1', 1)).toBe(true);
});

it('budgets hear what other workers charge, also before they began', async () => {
  const { crew, join } = createTestCrew();
  keepBudgets(crew);
  const payer = { id: 'k:1', rps: 1 };
  const open = ({ channel }: { readonly channel: Channel }) =>
    createPayerBudget({
      unitsPerRps: 1,
      savedSeconds: 100,
      minSaved: 0,
      expected: 0,
      now: () => 0,
      share: shareBudgets(channel)('bytes'),
    });
  const [one, two] = [open(join()), open(join())];
  const permit = one.acquire(payer)!;
  permit.expect(60);
  permit.charge(150);
  await expect.poll(() => two.retrySeconds(payer)).toBeGreaterThanOrEqual(50);
  expect(two.acquire(payer)).toBeUndefined();
  const three = open(join());
  await expect.poll(() => three.retrySeconds(payer)).toBeGreaterThanOrEqual(50);
  expect(three.retrySeconds(payer)).toBeLessThanOrEqual(51);
  expect(three.acquire({ id: 'k:2', rps: 1 })).toBeDefined();
});

it('streams and pending messages of a worker that ends are not counted any more', async () => {
  const { crew, join } = createTestCrew();
  keepSlots(crew);
  const [one, two] = [join(), join()];
  const [first, second] = [shareStreamSlots(one.channel), shareStreamSlots(two.channel)];
  expect(await first.take('k:1', 'a', 2)).toBe(true);
  expect(await second.take('k:1', 'b', 2)).toBe(true);
  expect(await second.take('k:1', 'c', 2)).toBe(false);
  second.free('k:1', 'b');
  expect(await second.take('k:1', 'd', 2)).toBe(true);

  const [ofFirst, ofSecond] = [shareMessageCounts(one.channel), shareMessageCounts(two.channel)];
  ofFirst.count('k:1', 1);
  ofFirst.count('k:1', 1);
  await expect.poll(() => ofSecond.others('k:1')).toBe(2);
  const ofThird = shareMessageCounts(join().channel);
  await expect.poll(() => ofThird.others('k:1')).toBe(2);
  one.leave();
  expect(await second.take('k:1', 'e', 2)).toBe(true);
  await expect.poll(() => [ofSecond.others('k:1'), ofThird.others('k:1')]).toEqual([0, 0]);
});

it('traces are found by account and message, bounded, and taken over', async () => {
  const { crew, join } = createTestCrew();
  keepTraces(crew, { maxEntries: 2, maxBytes: 1000, maxFound: 10 });
  const [one, two] = [join(), join()];
  const [first, second] = [shareTraces(one.channel), shareTraces(two.channel)];
  const adopted = vi.fn();
  second.onAdopt(adopted);
  const put = (key: string, text = `text of ${key}`) =>
    first.depot.put({ key, message: `${key}m`, accounts: ['x', key], text });
  put('a');
  put('b');
  expect(await second.depot.find({ accounts: ['x'] })).toEqual(['text of b', 'text of a']);
  expect(await second.depot.find({ keys: ['am', 'b'] })).toEqual(['text of a', 'text of b']);
  put('b', 'newer');
  put('c');
  expect(await second.depot.find({ accounts: ['x'] })).toEqual(['text of c', 'newer']);
  first.depot.remove('c');
  expect(await second.depot.find({ accounts: ['x', 'c'] })).toEqual(['newer']);
  put('d', 'y'.repeat(1001));
  expect(await second.depot.find({ accounts: ['x'] })).toEqual([]);
  put('e');
  const heard: string[] = [];
  second.subscribe((text) => heard.push(text));
  first.publish('change');
  await expect.poll(() => heard).toEqual(['change']);
  one.leave();
  await expect.poll(() => adopted.mock.calls).toEqual([[['e']]]);
  expect(await second.depot.find({ keys: ['em'] })).toEqual(['text of e']);
});
