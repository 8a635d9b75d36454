import { LRUCache } from 'lru-cache';
import { ownBytes } from '../lib/own-bytes.ts';

/** Something that responses show, with its JSON. */
export interface ShownItem {
  /** Approximate memory. */
  readonly bytes: number;
  /** Called before it is kept, unless its buffers are its own from the beginning. */
  own?(): void;
}

/** What may change of a shown item. */
export interface ShownVersion {
  /** Of the index: changes whenever indexed blocks are taken back, and others may take their place. */
  readonly history: string;
  /** The trace ids of its page, if a trace id is shown. */
  readonly traces?: Buffer | undefined;
}

/** A position, or what a kind of items is told apart by; kinds have different first letters. */
type ShownKey = number | string;

interface CachedItem {
  readonly shown: ShownItem;
  /** When it was read. */
  readonly version: ShownVersion;
}

const MAX_BYTES = 56 * 1024 * 1024;

/**
 * What responses showed lately: most requests are for what was asked for a moment ago. Transactions, messages, events
 * and traces share the memory. An item is taken from here only if what it depends on is as it was.
 */
export class ShownCache {
  readonly #cached = new LRUCache<ShownKey, CachedItem>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BYTES / 64,
    sizeCalculation: ({ shown, version }) => shown.bytes + (version.traces?.length ?? 0),
  });

  /** What is kept of trace ids, by those that were read. */
  readonly #traces = new WeakMap<Buffer, Buffer>();

  has(key: ShownKey): boolean {
    return this.#cached.has(key);
  }

  /** The item of a kind with a key, if it is cached and its version is the same. */
  find<T extends ShownItem>(
    kind: abstract new (...given: never[]) => T,
    key: ShownKey,
    { history, traces }: ShownVersion,
  ): T | undefined {
    const { shown, version } = this.#cached.get(key) ?? {};
    if (!(shown instanceof kind) || version === undefined) return undefined;
    const isSame = version.history === history && isEqual(version.traces, traces);
    return isSame ? shown : undefined;
  }

  /** The item of a kind with a key, which may be outdated. */
  peek<T extends ShownItem>(kind: abstract new (...given: never[]) => T, key: ShownKey): T | undefined {
    const { shown } = this.#cached.peek(key) ?? {};
    return shown instanceof kind ? shown : undefined;
  }

  add(key: ShownKey, shown: ShownItem, { history, traces }: ShownVersion): void {
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
