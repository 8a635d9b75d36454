import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiKey } from '../../src/access/keys.ts';
import { revokeApiKey } from '../../src/access/stored-keys.ts';
import { secretText } from '../../src/webhooks/request.ts';
import { createWebhookSender } from '../../src/webhooks/sender.ts';
import { createWebhookSlots } from '../../src/webhooks/slots.ts';
import { listDeadEvents, reviveEvents, takeDueQueues } from '../../src/webhooks/stored-events.ts';
import { feedOf, queueEvents } from '../../src/webhooks/stored-feeds.ts';
import { findWebhook, pauseWebhook, type Webhook } from '../../src/webhooks/stored-webhooks.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../streaming/support/webhook-receiver.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { until } from '../support/until.ts';
import { storeEvents, storeWebhook } from './support/webhook-rows.ts';

type WebhookSender = ReturnType<typeof createWebhookSender>;

let test: TestDatabase;
let receiver: WebhookReceiver;
let senders: WebhookSender[];
let outcomes: string[];

beforeEach(async () => {
  test = await createTestDatabase();
  receiver = await openWebhookReceiver();
  senders = [];
  outcomes = [];
});
afterEach(async () => {
  for (const sender of senders) await sender.close();
  await receiver.close();
  await test.drop();
});

function startSender({
  isPublic = true,
  timeoutMs = 5000,
  slots = 128,
}: {
  readonly isPublic?: boolean;
  readonly timeoutMs?: number;
  readonly slots?: number;
} = {}): WebhookSender {
  const names = { resolve: async () => ['127.0.0.1'], close() {} };
  const sender = createWebhookSender({
    database: test.database,
    transport: { names, isPublic: () => isPublic, allowsPrivate: false, timeoutMs },
    slots: createWebhookSlots(slots),
    log: createQuietLog(),
    onAttempt: (outcome) => outcomes.push(outcome),
    pollMs: 20,
  });
  senders.push(sender);
  return sender;
}

function createHook(url = receiver.url, keyId?: string): Promise<Webhook> {
  return storeWebhook(test.database, { url, ...(keyId !== undefined && { keyId }) });
}

function accountOf(number: number): Buffer {
  const account = Buffer.alloc(33);
  account.writeUInt32BE(number, 29);
  return account;
}

/** Queues events with the names of their addresses and their numbers in them. */
async function queue(
  { id }: Webhook,
  events: readonly (readonly [account: number, number: number])[],
): Promise<void> {
  const added = events.map(([account, number]) => ({
    account: accountOf(account),
    eventId: `${id}-${account}-${number}`,
    body: JSON.stringify({ account, number }),
  }));
  await storeEvents(test.database, id, added);
}

/** The numbers of the accepted events of each address, in their order. */
function acceptedOf(account: number): number[] {
  const bodies = receiver
    .accepted()
    .map(({ body }) => JSON.parse(body) as { account: number; number: number });
  return bodies.filter((body) => body.account === account).map(({ number }) => number);
}

async function makeDue(): Promise<void> {
  await sql`update webhook_queues set next_try = now()`.execute(test.database.primary);
  await sql`update webhooks set next_try = now() where waiting > 0`.execute(test.database.primary);
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from webhook_events where dead_at is null)::integer
      + (select count(*) from webhook_queues)::integer as count`.execute(test.database.primary);
  return rows[0]!.count;
}

const DONE = { timeout: 120_000, interval: 20 };

describe('createWebhookSender', () => {
  it('sends the events of each address in their order, and nothing is left', async () => {
    const hook = await createHook();
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    await queue(
      hook,
      numbers.flatMap(
        (number) =>
          [
            [1, number],
            [2, number],
            [3, number],
          ] as const,
      ),
    );
    startSender();
    await vi.waitFor(async () => expect(await countWaiting()).toBe(0), DONE);
    for (const account of [1, 2, 3]) expect(acceptedOf(account)).toEqual(numbers);
    expect(receiver.received).toHaveLength(30);
    expect((await test.database.write((db) => findWebhook(db, hook)))!.delivered).toBe(30);
  });

  it('signs the body together with the time', async () => {
    const hook = await createHook();
    await queue(hook, [[1, 1]]);
    startSender();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), DONE);
    const { headers, body } = receiver.received[0]!;
    const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-tongate-signature']))!;
    const own = createHmac('sha256', secretText(hook.secret)).update(`${time}.${body}`).digest('hex');
    expect(digest).toBe(own);
    expect(Math.abs(Number(time) - Date.now() / 1000)).toBeLessThan(60);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-tongate-webhook': hook.id,
      'x-tongate-event-id': `${hook.id}-1-1`,
      'x-tongate-attempt': '1',
    });
  });

  it('repeats an event that was refused with the same id, and later ones of its address wait', async () => {
    const hook = await createHook();
    await queue(hook, [
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    receiver.behave(({ body }) => (body.includes('"account":1') ? 'refuse' : 'accept'));
    startSender();
    await vi.waitFor(() => expect(acceptedOf(2)).toEqual([1]), DONE);
    await vi.waitFor(() => expect(outcomes).toContain('failure'), DONE);
    expect(acceptedOf(1)).toEqual([]);
    expect(receiver.received.some(({ id }) => id.endsWith('-1-2'))).toBe(false);
    receiver.behave(() => 'accept');
    await vi.waitFor(async () => {
      await makeDue();
      expect(await countWaiting()).toBe(0);
    }, DONE);
    expect(acceptedOf(1)).toEqual([1, 2]);
    const first = receiver.received.filter(({ id }) => id.endsWith('-1-1'));
    expect(first.length).toBeGreaterThan(1);
    expect(first.at(-1)!.headers['x-tongate-attempt']).toBe(String(first.length));
    const { lastFailure } = (await test.database.write((db) => findWebhook(db, hook)))!;
    expect(lastFailure).toBe('responded with status 500');
  });

  it('gives a receiver that does not respond up, and tries again', async () => {
    const hook = await createHook();
    await queue(hook, [[1, 1]]);
    receiver.behave(() => 'hang');
    startSender({ timeoutMs: 50 });
    await vi.waitFor(async () => {
      const { lastFailure } = (await test.database.write((db) => findWebhook(db, hook)))!;
      expect(lastFailure).toBe('no response within 0.05 s');
    }, DONE);
    receiver.behave(() => 'accept');
    await vi.waitFor(async () => {
      await makeDue();
      expect(acceptedOf(1)).toEqual([1]);
    }, DONE);
  });

  it('does not send to private addresses', async () => {
    const hook = await createHook();
    await queue(hook, [[1, 1]]);
    startSender({ isPublic: false });
    await vi.waitFor(async () => {
      const { lastFailure } = (await test.database.write((db) => findWebhook(db, hook)))!;
      expect(lastFailure).toBe('the address is not public');
    }, DONE);
    expect(receiver.received).toEqual([]);
  });

  it('gives events up after three days, goes on with the next one, and sends them again on request', async () => {
    const hook = await createHook();
    await queue(hook, [
      [1, 1],
      [1, 2],
    ]);
    await sql`update webhook_events set created_at = now() - interval '4 days' where event_id like '%-1-1'`.execute(
      test.database.primary,
    );
    receiver.behave(({ id }) => (id.endsWith('-1-1') ? 'refuse' : 'accept'));
    startSender();
    await vi.waitFor(async () => expect(await countWaiting()).toBe(0), DONE);
    expect(acceptedOf(1)).toEqual([2]);
    const dead = await test.database.write((db) => listDeadEvents(db, { webhookId: hook.id, limit: 10 }));
    expect(dead).toMatchObject([{ eventId: `${hook.id}-1-1`, tries: 1, error: 'responded with status 500' }]);
    receiver.behave(() => 'accept');
    expect(await test.database.write((db) => reviveEvents(db, { webhookId: hook.id }))).toBe(1);
    await vi.waitFor(() => expect(acceptedOf(1)).toEqual([2, 1]), DONE);
    await vi.waitFor(async () => expect(await countWaiting()).toBe(0), DONE);
  });

  it('sends nothing while a webhook is paused', async () => {
    const [paused, other] = [await createHook(), await createHook()];
    await test.database.write((db) => pauseWebhook(db, { id: paused.id, isPaused: true }));
    await queue(paused, [[1, 1]]);
    await queue(other, [[2, 1]]);
    startSender();
    await vi.waitFor(() => expect(acceptedOf(2)).toEqual([1]), DONE);
    expect(acceptedOf(1)).toEqual([]);
    await test.database.write((db) => pauseWebhook(db, { id: paused.id, isPaused: false }));
    await vi.waitFor(() => expect(acceptedOf(1)).toEqual([1]), DONE);
  });

  it('shares the work with others, and takes over what a killed process had taken', async () => {
    const hook = await createHook();
    const numbers = [1, 2, 3, 4, 5];
    const accounts = Array.from({ length: 40 }, (_, i) => i + 1);
    await queue(
      hook,
      numbers.flatMap((number) => accounts.map((account) => [account, number] as const)),
    );
    // Nobody sends what this process took, until its lease has ended.
    const taken = await test.database.write((db) => takeDueQueues(db, { rooms: new Map([[hook.id, 3]]) }));
    expect(taken).toHaveLength(3);
    for (let i = 0; i < 3; i++) startSender();
    await vi.waitFor(async () => expect(await countWaiting()).toBe(3 * 6), DONE);
    await makeDue();
    await vi.waitFor(async () => expect(await countWaiting()).toBe(0), DONE);
    for (const account of accounts) expect(acceptedOf(account)).toEqual(numbers);
    expect(receiver.received).toHaveLength(200);
  });

  it('finds events that are queued while their queue ends', async () => {
    const hook = await createHook();
    startSender();
    for (let number = 1; number <= 60; number++) await queue(hook, [[1, number]]);
    await vi.waitFor(async () => expect(await countWaiting()).toBe(0), DONE);
    expect(acceptedOf(1)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });
});

describe('slots of the sender', () => {
  const SLOW_OWNERS = 3;
  const HOOKS = 5;

  async function createKey(name: string): Promise<string> {
    const settings = { name, plan: 'free', rps: 10, networks: [] };
    return (await createApiKey(test.database, settings)).row.id;
  }

  it('are left for a neighbour of owners whose receivers do not respond', async () => {
    const accounts = Array.from({ length: 40 }, (_, i) => i + 1);
    const events = accounts.map((account) => [account, 1] as const);
    const slow = await openWebhookReceiver();
    slow.behave(() => 'hang');
    try {
      for (let owner = 0; owner < SLOW_OWNERS; owner++) {
        const key = await createKey(`slow ${owner}`);
        for (let hook = 0; hook < HOOKS; hook++) await queue(await createHook(slow.url, key), events);
      }
      startSender({ timeoutMs: 600_000 });
      // All slots that they may have are theirs by then.
      await until(async () => {
        const { rows } = await sql<{ count: number }>`
          select count(distinct webhook_id)::integer as count from webhook_queues where next_try > now()`.execute(
          test.database.primary,
        );
        return rows[0]!.count === SLOW_OWNERS * HOOKS;
      });
      await queue(await createHook(receiver.url, await createKey('neighbour')), events);
      await vi.waitFor(() => expect(receiver.accepted()).toHaveLength(accounts.length), DONE);
      expect(outcomes).not.toContain('failure');
    } finally {
      await senders.pop()!.close();
      await slow.close();
    }
  });

  it('are shared by the webhooks of an owner', async () => {
    const key = await createKey('one');
    const slow = await openWebhookReceiver();
    slow.behave(() => 'hang');
    try {
      const accounts = Array.from({ length: 40 }, (_, i) => i + 1);
      await queue(
        await createHook(slow.url, key),
        accounts.map((account) => [account, 1] as const),
      );
      startSender({ timeoutMs: 600_000, slots: 16 });
      await until(() => slow.received.length > 0);
      await queue(await createHook(receiver.url, key), [[1, 1]]);
      await vi.waitFor(() => expect(acceptedOf(1)).toEqual([1]), DONE);
    } finally {
      await senders.pop()!.close();
      await slow.close();
    }
  });
});

describe('webhooks of a revoked key', () => {
  it('are sent nothing more, and what waited for them is discarded', async () => {
    const { row } = await createApiKey(test.database, { name: 'gone', plan: 'free', rps: 10, networks: [] });
    const hook = await createHook(receiver.url, row.id);
    await queue(hook, [
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    const held: (() => void)[] = [];
    receiver.behave((_event, response) => {
      held.push(() => response.writeHead(204).end());
      return 'hang';
    });
    startSender({ timeoutMs: 600_000 });
    await until(() => held.length === 1);
    await test.database.write((db) => revokeApiKey(db, row));
    held[0]!();
    const shown = async () => (await test.database.write((db) => findWebhook(db, hook)))!;
    await until(async () => (await shown()).waiting === 0);
    expect(await countWaiting()).toBe(0);
    expect(receiver.received).toHaveLength(1);
    expect((await shown()).delivered).toBe(1);
  });
});

describe('queueEvents', () => {
  it('queues nothing if another process has moved the cursor', async () => {
    const hook = await createHook();
    const events = [{ webhookId: hook.id, account: accountOf(1), eventId: 'a', body: '{}' }];
    const fed = { feeds: [feedOf(hook.id)] };
    const queueFrom = (from: string) =>
      test.database.write((db) => queueEvents(db, { fed, from, to: '7', events }));
    expect(await queueFrom('5')).toBe(undefined);
    expect(await countWaiting()).toBe(0);
    expect(await queueFrom('0')).toBe(1);
    // The same event again is the same.
    expect(await queueFrom('7')).toBe(0);
    expect(await countWaiting()).toBe(2);
  });
});
