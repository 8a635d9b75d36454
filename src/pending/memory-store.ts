import {
  accountsOf,
  type PendingQuery,
  type StoredTrace,
  type TraceStore,
  traceKey,
} from './pending-traces.ts';

interface MemoryStoreOptions {
  /** The oldest traces are evicted. */
  readonly maxTraces: number;
  /** Of all traces together. */
  readonly maxBytes: number;
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

interface Entry {
  readonly trace: StoredTrace;
  readonly accounts: ReadonlySet<string>;
  readonly bytes: number;
}

/** Estimate for a trace, a transaction or an action beside its cells. */
const OBJECT_BYTES = 1024;

export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { maxTraces, maxBytes, maxTraceBytes, maxFound } = options;
  /** By age; a replaced trace keeps its place. */
  const entries = new Map<string, Entry>();
  const byAccount = new Map<string, Set<string>>();
  const byMessage = new Map<string, string>();
  let bytes = 0;

  function put(trace: StoredTrace): readonly string[] {
    const key = traceKey(trace.normalizedHash);
    const older = entries.get(key);
    if (older !== undefined) unlink(key, older);
    const entry = { trace, accounts: accountsOf(trace), bytes: bytesOf(trace) };
    if (entry.bytes > maxTraceBytes) {
      entries.delete(key);
      return [key];
    }
    entries.set(key, entry);
    bytes += entry.bytes;
    byMessage.set(traceKey(trace.externalHash), key);
    for (const account of entry.accounts) {
      const keys = byAccount.get(account);
      if (keys === undefined) byAccount.set(account, new Set([key]));
      else keys.add(key);
    }
    return evict();
  }

  function evict(): string[] {
    const evicted: string[] = [];
    for (const key of entries.keys()) {
      if (entries.size <= maxTraces && bytes <= maxBytes) break;
      remove(key);
      evicted.push(key);
    }
    return evicted;
  }

  function unlink(key: string, { trace, accounts, bytes: size }: Entry): void {
    bytes -= size;
    const message = traceKey(trace.externalHash);
    if (byMessage.get(message) === key) byMessage.delete(message);
    for (const account of accounts) {
      const keys = byAccount.get(account);
      keys?.delete(key);
      if (keys?.size === 0) byAccount.delete(account);
    }
  }

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    unlink(key, entry);
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
      for (const account of query.accounts) yield* byAccount.get(account.toString('hex')) ?? [];
    } else {
      for (const hash of query.messages) yield byMessage.get(traceKey(hash)) ?? traceKey(hash);
    }
  }

  function* all(): Iterable<StoredTrace> {
    for (const { trace } of entries.values()) yield trace;
  }

  return {
    put,
    all,
    renew: () => {},
    remove,
    get: (key) => entries.get(key)?.trace,
    findLocal,
    find: async (query) => findLocal(query),
    size: () => ({ traces: entries.size, bytes }),
    clear() {
      entries.clear();
      byAccount.clear();
      byMessage.clear();
      bytes = 0;
    },
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
