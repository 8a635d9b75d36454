import { constants, zstdCompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ACCOUNT_BYTES } from '../../chain/address.ts';
import { bytesKey, ownBytes } from '../../lib/bytes-key.ts';
import { bodyDigest, JsonText } from '../../lib/json-text.ts';
import { unpackZstd } from '../../lib/zstd.ts';
import type { Position } from '../format/position.ts';

/** Something that responses show, with its JSON. */
export interface ReadyItem {
  /** Approximate memory. */
  readonly bytes: number;
  /** Called before it is kept, unless its buffers are its own from the beginning. */
  own?(): void;
}

/** What may change of a shown item. */
export interface ItemVersion {
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
  /** The trace ids of its page, if a trace id is shown. */
  readonly traces?: Buffer | undefined;
}

/** A position, or what a kind of items is told apart by; kinds have different first letters. */
type ItemKey = number | string;

interface CachedItem {
  readonly shown: ReadyItem;
  /** When it was read. */
  readonly version: ItemVersion;
}

const MAX_BYTES = 56 * 1024 * 1024;

/**
 * What responses showed lately: most requests are for what was asked for a moment ago. Transactions, messages, events
 * and traces share the memory. An item is taken from here only if what it depends on is as it was.
 */
export class ReadyCache {
  readonly traces = new TraceCache(this);
  readonly #cached: LRUCache<ItemKey, CachedItem>;

  /** What is kept of trace ids, by those that were read. */
  readonly #traces = new WeakMap<Buffer, Buffer>();

  /** The processes of one server share the memory, so each of them has a part. */
  constructor(parts = 1) {
    this.#cached = new LRUCache({
      maxSize: Math.floor(MAX_BYTES / parts),
      maxEntrySize: Math.floor(MAX_BYTES / 64 / parts),
      sizeCalculation: ({ shown, version }) => shown.bytes + (version.traces?.length ?? 0),
    });
  }

  has(key: ItemKey): boolean {
    return this.#cached.has(key);
  }

  /** The item of a kind with a key, if it is cached and its version is the same. */
  find<T extends ReadyItem>(
    kind: abstract new (...given: never[]) => T,
    key: ItemKey,
    { history, traces }: ItemVersion,
  ): T | undefined {
    const { shown, version } = this.#cached.get(key) ?? {};
    if (!(shown instanceof kind) || version === undefined) return undefined;
    const isSame = version.history === history && isEqual(version.traces, traces);
    return isSame ? shown : undefined;
  }

  /** The item of a kind with a key, which may be outdated. */
  peek<T extends ReadyItem>(kind: abstract new (...given: never[]) => T, key: ItemKey): T | undefined {
    const { shown } = this.#cached.peek(key) ?? {};
    return shown instanceof kind ? shown : undefined;
  }

  add(key: ItemKey, shown: ReadyItem, { history, traces }: ItemVersion): void {
    shown.own?.();
    this.#cached.set(key, { shown, version: { history, traces: traces && this.#ownTraces(traces) } });
  }

  /** All items of a page that a response shows have the same trace ids. */
  #ownTraces(traces: Buffer): Buffer {
    const known = this.#traces.get(traces);
    if (known !== undefined) return known;
    const own = ownBytes(traces);
    this.#traces.set(traces, own);
    return own;
  }
}

function isEqual(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

const HASH_BYTES = 32;
const OBJECT_BYTES = 500;

/** What responses show of something, without its cells. Its hashes, and then its accounts, are in one buffer. */
export abstract class ReadyText implements ReadyItem {
  readonly text: JsonText;
  #bytes: Buffer;
  readonly #accountsAt: number;

  constructor(text: JsonText, hashes: readonly Buffer[], accounts: readonly Buffer[]) {
    this.text = text;
    this.#bytes = Buffer.concat([...hashes, ...accounts]);
    this.#accountsAt = hashes.length * HASH_BYTES;
  }

  get accounts(): readonly Buffer[] {
    return accountsIn(this.#bytes.subarray(this.#accountsAt));
  }

  own(): void {
    this.#bytes = ownBytes(this.#bytes);
  }

  get bytes(): number {
    return OBJECT_BYTES + this.#bytes.length + this.text.json.length;
  }

  protected hashAt(number: number): Buffer {
    return this.#bytes.subarray(number * HASH_BYTES, (number + 1) * HASH_BYTES);
  }

  protected accountAt(number: number): Buffer {
    const from = this.#accountsAt + number * ACCOUNT_BYTES;
    return this.#bytes.subarray(from, from + ACCOUNT_BYTES);
  }
}

/** What identifies a trace, and where its transactions are. */
interface TraceKey {
  readonly traceId: Buffer;
  readonly mcSeqnoEnd: number;
  readonly positions: readonly Position[];
}

interface IndexedTrace extends TraceKey {
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
}

export interface MemberHash {
  readonly of: 'transactions' | 'messages';
  readonly value: Buffer;
}

/** What a request found last time; it may have changed. */
export interface LikelyTrace extends TraceKey {
  readonly accounts: readonly Buffer[];
  /** Those of them that may be tokens. */
  readonly others: readonly Buffer[];
}

/** A trace as responses show it, apart from what its row tells, with a text that is ready. */
export interface ReadyTrace {
  /** The members of its JSON that show its transactions. */
  readonly text: JsonText;
  /** Whether a transaction other than the first has a message that no transaction of the trace sent. */
  readonly isMissingNodes: boolean;
  /** The hash of the message that its first transaction received. */
  readonly firstInHash: Buffer | undefined;
  /** Of its transactions and the other sides of their messages, each once. */
  readonly accounts: readonly Buffer[];
}

const POSITION_BYTES = 8;
const NO_ACCOUNTS = Buffer.alloc(0);
const MIN_CHUNK_BYTES = 1024;

function accountsIn(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / ACCOUNT_BYTES }, (_, at) =>
    bytes.subarray(at * ACCOUNT_BYTES, (at + 1) * ACCOUNT_BYTES),
  );
}

class PackedTrace {
  readonly mcSeqnoEnd: number;
  readonly positions: readonly Position[];
  readonly isMissingNodes: boolean;
  readonly firstInHash: Buffer | undefined;
  readonly #accounts: Buffer;
  #others: Buffer = NO_ACCOUNTS;
  readonly #packed: Buffer;
  readonly #digest: string;

  constructor({ mcSeqnoEnd, positions }: TraceKey, shown: ReadyTrace) {
    const { text } = shown;
    this.mcSeqnoEnd = mcSeqnoEnd;
    this.positions = positions;
    this.isMissingNodes = shown.isMissingNodes;
    this.firstInHash = shown.firstInHash && ownBytes(shown.firstInHash);
    this.#accounts = ownBytes(Buffer.concat(shown.accounts));
    const plain = Buffer.from(text.json);
    this.#packed = ownBytes(
      zstdCompressSync(plain, {
        // Without it Node takes 128 kB.
        chunkSize: Math.max(MIN_CHUNK_BYTES, plain.length >> 1),
        params: { [constants.ZSTD_c_compressionLevel]: 1 },
      }),
    );
    // Hashing the text would take longer than compressing it.
    this.#digest = bodyDigest(this.#packed);
  }

  get accounts(): readonly Buffer[] {
    return accountsIn(this.#accounts);
  }

  /** Those of its accounts that may be tokens; none until they were looked up. */
  get others(): readonly Buffer[] {
    return accountsIn(this.#others);
  }

  set others(accounts: readonly Buffer[]) {
    this.#others = ownBytes(Buffer.concat(accounts));
  }

  /** The text with the digest that it has whenever it is taken from here. */
  textOf({ json }: JsonText): JsonText {
    return new JsonText(json, this.#digest);
  }

  text(): JsonText {
    return new JsonText(unpackZstd(this.#packed).toString(), this.#digest);
  }

  /** Approximate memory. */
  get bytes(): number {
    const positions = this.positions.length * POSITION_BYTES;
    // Perhaps all accounts may be tokens.
    return OBJECT_BYTES + this.#packed.length + 2 * this.#accounts.length + positions;
  }
}

/** The trace of the transaction or message with a hash, and the transactions that the prefix of the hash finds. */
export class MemberPlace {
  readonly traceId: Buffer;
  readonly positions: readonly Position[];

  constructor(traceId: Buffer, positions: readonly Position[]) {
    this.traceId = ownBytes(traceId);
    this.positions = positions;
  }

  /** Approximate memory. */
  get bytes(): number {
    return OBJECT_BYTES + this.positions.length * POSITION_BYTES;
  }
}

/** Texts that were used last are kept as they are. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * Traces that were shown lately. Compressed they take a fifth of the memory, and reading one takes a tenth of the time of
 * writing it again. A complete trace never changes, but its pages may be dropped, and on a local chain blocks may be taken
 * back, which begins another history.
 */
export class TraceCache {
  readonly #cache: ReadyCache;
  readonly #texts = new LRUCache<string, JsonText>({
    maxSize: MAX_TEXT_BYTES,
    sizeCalculation: ({ json }) => json.length + OBJECT_BYTES,
  });

  constructor(cache: ReadyCache) {
    this.#cache = cache;
  }

  /** A trace, if it is cached; all its pages must exist. */
  find({ traceId, positions, history }: IndexedTrace): ReadyTrace | undefined {
    const key = keyOf(traceId);
    const cached = this.#cache.find(PackedTrace, key, { history });
    if (cached === undefined || !areEqual(cached.positions, positions)) return undefined;
    const text = this.#texts.get(key) ?? cached.text();
    this.#texts.set(key, text);
    const { isMissingNodes, firstInHash, accounts } = cached;
    return { text, isMissingNodes, firstInHash, accounts };
  }

  /** Keeps a trace that has all its transactions; returns the text to show. */
  add(trace: IndexedTrace, shown: ReadyTrace): JsonText {
    const key = keyOf(trace.traceId);
    const packed = new PackedTrace(trace, shown);
    const text = packed.textOf(shown.text);
    this.#cache.add(key, packed, { history: trace.history });
    this.#texts.set(key, text);
    return text;
  }

  /** Where a transaction or message was found last time. */
  lastPlaceOf(hash: MemberHash): MemberPlace | undefined {
    return this.#cache.peek(MemberPlace, keyOfMember(hash));
  }

  /** Whether the place of last time is still right: the trace of a transaction changes when an earlier one is indexed. */
  isPlaceOf(hash: MemberHash, version: ItemVersion): boolean {
    return this.#cache.find(MemberPlace, keyOfMember(hash), version) !== undefined;
  }

  addPlace(hash: MemberHash, place: MemberPlace, version: ItemVersion): void {
    this.#cache.add(keyOfMember(hash), place, version);
  }

  /** The trace with an id as it was shown last time. */
  lastShown(traceId: Buffer): LikelyTrace | undefined {
    const packed = this.#cache.peek(PackedTrace, keyOf(traceId));
    if (packed === undefined) return undefined;
    const { mcSeqnoEnd, positions, accounts, others } = packed;
    return { traceId, mcSeqnoEnd, positions, accounts, others };
  }

  /** Remembers which accounts of a trace may be tokens. */
  noteOthers({ traceId }: TraceKey, others: readonly Buffer[]): void {
    const packed = this.#cache.peek(PackedTrace, keyOf(traceId));
    if (packed !== undefined) packed.others = others;
  }
}

function keyOfMember({ of, value }: MemberHash): string {
  return `in ${of} ${bytesKey(value)}`;
}

function keyOf(traceId: Buffer): string {
  return `trace ${bytesKey(traceId)}`;
}

function areEqual(a: readonly Position[], b: readonly Position[]): boolean {
  return a.length === b.length && a.every((position, at) => position === b[at]);
}
