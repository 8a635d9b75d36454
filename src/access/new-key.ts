import { randomBytes } from 'node:crypto';
import type { Database } from '../db/connection.ts';
import { type ApiKey, findApiKeyByHash, insertApiKey } from '../db/queries/api-keys.ts';
import { digestBytes, keyDigest } from './key-digest.ts';

/** What a key is made with. */
export interface KeySettings {
  readonly name: string;
  readonly plan: string;
  /** Requests a second. */
  readonly rps: number;
  /** Networks that the key is good for; empty means all. */
  readonly networks: readonly string[];
}

/** Lets secret scanners and people recognise a key. */
const PREFIX = 'tg_';
const SECRET_BYTES = 32;

/** Makes a key and stores its hash; the key itself is in the answer and nowhere else. */
export async function createApiKey(
  database: Database,
  settings: KeySettings,
): Promise<{ readonly key: string; readonly row: ApiKey }> {
  const key = generateKey();
  const row = await database.write((db) => insertApiKey(db, { hash: hashOf(key), ...settings }));
  return { key, row };
}

/** Stores the hash of a given key unless it is there already, and returns the row, revoked or not. */
export async function ensureApiKey(
  database: Database,
  { key, ...settings }: KeySettings & { readonly key: string },
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

/** A fresh key that nobody can guess. */
export function generateKey(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

function hashOf(key: string): Buffer {
  return digestBytes(keyDigest(key));
}
