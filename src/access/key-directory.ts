import type { Database } from '../db/connection.ts';
import { type ApiKey, findApiKeyByHash } from '../db/queries/api-keys.ts';
import { Failure } from '../lib/failure.ts';
import { digestBytes } from './key-digest.ts';
import { createLastUses, type LastUsesOptions } from './last-uses.ts';

/** What the gate needs to know about a valid key. */
export interface KeyRecord {
  readonly id: string;
  /** Requests a second. */
  readonly rps: number;
  /** Networks that the key is good for; empty means all. */
  readonly networks: readonly string[];
  readonly plan: string;
}

/** Valid keys by the digest of `keyDigest`. */
export interface KeyDirectory {
  /** The key if it is cached as valid right now; the path of nearly every request. */
  readonly cached: (digest: string) => KeyRecord | undefined;
  /** True when the key was valid at its last look-up, however long ago: not a guess. */
  readonly known: (digest: string) => boolean;
  /** Looks the key up; null when it does not exist or is revoked, a `Failure` when the database is away. */
  readonly find: (digest: string) => Promise<KeyRecord | null>;
  /** Notes that the key was used now. */
  readonly touch: (key: KeyRecord) => void;
  readonly close: () => Promise<void>;
}

export interface KeyDirectoryOptions extends LastUsesOptions {
  readonly database: Database;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Entry {
  readonly record: KeyRecord | null;
  /** When the look-up began: a key revoked during it may still have been seen as valid. */
  readonly askedAt: number;
  refreshAt: number;
}

/** A revoked key must stop within 5 s, so no entry is believed longer than this. */
const BELIEVE_KEY_MS = 4000;
/** A key that was just made should not wait long for its first use. */
const BELIEVE_ABSENCE_MS = 1000;
const REFRESH_AFTER_MS = 2000;
const REFRESH_AGAIN_MS = 1000;
const MAX_ENTRIES = 50_000;

/** Answers which keys are valid from memory, and asks the database again before an answer in use grows old. */
export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { database, now = () => performance.now() } = options;
  const entries = new Map<string, Entry>();
  const underWay = new Map<string, Promise<KeyRecord | null>>();
  const lastUses = createLastUses(options);

  /** A replica may lag behind a revocation, so it is asked only while nobody can revoke anything. */
  async function ask(digest: string): Promise<ApiKey | undefined> {
    const question = (db: Database['primary']) => findApiKeyByHash(db, { hash: digestBytes(digest) });
    try {
      return await database.write(question);
    } catch (error) {
      const isAway = error instanceof Failure && error.kind === 'unavailable';
      if (!isAway || database.stats().length === 1) throw error;
      return database.read(question);
    }
  }

  /** Keys that nobody has asked for lately go first; a plain map, because an LRU costs more on every request. */
  function makeRoom(): void {
    const time = now();
    for (const [digest, { askedAt }] of entries) if (time - askedAt >= BELIEVE_KEY_MS) entries.delete(digest);
    if (entries.size >= MAX_ENTRIES) entries.clear();
  }

  function load(digest: string): Promise<KeyRecord | null> {
    const shared = underWay.get(digest);
    if (shared !== undefined) return shared;
    const askedAt = now();
    const answer = ask(digest)
      .then((row) => {
        const valid = row !== undefined && row.revokedAt === null;
        const record = valid ? { id: row.id, rps: row.rps, networks: row.networks, plan: row.plan } : null;
        if (entries.size >= MAX_ENTRIES) makeRoom();
        entries.set(digest, { record, askedAt, refreshAt: askedAt + REFRESH_AFTER_MS });
        return record;
      })
      .finally(() => underWay.delete(digest));
    underWay.set(digest, answer);
    return answer;
  }

  return {
    cached(digest) {
      const entry = entries.get(digest);
      if (entry === undefined || entry.record === null) return undefined;
      const time = now();
      if (time - entry.askedAt >= BELIEVE_KEY_MS) return undefined;
      if (time >= entry.refreshAt) {
        entry.refreshAt = time + REFRESH_AGAIN_MS;
        // A failed refresh needs no word: when the entry is too old, `find` asks again and its caller hears.
        load(digest).catch(() => {});
      }
      return entry.record;
    },
    known: (digest) => entries.get(digest)?.record != null,
    async find(digest) {
      const entry = entries.get(digest);
      if (entry !== undefined) {
        const believe = entry.record === null ? BELIEVE_ABSENCE_MS : BELIEVE_KEY_MS;
        if (now() - entry.askedAt < believe) return entry.record;
      }
      return load(digest);
    },
    touch: (key) => lastUses.note(key.id),
    close: lastUses.close,
  };
}
