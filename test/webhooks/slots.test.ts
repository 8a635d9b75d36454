import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWebhookSlots, type SlotUser } from '../../src/webhooks/slots.ts';

const MAX = 128;
const user = (owner: number, hook = 0, isFailing = false): SlotUser => ({
  owner: `k${owner}`,
  webhookId: `${owner}-${hook}`,
  isFailing,
});

/** Takes all that is granted, again and again; returns how many each webhook got. */
function takeAll(slots: ReturnType<typeof createWebhookSlots>, users: readonly SlotUser[]) {
  const taken = new Map<string, number>();
  for (let granted = slots.grant(users); granted.size > 0; granted = slots.grant(users))
    for (const one of users)
      for (let left = granted.get(one.webhookId) ?? 0; left > 0; left--) {
        slots.take(one);
        taken.set(one.webhookId, (taken.get(one.webhookId) ?? 0) + 1);
      }
  return taken;
}

describe('slots of webhooks', () => {
  it('go to an owner up to its share, and to its webhooks up to theirs', () => {
    const slots = createWebhookSlots(MAX);
    expect(takeAll(slots, [user(1, 0)]).get('1-0')).toBe(16);
    expect(takeAll(slots, [user(1, 0), user(1, 1)])).toEqual(new Map([['1-1', 8]]));
    expect(slots.hasRoom(user(1, 2))).toBe(true);
  });

  it('are one for a webhook whose requests fail', () => {
    const slots = createWebhookSlots(MAX);
    expect(takeAll(slots, [user(1, 0, true)]).get('1-0')).toBe(1);
  });

  it('are left for another owner, however many webhooks the ones before have', () => {
    const slots = createWebhookSlots(MAX);
    for (let owner = 0; owner < 10; owner++) {
      const users = Array.from({ length: 10 }, (_, hook) => user(owner, hook));
      expect(takeAll(slots, users).size, `owner ${owner}`).toBeGreaterThan(0);
    }
    expect(slots.hasRoom(user(99))).toBe(true);
  });

  it('go to all owners alike who want some at the same time', () => {
    const slots = createWebhookSlots(MAX);
    const owners = Array.from({ length: 20 }, (_, owner) => owner);
    const granted = slots.grant(owners.flatMap((owner) => [user(owner, 0), user(owner, 1)]));
    for (const owner of owners)
      expect((granted.get(`${owner}-0`) ?? 0) + (granted.get(`${owner}-1`) ?? 0)).toBeGreaterThan(0);
  });

  it('are never more than there are, and free again when they are given back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(fc.nat(5), fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 100 }),
        (max, steps) => {
          const slots = createWebhookSlots(max);
          const releases: (() => void)[] = [];
          for (const [owner, hook, isRelease] of steps) {
            if (isRelease) releases.pop()?.();
            else if (slots.hasRoom(user(owner, hook))) releases.push(slots.take(user(owner, hook)));
            expect(releases.length).toBeLessThanOrEqual(max);
            expect(slots.isFull()).toBe(releases.length >= max);
          }
          for (const release of releases) release();
          expect(slots.full()).toEqual({ owners: [], webhookIds: [] });
          expect(slots.hasRoom(user(0))).toBe(true);
        },
      ),
    );
  });
});
