import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureApiKey, generateKey } from '../access/new-key.ts';
import type { Database } from '../db/connection.ts';

const LOCALNET_RPS = 1000;

/**
 * The key that comes with a localnet: kept in a file of `DATA_DIR` that only its owner can read, so that it can be
 * shown at every start. A key that was revoked is replaced by a new one.
 */
export async function localnetKey(database: Database, dataDir: string): Promise<string> {
  const file = join(dataDir, 'localnet-api-key');
  const kept = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (kept !== '' && (await isGood(database, kept))) return kept;
  const key = generateKey();
  await ensureKey(database, key);
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
}

async function isGood(database: Database, key: string): Promise<boolean> {
  return (await ensureKey(database, key)).revokedAt === null;
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
