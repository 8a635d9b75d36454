import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { type DatabaseExam, examineDatabase } from '../db/examine-database.ts';
import type { Log } from '../lib/log.ts';
import { StartError } from '../lib/start-error.ts';
import { formatBytes } from './format-bytes.ts';

interface StoragePorts {
  readonly settings: Settings;
  readonly log: Log;
  readonly out: { readonly write: (text: string) => unknown };
}

const OLDEST_MAJOR = 14;
const LEAST_FREE_BYTES = 5e9;
const LEAST_FREE_SHARE = 0.05;

/** Looks at the database and the disk and says what should be done; false when the database cannot be used. */
export async function examineStorage({ settings, log, out }: StoragePorts): Promise<boolean> {
  const { databaseUrl: url, dataDir } = settings;
  const cures: string[] = [];
  let isUsable = true;
  if (url === undefined) out.write(`Database: the embedded PostgreSQL in ${dataDir}\n`);
  else
    try {
      const exam = await examineDatabase(url, log);
      out.write(`Database: PostgreSQL ${exam.version}, ${formatBytes(exam.bytes)}\n`);
      cures.push(...curesOf(exam, settings));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      out.write('Database: cannot be used\n');
      cures.push(error.message);
      isUsable = false;
    }
  const disk = await diskOf(dataDir);
  if (disk !== undefined) {
    out.write(`Disk of DATA_DIR: ${formatBytes(disk.free)} of ${formatBytes(disk.all)} free\n`);
    if (disk.free < LEAST_FREE_BYTES || disk.free < disk.all * LEAST_FREE_SHARE)
      cures.push(
        'The disk is nearly full: make room, or let INDEX_KEEP drop old history. Indexing waits while there is no space.',
      );
  }
  cures.push(...doubtsAbout(settings));
  for (const cure of cures) out.write(`- ${cure}\n`);
  return isUsable;
}

function* curesOf({ major, version, outstanding, connections }: DatabaseExam, settings: Settings) {
  if (major < OLDEST_MAJOR)
    yield `PostgreSQL ${version} is too old: ${OLDEST_MAJOR} or newer is needed, 16 or newer is better.`;
  if (outstanding > 0)
    yield `${outstanding} migrations are to be applied: the command migrate does it, and so does every start.`;
  if (connections.used + settings.databasePoolSize > connections.allowed)
    yield `${connections.used} of ${connections.allowed} connections are taken: raise max_connections, or lower DATABASE_POOL_SIZE.`;
}

function* doubtsAbout({ network, indexFrom, indexKeep, databaseUrl }: Settings) {
  if (network === 'mainnet' && indexFrom === 'genesis' && indexKeep === 'all')
    yield 'INDEX_FROM=genesis on mainnet means terabytes: see docs/operate/scale.md.';
  if (network === 'mainnet' && databaseUrl === undefined)
    yield 'The embedded PostgreSQL keeps its usual settings; for an index of mainnet give DATABASE_URL of a server that is tuned.';
}

/** The disk of a folder, or of the nearest one above it that exists. */
async function diskOf(path: string): Promise<{ free: number; all: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { free: bavail * bsize, all: blocks * bsize };
  } catch {
    const above = dirname(path);
    return above === path ? undefined : diskOf(above);
  }
}
