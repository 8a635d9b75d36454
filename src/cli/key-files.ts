import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ensureApiKey, generateKey } from '../access/keys.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';

/** A key that a start keeps in `DATA_DIR`, in a file that only its owner can read. */
interface KeyFile {
  readonly key: string;
  /** As the operator would write it. */
  readonly path: string;
}

/** The keys of the operator that are in files. */
export interface KeyFiles {
  /** The API key of a localnet; undefined on other networks. */
  readonly local: KeyFile | undefined;
  /** The key of the administration; undefined where `ADMIN_KEY` is set, and on localnet, where the other one is good for it. */
  readonly admin: KeyFile | undefined;
}

export const LOCALNET_RPS = 1000;
const OWNER_ONLY = 0o600;
/** Shorter ones can be guessed, which nothing slows down: a right key is never kept waiting. */
const MIN_ADMIN_KEY_LENGTH = 16;

/** Reads the keys of the operator; makes those that are missing. */
export async function openKeyFiles(
  { network, dataDir, adminKey }: Pick<Settings, 'network' | 'dataDir' | 'adminKey'>,
  database: Database,
  log: Log,
): Promise<KeyFiles> {
  if (adminKey !== undefined && adminKey.length < MIN_ADMIN_KEY_LENGTH)
    log.warn({ length: adminKey.length }, 'ADMIN_KEY is short enough to be guessed');
  if (network === 'localnet') return { local: await ensureLocalnetKey(database, dataDir), admin: undefined };
  return { local: undefined, admin: adminKey === undefined ? await ensureAdminKey(dataDir, log) : undefined };
}

/** The API key of a localnet, kept so that every start can show it. A revoked key is replaced. */
async function ensureLocalnetKey(database: Database, dataDir: string): Promise<KeyFile> {
  const file = join(dataDir, 'localnet-api-key');
  const path = shownPath(file);
  const stored = await readKey(file);
  if (stored !== undefined && (await ensureKey(database, stored)).revokedAt === null)
    return { key: stored, path };
  const key = generateKey();
  await ensureKey(database, key);
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${key}\n`, { mode: OWNER_ONLY });
  await chmod(file, OWNER_ONLY);
  return { key, path };
}

function ensureKey(database: Database, key: string) {
  return ensureApiKey(database, {
    key,
    name: 'localnet',
    plan: 'localnet',
    rps: LOCALNET_RPS,
    networks: ['localnet'],
  });
}

/** Undefined if the directory cannot be written. */
async function ensureAdminKey(dataDir: string, log: Log): Promise<KeyFile | undefined> {
  const file = join(dataDir, 'admin-key');
  try {
    const key = (await readKey(file)) ?? (await makeKey(file));
    return { key, path: shownPath(file) };
  } catch (error) {
    log.warn({ err: error, file }, 'No key of the administration, because its file cannot be used');
    return undefined;
  }
}

/** The key in a file, which nobody else can read from now on; undefined if there is none. */
async function readKey(file: string): Promise<string | undefined> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    // A file of another user stays as that user made it.
    await chmod(file, OWNER_ONLY).catch(() => {});
    return key === '' ? undefined : key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Linked into place: of several processes that start on one directory, all get the key of the first. */
async function makeKey(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const key = generateKey();
  try {
    await writeFile(draft, `${key}\n`, { mode: OWNER_ONLY });
    await link(draft, file);
    return key;
  } catch (error) {
    const stored = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readKey(file) : undefined;
    if (stored === undefined) throw error;
    return stored;
  } finally {
    await rm(draft, { force: true });
  }
}

function shownPath(file: string): string {
  const below = relative('', file);
  return below.startsWith('..') ? file : below;
}
