import type { StackEntry } from '../stack/stack-entry.ts';
import type { AccountId } from '../tl/names.ts';
import type { MethodAnswer } from './method-answer.ts';

/**
 * A contract that can be asked by its get-methods, as it was at one block. Who reads contracts knows only this, so that
 * the same reading serves answers from a lite server and the index.
 */
export interface Probe {
  readonly account: AccountId;
  /** Runs a get-method; throws NotThat when it fails or the code has none of that name. */
  run(method: string, args?: readonly StackEntry[]): Promise<MethodAnswer>;
  /** Another contract at the same block; throws NotThat when there is none. */
  beside(account: AccountId): Promise<Probe>;
}
