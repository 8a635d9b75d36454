import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { createEmbeddedSandbox } from './embedded.ts';
import { copyWithOwners } from './temporary-directory.ts';

/** A PostgreSQL, and a standby that starts as a copy of its files and follows it. */
interface ReplicatedPair {
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
  readonly clean: () => Promise<void>;
}

export async function startReplicatedPair(): Promise<ReplicatedPair> {
  const sandbox = createEmbeddedSandbox('replica');
  try {
    await sandbox.seed();
    const first = await sandbox.start();
    await first.stop();
    const dataDir = join(sandbox.root, 'standby');
    const location = join(dataDir, 'postgres');
    mkdirSync(location, { recursive: true });
    const cluster = join(location, 'cluster');
    copyWithOwners(join(first.location, 'cluster'), cluster);
    const primary = await sandbox.start();
    const host = new URL(primary.url).searchParams.get('host');
    writeFileSync(join(cluster, 'standby.signal'), '');
    appendFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${host} user=${new URL(primary.url).username}'\nwal_retrieve_retry_interval = '100ms'\n`,
    );
    return { primary, standby: await sandbox.start({ dataDir }), clean: sandbox.clean };
  } catch (error) {
    await sandbox.clean();
    throw error;
  }
}
