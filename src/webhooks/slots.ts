/** Whose request to a webhook is under way, or is to be sent. */
export interface SlotUser {
  /** The owner of the key of the webhook, or the key; empty for the operator. */
  readonly owner: string;
  readonly webhookId: string;
  /** Whether the last request to the webhook failed. */
  readonly isFailing: boolean;
}

interface OwnerSlots {
  /** Of all its webhooks. */
  total: number;
  readonly ofWebhooks: Map<string, number>;
}

/** The requests to webhooks that this process has under way, each of which takes a file descriptor. */
export type WebhookSlots = ReturnType<typeof createWebhookSlots>;

/** An owner may have this part of the slots that others do not have, a webhook that part of those of its owner. */
const SHARE_OF_OWNER = 1 / 4;
const SHARE_OF_WEBHOOK = 1 / 2;
const MAX_OF_WEBHOOK = 16;

/**
 * Creates slots. Whoever has receivers that respond late takes the slots of its own share, which shrinks with every other
 * owner: for the next one there is nearly always a free one.
 */
export function createWebhookSlots(max: number) {
  const byOwner = new Map<string, OwnerSlots>();
  let taken = 0;

  const ofOwner = (owner: string): number => byOwner.get(owner)?.total ?? 0;
  const ofWebhook = ({ owner, webhookId }: SlotUser): number =>
    byOwner.get(owner)?.ofWebhooks.get(webhookId) ?? 0;
  const maxOfOwner = (owner: string): number =>
    Math.max(1, Math.floor((max - taken + ofOwner(owner)) * SHARE_OF_OWNER));

  function hasRoom(user: SlotUser): boolean {
    const [own, mostOfOwner] = [ofOwner(user.owner), maxOfOwner(user.owner)];
    if (taken >= max || own >= mostOfOwner) return false;
    const share = Math.floor((mostOfOwner - own + ofWebhook(user)) * SHARE_OF_WEBHOOK);
    const most = user.isFailing ? 1 : Math.max(1, Math.min(MAX_OF_WEBHOOK, share));
    return ofWebhook(user) < most;
  }

  /** Takes a slot; the returned function gives it back. */
  function take({ owner, webhookId }: Pick<SlotUser, 'owner' | 'webhookId'>): () => void {
    count(owner, webhookId, 1);
    return () => count(owner, webhookId, -1);
  }

  function count(owner: string, webhookId: string, step: 1 | -1): void {
    const slots = byOwner.get(owner) ?? { total: 0, ofWebhooks: new Map() };
    byOwner.set(owner, slots);
    taken += step;
    slots.total += step;
    const own = (slots.ofWebhooks.get(webhookId) ?? 0) + step;
    if (own === 0) slots.ofWebhooks.delete(webhookId);
    else slots.ofWebhooks.set(webhookId, own);
    if (slots.total === 0) byOwner.delete(owner);
  }

  return {
    take,
    hasRoom,
    isFull: () => taken >= max,
    /** Owners and webhooks that have as many slots as they may have now. */
    full() {
      const [owners, webhookIds]: [string[], string[]] = [[], []];
      for (const [owner, { total, ofWebhooks }] of byOwner)
        if (total >= maxOfOwner(owner)) owners.push(owner);
        else
          for (const webhookId of ofWebhooks.keys())
            if (!hasRoom({ owner, webhookId, isFailing: false })) webhookIds.push(webhookId);
      return { owners, webhookIds };
    },
    /** How many slots each of some webhooks may take: one after the other goes to the owner that has the fewest. */
    grant(users: readonly SlotUser[]): ReadonlyMap<string, number> {
      const granted = new Map<string, number>();
      const releases: (() => void)[] = [];
      const left = new Set(users);
      while (left.size > 0 && taken < max) {
        const next = leastOf(left, (user) => ofOwner(user.owner) * max + ofWebhook(user));
        if (!hasRoom(next)) {
          left.delete(next);
          continue;
        }
        releases.push(take(next));
        granted.set(next.webhookId, (granted.get(next.webhookId) ?? 0) + 1);
      }
      for (const release of releases) release();
      return granted;
    },
  };
}

function leastOf<T>(items: Iterable<T>, weigh: (item: T) => number): T {
  let [least, weight]: [T | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const item of items) {
    const own = weigh(item);
    if (own < weight) [least, weight] = [item, own];
  }
  return least!;
}
