import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type BlockId, sameBlock } from '../chain/block-id.ts';
import { weakTag } from '../http/body.ts';
import type { Operation, ParameterOrigin } from '../http/operation.ts';
import { JsonText } from '../lib/json-text.ts';
import type { LitePool } from '../lite/pool.ts';
import type { Execution } from '../live/execution.ts';
import type { LiveCall, UsedServers } from '../live/session.ts';

/** Results of v2 operations that need not be computed again. */
export type ResultCache = ReturnType<typeof createResultCache>;

/** Memory that results may take. */
export interface ResultCacheOptions {
  /** All results that can never change. */
  readonly immutableBytes?: number;
  /** All results that hold until the next block, per pool. */
  readonly headBytes?: number;
  /** One result; a larger one is not cached. */
  readonly resultBytes?: number;
  /** How many processes share the memory. */
  readonly parts?: number | undefined;
}

const MIB = 2 ** 20;

export function createResultCache({
  parts = 1,
  immutableBytes = Math.floor((64 * MIB) / parts),
  headBytes = Math.floor((32 * MIB) / parts),
  resultBytes = Math.floor((4 * MIB) / parts),
}: ResultCacheOptions = {}) {
  let immutable: LRUCache<string, CachedResult>;
  let heads: WeakMap<Pick<LitePool, 'head'>, HeadCache>;

  /** Drops everything: the chain was replaced. Runs that are in flight keep the old caches, so that their results are dropped. */
  function clear(): void {
    heads = new WeakMap();
    immutable = new LRUCache({
      maxSize: immutableBytes,
      sizeCalculation: (result, key) => bytesOf(key, result),
    });
  }

  clear();
  return {
    /** The cache for the current head of a pool. */
    at(pool: Pick<LitePool, 'head'>): HeadCache {
      const { head } = pool;
      const existing = heads.get(pool);
      if (existing !== undefined && existing.head === head) return existing;
      // A head that went back or disappeared means that a local chain was reset.
      if (existing?.head !== undefined && (head === undefined || head.seqno <= existing.head.seqno)) clear();
      const headCache = new HeadCache(head, immutable, { headBytes, resultBytes });
      heads.set(pool, headCache);
      return headCache;
    },
    clear,
  };
}

export class CachedResult extends JsonText {
  /** Tag of a result that can never change; undefined for others. */
  readonly etag: string | undefined;
  /** When it expires, on the clock of `performance.now`. */
  readonly untilMs: number;

  constructor(json: string, etag: string | undefined, untilMs: number) {
    super(json);
    this.etag = etag;
    this.untilMs = untilMs;
  }
}

/** A result that can never change. */
export function immutableResult(json: string, etag = weakTag(json)): CachedResult {
  return new CachedResult(json, etag, Number.POSITIVE_INFINITY);
}

/** A result that holds until the next block, but not longer than this. */
export function headResult(json: string, untilMs: number): CachedResult {
  return new CachedResult(json, undefined, untilMs);
}

/** Memory of a result: V8 stores ASCII with one byte per character, and nearly all of it is ASCII. */
function bytesOf(key: string, { json }: CachedResult): number {
  return key.length + json.length + ENTRY_BYTES;
}

const ENTRY_BYTES = 256;

/**
 * A copy in one piece. The text of the serializer is a tree of pieces, which would be flattened again for every
 * request.
 */
function flattened({ json, etag, untilMs }: CachedResult): CachedResult {
  return new CachedResult(Buffer.from(json).toString(), etag, untilMs);
}

type CacheLimits = Required<Pick<ResultCacheOptions, 'headBytes' | 'resultBytes'>>;

/**
 * The results and the runs in flight while one block is the head of a pool. It is dropped with the next block, so a
 * run that ends late does no harm.
 */
export class HeadCache {
  /** Runs in flight, by key. */
  readonly flights = new Map<string, Execution<CachedResult>>();
  readonly head: BlockId | undefined;
  readonly #immutable: LRUCache<string, CachedResult>;
  readonly #limits: CacheLimits;
  readonly #results = new Map<string, CachedResult>();
  #bytes = 0;

  /** `immutable` is shared by all heads. */
  constructor(head: BlockId | undefined, immutable: LRUCache<string, CachedResult>, limits: CacheLimits) {
    this.head = head;
    this.#immutable = immutable;
    this.#limits = limits;
  }

  find(key: string, nowMs: number): CachedResult | undefined {
    const cached = this.#results.get(key) ?? this.#immutable.get(key);
    return cached === undefined || cached.untilMs <= nowMs ? undefined : cached;
  }

  /**
   * Caches a result as long as it holds. A result that was read at another block than the head is not cached: a server
   * may be a block behind.
   */
  keep(key: string, result: CachedResult, usedServers: readonly UsedServers[]): void {
    if (bytesOf(key, result) > this.#limits.resultBytes) return;
    if (result.etag !== undefined) this.#immutable.set(key, flattened(result));
    else if (this.#isOfHead(usedServers)) this.#keepForHead(key, flattened(result));
  }

  #isOfHead(usedServers: readonly UsedServers[]): boolean {
    const { head } = this;
    if (head === undefined) return false;
    return usedServers.every(({ reference }) => reference === undefined || sameBlock(reference, head));
  }

  #keepForHead(key: string, result: CachedResult): void {
    this.#remove(key);
    this.#results.set(key, result);
    this.#bytes += bytesOf(key, result);
    for (const oldest of this.#results.keys()) {
      if (this.#bytes <= this.#limits.headBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const cached = this.#results.get(key);
    if (cached === undefined) return;
    this.#results.delete(key);
    this.#bytes -= bytesOf(key, cached);
  }
}

/** A longer key is replaced by its digest: stacks of get-methods can be as long as a body may be. */
const MAX_KEY_CHARS = 1024;

/**
 * Creates the function that makes the cache keys of an operation: calls with equal keys are equal. Keys are made from
 * the values as they were sent. A number and its digits are the same value; unknown parameters do not count.
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
      // The length marks the end of a value, whatever characters it has.
      const text = typeof given === 'object' ? textOf(given, origin) : String(given);
      key += `\n${i}${typeof given === 'object' ? ';' : ':'}${text.length}:${text}`;
    }
    return key.length > MAX_KEY_CHARS ? `${name}#${hash('sha256', key, 'base64')}` : key;
  };
}

/** Of a list in a query string only the first value may count, so the same list in a body is another call. */
function textOf(given: object, origin: ParameterOrigin): string {
  return (
    origin + JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? rawJson(value) : value))
  );
}

/** A bigint as the number that was sent; the types do not know `JSON.rawJSON` (ES2026) yet. */
function rawJson(value: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value));
}
