import {
  accountsOf,
  type KeptTrace,
  type PendingQuestion,
  type TraceStore,
  traceKey,
} from './pending-traces.ts';

interface MemoryStoreOptions {
  /** Traces that are kept at most; the oldest make room. */
  readonly maxTraces: number;
  /** Bytes that they may take together. */
  readonly maxBytes: number;
  /** Bytes of one trace: one alone is not to drive out all others. */
  readonly maxTraceBytes: number;
  /** Traces that one answer may have. */
  readonly maxFound: number;
}

/** A store that can also say what it has, for one that shares it with others. */
export interface MemoryStore extends TraceStore {
  get(key: string): KeptTrace | undefined;
  all(): Iterable<KeptTrace>;
  findHere(question: PendingQuestion): readonly KeptTrace[];
  size(): { readonly traces: number; readonly bytes: number };
}

interface Entry {
  readonly trace: KeptTrace;
  readonly accounts: ReadonlySet<string>;
  readonly bytes: number;
}

/** What a trace, a transaction or an action takes beside its cells. */
const OBJECT_BYTES = 1024;

/** Keeps traces in this process. */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { maxTraces, maxBytes, maxTraceBytes, maxFound } = options;
  /** In the order in which they came; a newer form keeps its place. */
  const entries = new Map<string, Entry>();
  const byAccount = new Map<string, Set<string>>();
  const byMessage = new Map<string, string>();
  let bytes = 0;

  function put(trace: KeptTrace): readonly string[] {
    const key = traceKey(trace.normalizedHash);
    const earlier = entries.get(key);
    if (earlier !== undefined) unlink(key, earlier);
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
    return makeRoom();
  }

  function makeRoom(): string[] {
    const gone: string[] = [];
    for (const key of entries.keys()) {
      if (entries.size <= maxTraces && bytes <= maxBytes) break;
      remove(key);
      gone.push(key);
    }
    return gone;
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

  function findHere(question: PendingQuestion): readonly KeptTrace[] {
    const found = new Map<string, KeptTrace>();
    for (const key of keysFor(question)) {
      const entry = entries.get(key);
      if (entry !== undefined) found.set(key, entry.trace);
      if (found.size >= maxFound) break;
    }
    return [...found.values()];
  }

  function* keysFor(question: PendingQuestion): Iterable<string> {
    if ('accounts' in question) {
      for (const account of question.accounts) yield* byAccount.get(account.toString('hex')) ?? [];
    } else {
      for (const hash of question.messages) yield byMessage.get(traceKey(hash)) ?? traceKey(hash);
    }
  }

  function* all(): Iterable<KeptTrace> {
    for (const { trace } of entries.values()) yield trace;
  }

  return {
    put,
    all,
    confirm: () => {},
    remove,
    get: (key) => entries.get(key)?.trace,
    findHere,
    find: async (question) => findHere(question),
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

function bytesOf({ transactions, classification }: KeptTrace): number {
  let bytes = OBJECT_BYTES;
  for (const { boc } of transactions) bytes += boc.length + OBJECT_BYTES;
  for (const { accounts, tx_hashes, data } of classification.actions)
    bytes += OBJECT_BYTES + 128 * (accounts.length + tx_hashes.length) + weightOf(data);
  return bytes;
}

/** Groups of columns may hold long texts. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  let bytes = 64;
  for (const part of Object.values(value)) bytes += 32 + weightOf(part);
  return bytes;
}
