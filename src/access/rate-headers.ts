import type { Gate } from '../http/gate.ts';
import type { RateCount } from './rate-store.ts';

/** What the gate may do with an answer: add headers. */
export type GateReply = Parameters<Gate['admit']>[1];

/** Whole seconds until the window ends, as clients are told; at least one, as zero invites a tight loop. */
export function secondsLeft({ ttl }: Pick<RateCount, 'ttl'>): number {
  return Math.max(1, Math.ceil(ttl / 1000));
}

/** Tells the caller its limit, what is left of it, and when it is whole again. */
export function setRateHeaders(reply: GateReply, limit: number, count: RateCount): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', Math.max(0, limit - count.current));
  reply.header('x-ratelimit-reset', secondsLeft(count));
}
