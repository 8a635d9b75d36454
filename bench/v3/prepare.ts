import { hash as hashOnce } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/cli/open-database.ts';
import { readSettings } from '../../src/config/settings.ts';
import { partitionSeqnosFor } from '../../src/index/coverage.ts';
import type { Log } from '../../src/lib/log.ts';
import { fillIndex } from '../fill/fill-index.ts';
import type { FillOptions } from '../fill/plan.ts';
import type { Samples } from '../fill/samples.ts';

/** A PostgreSQL with the generated index. */
export interface PreparedDatabase {
  readonly url: string;
  readonly samples: Samples;
  readonly close: () => Promise<void>;
}

/** Increase it when other rows are written for the same chain, so that older databases are generated again. */
const GENERATION = 2;
const PARTITION_SEQNOS = partitionSeqnosFor('all');
const LANES = 2;
const QUIET: Log = { info() {}, warn: console.error, error: console.error };

/** Migrations are edited until the first release, and PostgreSQL does not notice. */
function schemaHash(): string {
  const folder = new URL('../../migrations/', import.meta.url);
  const texts = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return hashOnce('sha256', texts.join('\n'));
}

/** Opens the database in a folder; generates it first unless it exists with this size. */
export async function prepareDatabase(
  folder: string,
  { transactions, seqnos }: Pick<FillOptions, 'transactions' | 'seqnos'>,
): Promise<PreparedDatabase> {
  const options = { transactions, seqnos, seed: 1, lanes: LANES, partitionSeqnos: PARTITION_SEQNOS };
  const marker = join(folder, 'filled.json');
  const wanted = JSON.stringify({ ...options, generation: GENERATION, schema: schemaHash() });
  const exists = existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
  if (!exists) rmSync(join(folder, 'data'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Root runs the embedded PostgreSQL as another user, which needs access to its data directory.
  chmodSync(folder, 0o755);
  // An interrupted fill continues.
  writeFileSync(marker, wanted);
  const settings = readSettings({ NETWORK: 'localnet', DATA_DIR: join(folder, 'data') });
  const { url, close } = await openDatabase(settings, QUIET);
  try {
    const samples = await fillIndex(options, {
      url,
      log: QUIET,
      actions: false,
      keepIndexes: false,
      restart: false,
      onProgress: console.error,
    });
    return { url, samples, close };
  } catch (error) {
    await close();
    throw error;
  }
}
