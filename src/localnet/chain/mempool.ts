import { readBoc } from '../../chain/boc/bag.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readMessageInfo } from '../../chain/tlb/message.ts';
import { accountOf } from '../../chain/tlb/msg-address.ts';
import type { External, ExternalOutcome } from '../collate/external-messages.ts';
import { checkExternalMessage } from '../lite-server/methods/messages.ts';
import { refusePlainly } from '../lite-server/methods/method-context.ts';
import type { ChainStore } from '../store/chain-store.ts';

/** Final outcome for the sender. */
export type FinalOutcome =
  | Exclude<ExternalOutcome, { outcome: 'postponed' }>
  | { readonly id: string; readonly outcome: 'dropped'; readonly text: string };

/** A well-formed external message and its destination. */
export type IncomingExternal = Readonly<ReturnType<typeof readExternal>>;

type IncomingMessage = Omit<IncomingExternal, 'to'>;

interface Waiting extends IncomingMessage {
  readonly since: number;
  readonly end: Promise<FinalOutcome>;
  readonly resolve: (end: FinalOutcome) => void;
  /** Steps that failed with only this message. */
  failures: number;
}

const MAX_MESSAGES = 8192;
const MAX_MESSAGES_OF_ACCOUNT = 256;
const MAX_WAIT_SECONDS = 600;
const MAX_FAILURES = 3;

/** External messages waiting for a block, oldest first. */
export class Mempool {
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #accounts = new Map<string, number>();
  /** Reduced after a failed step, to isolate the faulty message. */
  #batch = MAX_MESSAGES;

  /** `now` returns unix seconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a message unless it is queued already. Throws LiteRefusal when there are too many. */
  add(message: IncomingMessage): Promise<FinalOutcome> {
    const cached = this.#waiting.get(message.id);
    if (cached !== undefined) return cached.end;
    const ofAccount = this.#accounts.get(message.account) ?? 0;
    if (ofAccount >= MAX_MESSAGES_OF_ACCOUNT)
      refusePlainly(`too many external messages to address ${message.account}`);
    if (this.#waiting.size >= MAX_MESSAGES) refusePlainly('too many external messages wait for a block');
    const { promise: end, resolve } = Promise.withResolvers<FinalOutcome>();
    this.#accounts.set(message.account, ofAccount + 1);
    this.#waiting.set(message.id, { ...message, since: this.#now(), end, resolve, failures: 0 });
    return end;
  }

  /** Messages to try next. They stay queued until `settle` reports their outcome. */
  next(): External[] {
    for (const { id, since } of this.#waiting.values()) {
      if (this.#now() - since <= MAX_WAIT_SECONDS) break;
      this.#end({ id, outcome: 'dropped', text: 'the message found no place in a block for too long' });
    }
    return [...this.#waiting.values()].slice(0, this.#batch).map(({ id, body }) => ({ id, body }));
  }

  settle(outcomes: readonly ExternalOutcome[]): void {
    this.#batch = Math.min(MAX_MESSAGES, this.#batch * 2);
    for (const end of outcomes) if (end.outcome !== 'postponed') this.#end(end);
  }

  /**
   * Takes note that no blocks could be made with these messages. Half of them are tried next; one that fails alone is
   * tried behind the others, and given up in the end, so that it cannot stop the chain.
   */
  markFailed(messages: readonly External[]): void {
    this.#batch = Math.max(1, messages.length >> 1);
    const waiting = messages.length === 1 ? this.#waiting.get(messages[0]!.id) : undefined;
    if (waiting === undefined) return;
    waiting.failures += 1;
    this.#waiting.delete(waiting.id);
    this.#waiting.set(waiting.id, waiting);
    if (waiting.failures >= MAX_FAILURES)
      this.#end({ id: waiting.id, outcome: 'dropped', text: 'no block could be made with the message' });
  }

  /** Drops messages that were in a block which is not a part of the chain. */
  drop(messages: readonly Pick<External, 'id'>[], text: string): void {
    for (const { id } of messages) this.#end({ id, outcome: 'dropped', text });
  }

  clear(text: string): void {
    for (const id of [...this.#waiting.keys()]) this.#end({ id, outcome: 'dropped', text });
  }

  #end(end: FinalOutcome): void {
    const waiting = this.#waiting.get(end.id);
    if (waiting === undefined) return;
    this.#waiting.delete(end.id);
    const left = this.#accounts.get(waiting.account)! - 1;
    if (left === 0) this.#accounts.delete(waiting.account);
    else this.#accounts.set(waiting.account, left);
    waiting.resolve(end);
  }
}

/** Reads an external message; throws LiteRefusal with a node's error text. */
export function readExternal(store: ChainStore, body: Buffer) {
  checkExternalMessage(store, body);
  const bag = readBoc(body);
  const info = readMessageInfo(new Slice(bag, bag.root));
  if (info.kind !== 'external-in' || info.dest.kind !== 'std')
    refusePlainly("Can't parse destination address");
  const { workchain } = info.dest;
  const hash = Buffer.from(accountOf(info.dest));
  return {
    /** Hash of the message in hex. */
    id: bag.hash(bag.root).toString('hex'),
    body,
    /** `workchain:HEX` of the account. */
    account: `${workchain}:${hash.toString('hex').toUpperCase()}`,
    to: { workchain, hash },
  };
}
