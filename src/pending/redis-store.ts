import { deserialize, serialize } from 'node:v8';
import type { ChainableCommander, Redis } from 'ioredis';
import type { RedisService } from '../db/redis.ts';
import type { MemoryStore } from './memory-store.ts';
import {
  accountsOf,
  type PendingQuery,
  type StoredTrace,
  type TraceStore,
  traceKey,
} from './pending-traces.ts';

interface RedisStoreOptions {
  readonly redis: RedisService;
  /** Of all keys; each network has its own. */
  readonly prefix: string;
  /** The traces of this process, available whatever Redis does. */
  readonly memory: MemoryStore;
  /** Traces per response. */
  readonly maxFound: number;
}

/** A trace that its process does not renew expires: the process may have ended. */
const LEASE_MS = 60_000;
/** The list of an account lives as long as its newest trace can. */
const LIST_MS = 660_000;
/** Traces in the list of one account. */
const MAX_LISTED = 1000;
const TRACES_PER_READ = 32;
const KEYS_PER_RENEWAL = 500;
const MAX_FOUND_BYTES = 32 * 2 ** 20;
/** Writes in flight; what is not written now is written at the next renewal. */
const MAX_WRITES = 256;

/**
 * Creates a store that processes share. The traces of this process are in its memory too: while Redis is unavailable it
 * continues with them, and it writes them again when Redis has recovered.
 */
export function createRedisStore(options: RedisStoreOptions): TraceStore {
  const { redis: service, prefix, memory, maxFound } = options;
  const keys = {
    trace: (key: string) => `${prefix}t:${key}`,
    message: (hash: string) => `${prefix}m:${hash}`,
    account: (account: string) => `${prefix}a:${account}`,
  };
  let writes = 0;

  function write(fill: (pipeline: ChainableCommander) => void): void {
    if (writes >= MAX_WRITES) return;
    writes += 1;
    void service
      .run((redis) => execute(redis, fill))
      .finally(() => {
        writes -= 1;
      });
  }

  function share(trace: StoredTrace): void {
    const key = traceKey(trace.normalizedHash);
    const message = traceKey(trace.externalHash);
    write((pipeline) => {
      pipeline.set(keys.trace(key), writeTrace(trace), 'PX', LEASE_MS);
      if (message !== key) pipeline.set(keys.message(message), key, 'PX', LIST_MS);
      for (const account of accountsOf(trace)) {
        const list = keys.account(account);
        pipeline.zadd(list, trace.acceptedAt, key);
        pipeline.zremrangebyrank(list, 0, -MAX_LISTED - 1);
        pipeline.pexpire(list, LIST_MS);
      }
    });
  }

  function unshare(trace: StoredTrace): void {
    const key = traceKey(trace.normalizedHash);
    write((pipeline) => {
      pipeline.del(keys.trace(key));
      for (const account of accountsOf(trace)) pipeline.zrem(keys.account(account), key);
    });
  }

  function remove(key: string): void {
    const trace = memory.get(key);
    memory.remove(key);
    if (trace !== undefined) unshare(trace);
  }

  /** Traces that Redis does not have, because it was restarted or a write was dropped, are written again. */
  async function renew(renewed: readonly string[]): Promise<void> {
    for (let at = 0; at < renewed.length; at += KEYS_PER_RENEWAL) {
      const some = renewed.slice(at, at + KEYS_PER_RENEWAL);
      const renewals = await service.run((redis) =>
        execute(redis, (pipeline) => {
          for (const key of some) pipeline.pexpire(keys.trace(key), LEASE_MS);
        }),
      );
      renewals?.forEach((isThere, i) => {
        const trace = isThere === 0 ? memory.get(some[i]!) : undefined;
        if (trace !== undefined) share(trace);
      });
    }
  }

  /** Keys of the traces that a query selects, newest first per account. */
  async function keysFor(redis: Redis, query: PendingQuery): Promise<string[]> {
    if ('accounts' in query) {
      const lists = await execute(redis, (pipeline) => {
        for (const account of query.accounts)
          pipeline.zrevrange(keys.account(account.toString('hex')), 0, maxFound - 1);
      });
      return [...new Set((lists as string[][]).flat())].slice(0, maxFound);
    }
    const hashes = [...new Set(query.messages.map(traceKey))].slice(0, maxFound);
    if (hashes.length === 0) return [];
    const named = await redis.mget(hashes.map(keys.message));
    return [...new Set(hashes.map((hash, i) => named[i] ?? hash))];
  }

  async function findShared(query: PendingQuery): Promise<readonly StoredTrace[]> {
    const wanted = (await service.run((redis) => keysFor(redis, query))) ?? [];
    const requested =
      'accounts' in query ? new Set(query.accounts.map((account) => account.toString('hex'))) : undefined;
    const traces: StoredTrace[] = [];
    const expired: string[] = [];
    let bytes = 0;
    for (let at = 0; at < wanted.length && bytes < MAX_FOUND_BYTES; at += TRACES_PER_READ) {
      const some = wanted.slice(at, at + TRACES_PER_READ);
      const blobs = await service.run((redis) => redis.mgetBuffer(some.map(keys.trace)));
      if (blobs === undefined) break;
      blobs.forEach((blob, i) => {
        if (blob === null) expired.push(some[i]!);
        const trace = blob && readTrace(blob);
        // The list of an account may be out of date.
        if (
          trace &&
          (requested === undefined || [...accountsOf(trace)].some((account) => requested.has(account)))
        )
          traces.push(trace);
        bytes += blob?.length ?? 0;
      });
    }
    if (requested !== undefined && expired.length > 0) forget(requested, expired);
    return traces;
  }

  /** Removes expired traces from the lists of accounts. */
  function forget(accounts: ReadonlySet<string>, expired: readonly string[]): void {
    write((pipeline) => {
      for (const account of accounts) pipeline.zrem(keys.account(account), ...expired);
    });
  }

  return {
    put(trace) {
      const evicted = memory.put(trace);
      if (memory.get(traceKey(trace.normalizedHash)) !== undefined) share(trace);
      return evicted;
    },
    renew: (renewed) => void renew(renewed),
    remove,
    async find(query) {
      // Of its own traces, this process has the newest form.
      const all = [...(await findShared(query)), ...memory.findLocal(query)];
      const traces = new Map(all.map((trace) => [traceKey(trace.normalizedHash), trace]));
      return [...traces.values()].slice(0, maxFound);
    },
    clear() {
      for (const trace of memory.all()) unshare(trace);
      memory.clear();
    },
    async close() {
      await service.close();
      await memory.close();
    },
  };
}

/** Runs commands in one round trip; throws the error of the first that failed. */
async function execute(redis: Redis, fill: (pipeline: ChainableCommander) => void): Promise<unknown[]> {
  const pipeline = redis.pipeline();
  fill(pipeline);
  const results = (await pipeline.exec()) ?? [];
  return results.map(([error, result]) => {
    if (error !== null) throw error;
    return result;
  });
}

/** Changes with the format of stored traces: processes of different versions may share a store for a while. */
const FORMAT_VERSION = 1;

export function writeTrace(trace: StoredTrace): Buffer {
  return Buffer.concat([Buffer.of(FORMAT_VERSION), serialize(trace)]);
}

/** Reads a serialised trace; undefined for another version or other bytes. */
export function readTrace(bytes: Buffer): StoredTrace | undefined {
  if (bytes[0] !== FORMAT_VERSION) return undefined;
  try {
    // A copy: the bytes are a view of the whole response, which they would keep in memory.
    return deserialize(Buffer.from(bytes.subarray(1))) as StoredTrace;
  } catch {
    return undefined;
  }
}
