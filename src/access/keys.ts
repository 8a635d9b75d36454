import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../db/connection.ts';
import { databaseUnavailable } from '../db/errors.ts';
import { Failure } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import { withTimeout } from '../lib/wait.ts';
import { type ApiKey, ensureOwner, findApiKeyByHash, insertApiKey, touchApiKeys } from './stored-keys.ts';

/** A valid key. */
export interface KeyRecord {
  readonly id: string;
  /** Name of the owner; null for a key without one. */
  readonly owner: string | null;
  /** Counted against the rate: the key, or its owner if the keys of the owner share a plan. */
  readonly payer: string;
  /** Requests per second. */
  readonly rps: number;
  /** Networks that the key is good for; empty means all. */
  readonly networks: readonly string[];
  readonly plan: string;
}

/** Valid keys by the digest of `keyDigest`. */
export interface KeyDirectory {
  /** The key if it is cached as valid; the path of nearly every request. */
  readonly cached: (digest: string) => KeyRecord | undefined;
  /** True if the key was valid at its last look-up, however long ago: it is not a guess. */
  readonly wasValid: (digest: string) => boolean;
  /** Looks the key up; null if it does not exist or is revoked. Throws a `Failure` if the database is unavailable. */
  readonly find: (digest: string) => Promise<KeyRecord | null>;
  /** Records that the key was used now. */
  readonly touch: (key: Pick<KeyRecord, 'id'>) => void;
  readonly close: () => Promise<void>;
}

interface KeyDirectoryOptions extends LastUsesOptions {
  readonly database: Database;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Longest wait for the database. */
  readonly lookUpMs?: number;
}

interface Entry {
  readonly record: KeyRecord | null;
  /** When the look-up started: a key revoked during it may still have been seen as valid. */
  readonly queriedAt: number;
  refreshAt: number;
}

/** A revoked key must stop working within 5 s. */
const KEY_TTL_MS = 4000;
/** A new key should work soon after it was created. */
const ABSENCE_TTL_MS = 1000;
const REFRESH_AFTER_MS = 2000;
const REFRESH_AGAIN_MS = 1000;
/** While the database does not respond, a key that was valid at its last look-up stays so for this long. */
const OUTAGE_TTL_MS = 3_600_000;
const OUTAGE_REST_MS = 1000;
const LOOK_UP_MS = 3000;
const MAX_ENTRIES = 50_000;

/**
 * Caches keys and refreshes entries in use before they expire. Keys in use outlast an outage of the database: v2 does not
 * need it for anything else.
 */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { database, now = () => performance.now(), lookUpMs = LOOK_UP_MS } = options;
  const entries = new Map<string, Entry>();
  const loads = new SingleFlight<KeyRecord | null>();
  const lastUses = createLastUses(options);
  /** When the last look-up failed because of the database; undefined after one that did not. */
  let outSince: number | undefined;

  /** A replica may lag behind a revocation, so it is read only while the primary is unavailable. */
  async function queryKey(digest: string): Promise<ApiKey | undefined> {
    const query = (db: Database['primary']) => findApiKeyByHash(db, { hash: digestBytes(digest) });
    try {
      return await database.write(query);
    } catch (error) {
      const isUnavailable = error instanceof Failure && error.kind === 'unavailable';
      if (!isUnavailable || database.stats().length === 1) throw error;
      return database.read(query);
    }
  }

  /** The row of a key, or a `Failure` if the database does not respond in time. After that it has a moment of rest. */
  async function askInTime(digest: string): Promise<ApiKey | undefined> {
    if (outSince !== undefined && now() - outSince < OUTAGE_REST_MS) throw databaseUnavailable();
    try {
      const row = await withTimeout(lookUpMs, queryKey(digest), () => databaseUnavailable());
      outSince = undefined;
      return row;
    } catch (error) {
      outSince = error instanceof Failure && error.kind === 'unavailable' ? now() : undefined;
      throw error;
    }
  }

  const isFresh = ({ record, queriedAt }: Entry, time: number): boolean =>
    time - queriedAt < (record === null ? ABSENCE_TTL_MS : KEY_TTL_MS);

  /** Whether an entry has expired but is the best there is. */
  const outlasts = ({ record, queriedAt }: Entry, time: number): boolean =>
    outSince !== undefined && record !== null && time - queriedAt < OUTAGE_TTL_MS;

  /** Drops expired entries first. A plain map, because an LRU costs more on every request. */
  function makeRoom(): void {
    const time = now();
    for (const [digest, entry] of entries)
      if (!isFresh(entry, time) && !outlasts(entry, time)) entries.delete(digest);
    if (entries.size >= MAX_ENTRIES) entries.clear();
  }

  /** Reads a key into the cache. */
  async function load(digest: string): Promise<KeyRecord | null> {
    const queriedAt = now();
    const row = await askInTime(digest);
    const record = row !== undefined && row.revokedAt === null ? toRecord(row) : null;
    if (entries.size >= MAX_ENTRIES) makeRoom();
    entries.set(digest, { record, queriedAt, refreshAt: queriedAt + REFRESH_AFTER_MS });
    return record;
  }

  const loadShared = (digest: string) => loads.run(digest, () => load(digest));

  return {
    cached(digest) {
      const entry = entries.get(digest);
      if (entry === undefined || entry.record === null) return undefined;
      const time = now();
      if (!isFresh(entry, time) && !outlasts(entry, time)) return undefined;
      if (time >= entry.refreshAt) {
        entry.refreshAt = time + REFRESH_AGAIN_MS;
        // A failed refresh is not reported: once the entry has expired, `find` looks it up again and throws.
        loadShared(digest).catch(() => {});
      }
      return entry.record;
    },
    wasValid: (digest) => entries.get(digest)?.record != null,
    async find(digest) {
      const entry = entries.get(digest);
      if (entry !== undefined && isFresh(entry, now())) return entry.record;
      try {
        return await loadShared(digest);
      } catch (error) {
        if (entry !== undefined && outlasts(entry, now())) return entry.record;
        throw error;
      }
    },
    touch: (key) => lastUses.note(key.id),
    close: lastUses.close,
  };
}

function toRecord({ id, networks, owner, plan, rps }: ApiKey): KeyRecord {
  const common = { id, networks, owner: owner?.name ?? null };
  return owner === null || owner.shared === null
    ? { ...common, payer: `k:${id}`, plan, rps }
    : { ...common, payer: `o:${owner.id}`, ...owner.shared };
}

interface LastUsesOptions {
  readonly database: Database;
  readonly log: Log;
  /** Unix time with fractions, as the database keeps it. */
  readonly unixSeconds?: () => number;
  /** Longest delay of a write. */
  readonly writeEveryMs?: number;
}

const WRITE_EVERY_MS = 10_000;

/** Collects the times of last use and writes them in batches, so that no request waits for that. */
function createLastUses(options: LastUsesOptions) {
  const { database, log, unixSeconds = () => Date.now() / 1000, writeEveryMs = WRITE_EVERY_MS } = options;
  /** Unix seconds of the last use, by key id. */
  let unwritten = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let failing = false;

  async function write(): Promise<void> {
    timer = undefined;
    const batch = unwritten;
    if (batch.size === 0) return;
    unwritten = new Map();
    const uses = [...batch].map(([id, usedAt]) => ({ id, usedAt }));
    try {
      await database.write((db) => touchApiKeys(db, { uses }));
      if (failing) log.info({}, 'Writing last use of keys recovered');
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'Failed to write last use of keys');
      failing = true;
      for (const [id, usedAt] of unwritten) batch.set(id, usedAt);
      unwritten = batch;
      writeLater();
    }
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      writing = write();
    }, writeEveryMs).unref();
  }

  return {
    /** Records that the key was used now. */
    note(id: string): void {
      unwritten.set(id, unixSeconds());
      writeLater();
    },
    /** Writes what is left; a last use that cannot be written now is dropped. */
    async close(): Promise<void> {
      await writing;
      clearTimeout(timer);
      await write();
      clearTimeout(timer);
    },
  };
}

/** SHA-256 of an API key in base64: keys are stored and looked up by it. */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64');
}

function digestBytes(digest: string): Buffer {
  return Buffer.from(digest, 'base64');
}

const MAX_DIGESTS = 1000;

/**
 * `keyDigest` with a cache: between two requests the code of SHA-256 falls out of the processor's caches, and a digest
 * takes 10 µs instead of the 0.8 µs of a loop.
 */
export function createDigests(): (key: string) => string {
  let recent = new Map<string, string>();
  return (key) => {
    let digest = recent.get(key);
    if (digest === undefined) {
      if (recent.size >= MAX_DIGESTS) recent = new Map();
      digest = keyDigest(key);
      recent.set(key, digest);
    }
    return digest;
  };
}

/** Settings of a new key. */
export interface KeySettings {
  readonly name: string;
  readonly plan: string;
  /** Requests per second. */
  readonly rps: number;
  /** Networks that the key is good for; empty means all. */
  readonly networks: readonly string[];
  /** Name of the owner, who is created if there is none; left out for a key without an owner. */
  readonly owner?: string | undefined;
}

/** Lets secret scanners and people recognise a key. */
const PREFIX = 'tg_';
const SECRET_BYTES = 32;

/** Creates a key and stores its hash; the key itself is only in the returned object. */
export async function createApiKey(database: Pick<Database, 'write'>, { owner, ...settings }: KeySettings) {
  const key = generateKey();
  const row = await database.write(async (db) => {
    const ownerId = owner === undefined ? undefined : (await ensureOwner(db, { name: owner })).id;
    return insertApiKey(db, { hash: hashOf(key), ...settings, ownerId });
  });
  return { key, row };
}

/** Stores the hash of a given key unless it is there already, and returns the row, revoked or not. */
export async function ensureApiKey(
  database: Database,
  { key, ...settings }: Omit<KeySettings, 'owner'> & { readonly key: string },
): Promise<ApiKey> {
  const hash = hashOf(key);
  const find = () => database.write((db) => findApiKeyByHash(db, { hash }));
  const existing = await find();
  if (existing !== undefined) return existing;
  try {
    return await database.write((db) => insertApiKey(db, { hash, ...settings }));
  } catch (error) {
    // Another process may have stored it in between.
    const stored = await find();
    if (stored === undefined) throw error;
    return stored;
  }
}

/** A new random key. */
export function generateKey(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

function hashOf(key: string): Buffer {
  return digestBytes(keyDigest(key));
}
