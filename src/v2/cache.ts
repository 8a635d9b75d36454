import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type BlockId, sameBlock } from '../chain/block-id.ts';
import { weakTag } from '../http/entity-tag.ts';
import type { Operation, ParameterOrigin } from '../http/operation.ts';
import type { LitePool } from '../lite/pool.ts';
import type { Execution } from '../live/execution.ts';
import type { LiveCall, UsedServers } from '../live/session.ts';

/** The answers that need no work a second time. */
export interface AnswerCache {
  /** What is known while the present head of a pool is its head. */
  at(pool: Pick<LitePool, 'head'>): HeadCache;
  /** Forgets everything: the chain is another one than before. */
  clear(): void;
}

/** How much memory answers may take. */
export interface AnswerCacheOptions {
  /** Answers that can never change. */
  readonly lastingBytes?: number;
  /** Answers that hold until the next block, for each pool. */
  readonly headBytes?: number;
  /** A longer answer is not kept. */
  readonly answerBytes?: number;
}

const MIB = 2 ** 20;

/** Creates an empty cache. */
export function createAnswerCache({
  lastingBytes = 64 * MIB,
  headBytes = 32 * MIB,
  answerBytes = 4 * MIB,
}: AnswerCacheOptions = {}): AnswerCache {
  let lasting: LRUCache<string, CachedAnswer>;
  let eras: WeakMap<Pick<LitePool, 'head'>, HeadCache>;

  /** Work that began before keeps the old ones, so that its answers come to nothing. */
  function clear(): void {
    eras = new WeakMap();
    lasting = new LRUCache({
      maxSize: lastingBytes,
      sizeCalculation: (answer, key) => bytesOf(key, answer),
    });
  }

  clear();
  return {
    at(pool) {
      const { head } = pool;
      const known = eras.get(pool);
      if (known !== undefined && known.head === head) return known;
      // A head never goes back, or away, on a chain that goes on: a local chain was reset.
      if (known?.head !== undefined && (head === undefined || head.seqno <= known.head.seqno)) clear();
      const era = new HeadCache(head, lasting, { headBytes, answerBytes });
      eras.set(pool, era);
      return era;
    },
    clear,
  };
}

/** The finished result of an operation. */
export interface CachedAnswer {
  readonly json: string;
  /** Tag of an answer that can never change; undefined for one that holds for a while. */
  readonly etag: string | undefined;
  /** When it is too old to be given, on the clock of `performance.now`. */
  readonly untilMs: number;
}

/** An answer that can never change. */
export function immutableAnswer(json: string): CachedAnswer {
  return { json, etag: weakTag(json), untilMs: Number.POSITIVE_INFINITY };
}

/** An answer that holds until the next block, and for this long at most. */
export function headAnswer(json: string, untilMs: number): CachedAnswer {
  return { json, etag: undefined, untilMs };
}

/** What an answer takes in memory: ASCII has one byte a character, and nearly all of it is ASCII. */
function bytesOf(key: string, { json }: CachedAnswer): number {
  return key.length + json.length + ENTRY_BYTES;
}

const ENTRY_BYTES = 256;

/**
 * A copy that is one piece. The serializer's text is a tree of pieces, which would be put together again for every
 * request that it answers.
 */
function flattened({ json, ...rest }: CachedAnswer): CachedAnswer {
  return { ...rest, json: Buffer.from(json).toString() };
}

/** What answers may take in memory. */
interface CacheLimits {
  /** All answers that hold until the next block, for each pool of lite servers. */
  readonly headBytes: number;
  /** One answer. */
  readonly answerBytes: number;
}

/**
 * The time in which one block is the head of a pool: the answers given in it, and the work that goes on. Nothing of it
 * is used once there is a newer block, so what is finished late can do no harm here.
 */
export class HeadCache {
  /** Work that goes on, by the key of its question. */
  readonly flights = new Map<string, Execution<CachedAnswer>>();
  readonly head: BlockId | undefined;
  readonly #lasting: LRUCache<string, CachedAnswer>;
  readonly #room: CacheLimits;
  readonly #answers = new Map<string, CachedAnswer>();
  #bytes = 0;

  /** `lasting` are the answers that outlive eras. */
  constructor(head: BlockId | undefined, lasting: LRUCache<string, CachedAnswer>, room: CacheLimits) {
    this.head = head;
    this.#lasting = lasting;
    this.#room = room;
  }

  find(key: string, nowMs: number): CachedAnswer | undefined {
    const known = this.#answers.get(key) ?? this.#lasting.get(key);
    return known === undefined || known.untilMs <= nowMs ? undefined : known;
  }

  /**
   * Keeps an answer as long as it holds. One that was read at another block than the head is given to those who waited
   * for it and not kept: a server may be a block behind.
   */
  keep(key: string, answer: CachedAnswer, bound: readonly UsedServers[]): void {
    if (bytesOf(key, answer) > this.#room.answerBytes) return;
    if (answer.etag !== undefined) this.#lasting.set(key, flattened(answer));
    else if (this.#isOfHead(bound)) this.#keepForNow(key, flattened(answer));
  }

  #isOfHead(bound: readonly UsedServers[]): boolean {
    const { head } = this;
    if (head === undefined) return false;
    return bound.every(({ reference }) => reference === undefined || sameBlock(reference, head));
  }

  #keepForNow(key: string, answer: CachedAnswer): void {
    this.#remove(key);
    this.#answers.set(key, answer);
    this.#bytes += bytesOf(key, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#room.headBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const known = this.#answers.get(key);
    if (known === undefined) return;
    this.#answers.delete(key);
    this.#bytes -= bytesOf(key, known);
  }
}

/** A longer key is kept as its digest: stacks of get-methods can be as long as a body may be. */
const MAX_KEY_CHARS = 1024;

/**
 * Makes the keys of an operation's requests: equal keys are equal questions. They are made from what was sent, so that
 * a known answer needs no parsing. A number and its digits are one value; names that the operation does not know have
 * no part in it.
 */
export function createRequestKey({
  name,
  parameters,
}: Pick<Operation<LiveCall>, 'name' | 'parameters'>): (
  values: Readonly<Record<string, unknown>>,
  origin: ParameterOrigin,
) => string {
  const names = Object.keys(parameters);
  return (values, origin) => {
    let key = name;
    for (let i = 0; i < names.length; i++) {
      const given = Object.hasOwn(values, names[i]!) ? values[names[i]!] : undefined;
      if (given === undefined || given === null) continue;
      // The length says where a value ends, whatever characters it has.
      const text = typeof given === 'object' ? textOf(given, origin) : String(given);
      key += `\n${i}${typeof given === 'object' ? ';' : ':'}${text.length}:${text}`;
    }
    return key.length > MAX_KEY_CHARS ? `${name}#${hash('sha256', key, 'base64')}` : key;
  };
}

/** Of a list in a query string only the first value may count, so the same list in a body is another question. */
function textOf(given: object, origin: ParameterOrigin): string {
  return (
    origin + JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? rawJson(value) : value))
  );
}

/** A bigint as the number that was sent; the types do not know `JSON.rawJSON` (ES2026) yet. */
function rawJson(value: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value));
}
