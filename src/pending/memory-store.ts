import { createEvictingIndex, type EvictingLimits, type IndexedEntry } from '../lib/evicting-index.ts';
import {
  accountsOf,
  type PendingQuery,
  type StoredTrace,
  type TraceStore,
  traceKey,
} from './pending-traces.ts';

interface MemoryStoreOptions extends EvictingLimits {
  /** Of one trace, so that it cannot evict all others. */
  readonly maxTraceBytes: number;
  /** Traces per response. */
  readonly maxFound: number;
}

/** A store in this process; the Redis store shares its traces with other processes. */
export interface MemoryStore extends TraceStore {
  get(key: string): StoredTrace | undefined;
  all(): Iterable<StoredTrace>;
  findLocal(query: PendingQuery): readonly StoredTrace[];
  size(): { readonly traces: number; readonly bytes: number };
}

interface Entry extends IndexedEntry {
  readonly trace: StoredTrace;
}

/** Estimate for a trace, a transaction or an action beside its cells. */
const OBJECT_BYTES = 1024;

export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { maxTraceBytes, maxFound } = options;
  const entries = createEvictingIndex<Entry>(options);

  function put(trace: StoredTrace): readonly string[] {
    const key = traceKey(trace.normalizedHash);
    const bytes = bytesOf(trace);
    if (bytes > maxTraceBytes) {
      entries.remove(key);
      return [key];
    }
    return entries.put(key, {
      trace,
      groups: accountsOf(trace),
      alias: traceKey(trace.externalHash),
      bytes,
    });
  }

  function findLocal(query: PendingQuery): readonly StoredTrace[] {
    const results = new Map<string, StoredTrace>();
    for (const key of keysFor(query)) {
      const entry = entries.get(key);
      if (entry !== undefined) results.set(key, entry.trace);
      if (results.size >= maxFound) break;
    }
    return [...results.values()];
  }

  function* keysFor(query: PendingQuery): Iterable<string> {
    if ('accounts' in query) {
      for (const account of query.accounts) yield* entries.inGroup(account.toString('hex'));
    } else {
      for (const hash of query.messages) yield entries.keyOf(traceKey(hash));
    }
  }

  function* all(): Iterable<StoredTrace> {
    for (const [, { trace }] of entries.all()) yield trace;
  }

  return {
    put,
    all,
    renew: () => {},
    remove: entries.remove,
    get: (key) => entries.get(key)?.trace,
    findLocal,
    find: async (query) => findLocal(query),
    size() {
      const { entries: traces, bytes } = entries.size();
      return { traces, bytes };
    },
    clear: entries.clear,
    close: async () => {},
  };
}

function bytesOf({ transactions, classification }: StoredTrace): number {
  let bytes = OBJECT_BYTES;
  for (const { boc } of transactions) bytes += boc.length + OBJECT_BYTES;
  for (const { accounts, tx_hashes, data } of classification.actions)
    bytes += OBJECT_BYTES + 128 * (accounts.length + tx_hashes.length) + weightOf(data);
  return bytes;
}

/** Columns may hold long texts. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  let bytes = 64;
  for (const part of Object.values(value)) bytes += 32 + weightOf(part);
  return bytes;
}
