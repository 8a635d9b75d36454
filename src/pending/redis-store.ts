import { deserialize, serialize } from 'node:v8';
import type { ChainableCommander, Redis } from 'ioredis';
import type { MemoryStore } from './memory-store.ts';
import {
  accountsOf,
  type KeptTrace,
  type PendingQuestion,
  type TraceStore,
  traceKey,
} from './pending-traces.ts';
import type { RedisLink } from './redis-link.ts';

interface RedisStoreOptions {
  readonly link: RedisLink;
  /** What all keys begin with; another one for every network. */
  readonly prefix: string;
  /** The traces of this process, which are there whatever Redis does. */
  readonly memory: MemoryStore;
  /** Traces and bytes that one answer may have. */
  readonly maxFound: number;
  readonly maxFoundBytes?: number;
}

/** A trace that its process does not confirm goes: the process may have ended. */
const LEASE_MS = 60_000;
/** A list of an account is of no use longer than its newest trace can last. */
const LIST_MS = 660_000;
/** Traces that the list of one account has at most. */
const MAX_LISTED = 1000;
const TRACES_AT_ONCE = 32;
const KEYS_AT_ONCE = 500;
const MAX_FOUND_BYTES = 32 * 2 ** 20;
/** Writes that Redis owes an answer to, at most; what is not written now is written when it is confirmed. */
const MAX_WRITES = 256;

/**
 * Shares traces between processes. Those of this process are kept in its own memory too, so that with Redis gone it goes
 * on with them, and puts them back when Redis returns.
 */
export function createRedisStore(options: RedisStoreOptions): TraceStore {
  const { link, prefix, memory, maxFound, maxFoundBytes = MAX_FOUND_BYTES } = options;
  const keys = {
    trace: (key: string) => `${prefix}t:${key}`,
    message: (hash: string) => `${prefix}m:${hash}`,
    account: (account: string) => `${prefix}a:${account}`,
  };
  let writes = 0;

  function write(fill: (pipeline: ChainableCommander) => void): void {
    if (writes >= MAX_WRITES) return;
    writes += 1;
    void link
      .run((redis) => execute(redis, fill))
      .finally(() => {
        writes -= 1;
      });
  }

  function share(trace: KeptTrace): void {
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

  function unshare(trace: KeptTrace): void {
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

  /** What is not there any more, since Redis was started anew or had no time for it, is put there again. */
  async function confirm(confirmed: readonly string[]): Promise<void> {
    for (let at = 0; at < confirmed.length; at += KEYS_AT_ONCE) {
      const some = confirmed.slice(at, at + KEYS_AT_ONCE);
      const found = await link.run((redis) =>
        execute(redis, (pipeline) => {
          for (const key of some) pipeline.pexpire(keys.trace(key), LEASE_MS);
        }),
      );
      found?.forEach((isThere, i) => {
        const trace = isThere === 0 ? memory.get(some[i]!) : undefined;
        if (trace !== undefined) share(trace);
      });
    }
  }

  /** The keys of the traces that are asked for, the newest of an account first. */
  async function keysFor(redis: Redis, question: PendingQuestion): Promise<string[]> {
    if ('accounts' in question) {
      const lists = await execute(redis, (pipeline) => {
        for (const account of question.accounts)
          pipeline.zrevrange(keys.account(account.toString('hex')), 0, maxFound - 1);
      });
      return [...new Set((lists as string[][]).flat())].slice(0, maxFound);
    }
    const hashes = [...new Set(question.messages.map(traceKey))].slice(0, maxFound);
    if (hashes.length === 0) return [];
    const named = await redis.mget(hashes.map(keys.message));
    return [...new Set(hashes.map((hash, i) => named[i] ?? hash))];
  }

  async function findShared(question: PendingQuestion): Promise<readonly KeptTrace[]> {
    const wanted = (await link.run((redis) => keysFor(redis, question))) ?? [];
    const asked =
      'accounts' in question
        ? new Set(question.accounts.map((account) => account.toString('hex')))
        : undefined;
    const found: KeptTrace[] = [];
    const gone: string[] = [];
    let bytes = 0;
    for (let at = 0; at < wanted.length && bytes < maxFoundBytes; at += TRACES_AT_ONCE) {
      const some = wanted.slice(at, at + TRACES_AT_ONCE);
      const blobs = await link.run((redis) => redis.mgetBuffer(some.map(keys.trace)));
      if (blobs === undefined) break;
      blobs.forEach((blob, i) => {
        if (blob === null) gone.push(some[i]!);
        const trace = blob && readTrace(blob);
        // The list of an account may be older than the trace.
        if (trace && (asked === undefined || [...accountsOf(trace)].some((account) => asked.has(account))))
          found.push(trace);
        bytes += blob?.length ?? 0;
      });
    }
    if (asked !== undefined && gone.length > 0) forget(asked, gone);
    return found;
  }

  /** Takes traces that are not there any more out of the lists of accounts. */
  function forget(accounts: ReadonlySet<string>, gone: readonly string[]): void {
    write((pipeline) => {
      for (const account of accounts) pipeline.zrem(keys.account(account), ...gone);
    });
  }

  return {
    put(trace) {
      const gone = memory.put(trace);
      if (memory.get(traceKey(trace.normalizedHash)) !== undefined) share(trace);
      return gone;
    },
    confirm: (confirmed) => void confirm(confirmed),
    remove,
    async find(question) {
      // What this process has of its own is the newest there is of it.
      const found = new Map(
        (await findShared(question)).map((trace) => [traceKey(trace.normalizedHash), trace]),
      );
      for (const trace of memory.findHere(question)) found.set(traceKey(trace.normalizedHash), trace);
      return [...found.values()].slice(0, maxFound);
    },
    clear() {
      for (const trace of memory.all()) unshare(trace);
      memory.clear();
    },
    async close() {
      await link.close();
      await memory.close();
    },
  };
}

/** Runs commands together; throws the error of the first that fails. */
async function execute(redis: Redis, fill: (pipeline: ChainableCommander) => void): Promise<unknown[]> {
  const pipeline = redis.pipeline();
  fill(pipeline);
  const answers = (await pipeline.exec()) ?? [];
  return answers.map(([error, answer]) => {
    if (error !== null) throw error;
    return answer;
  });
}

/** Changes with the form of kept traces: processes of different versions may share a store for a while. */
const FORM = 1;

/** A trace as bytes, for processes that share it. */
export function writeTrace(trace: KeptTrace): Buffer {
  return Buffer.concat([Buffer.of(FORM), serialize(trace)]);
}

/** The trace that bytes are; undefined for those of another version, or for none at all. */
export function readTrace(bytes: Buffer): KeptTrace | undefined {
  if (bytes[0] !== FORM) return undefined;
  try {
    // A copy: the bytes are part of all that came with one answer, which they would keep in memory.
    return deserialize(Buffer.from(bytes.subarray(1))) as KeptTrace;
  } catch {
    return undefined;
  }
}
