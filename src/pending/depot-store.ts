import type { MemoryStore } from './memory-store.ts';
import { accountsOf, type StoredTrace, type TraceStore, traceKey } from './pending-traces.ts';
import { readTrace, writeTrace } from './redis-store.ts';

/** Where the processes of a server leave their traces for each other. It drops those of a process that ends, after a while. */
export interface TraceDepot {
  /** `text` is read by those who find it; `message` is the other name of the trace. */
  put(trace: {
    readonly key: string;
    readonly message: string;
    readonly accounts: readonly string[];
    readonly text: string;
  }): void;
  remove(key: string): void;
  /** Texts of traces, newest first; none if they cannot be read now. */
  find(
    query: { readonly accounts: readonly string[] } | { readonly keys: readonly string[] },
  ): Promise<readonly string[]>;
}

interface DepotStoreOptions {
  readonly depot: TraceDepot;
  /** The traces of this process. */
  readonly memory: MemoryStore;
  /** Traces per response. */
  readonly maxFound: number;
}

/** Creates a store that the processes of a server share. */
export function createDepotStore({ depot, memory, maxFound }: DepotStoreOptions): TraceStore {
  return {
    put(trace) {
      const evicted = memory.put(trace);
      const key = traceKey(trace.normalizedHash);
      if (!evicted.includes(key))
        depot.put({
          key,
          message: traceKey(trace.externalHash),
          accounts: [...accountsOf(trace)],
          text: writeTrace(trace).toString('base64'),
        });
      return evicted;
    },
    renew: () => {},
    remove(key) {
      if (memory.get(key) === undefined) return;
      memory.remove(key);
      depot.remove(key);
    },
    async find(query) {
      const texts = await depot.find(
        'accounts' in query
          ? { accounts: query.accounts.map((account) => account.toString('hex')) }
          : { keys: query.messages.map(traceKey) },
      );
      const shared = texts.flatMap((text) => readTrace(Buffer.from(text, 'base64')) ?? []);
      // Of its own traces, this process has the newest form.
      const traces = new Map<string, StoredTrace>();
      for (const trace of [...shared, ...memory.findLocal(query)])
        traces.set(traceKey(trace.normalizedHash), trace);
      return [...traces.values()].slice(0, maxFound);
    },
    clear() {
      for (const trace of memory.all()) depot.remove(traceKey(trace.normalizedHash));
      memory.clear();
    },
    close: memory.close,
  };
}
