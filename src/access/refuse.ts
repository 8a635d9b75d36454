import { Failure } from '../lib/failure.ts';

/** Why the gate turned a request away. */
export type Refusal = 'unknown_key' | 'network_not_allowed' | 'rate_limited';

/** Told about every request that was turned away. */
export type OnRefused = (refusal: Refusal) => void;

/** Texts that clients match; they are part of the contract of both interfaces. */
const TEXT_OF_REFUSAL: Readonly<Record<Refusal, string>> = {
  unknown_key: 'API key does not exist',
  network_not_allowed: 'Network not allowed',
  rate_limited: 'Ratelimit exceeded',
};

/** Counts a refusal and makes the failure to throw. */
export function refuse(onRefused: OnRefused, refusal: Refusal, retryAfterSeconds?: number): Failure {
  onRefused(refusal);
  return new Failure(refusal, TEXT_OF_REFUSAL[refusal], { retryAfterSeconds });
}
