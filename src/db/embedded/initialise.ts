import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../lib/log.ts';
import { StartError } from '../../lib/start-error.ts';
import { majorVersion } from './binaries.ts';
import { explain } from './explain.ts';
import type { Place } from './place.ts';
import { surroundings } from './run-as.ts';
import { USER } from './socket.ts';
import { removeUnfinished, uniqueName } from './unfinished.ts';

/**
 * Written into postgresql.conf once, so that the operator can change them; durability stays as PostgreSQL has
 * it.
 */
const SETTINGS = {
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Makes the data directory when there is none. It is made beside its place and renamed when complete, so a
 * start that was killed half-way leaves nothing that looks like data.
 */
export async function initialise(place: Place, log: Log): Promise<void> {
  const { cluster, location, account } = place;
  await removeUnfinished(cluster);
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    checkVersion(place);
    settleOwner(place);
    return;
  }
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new StartError(`${cluster} holds something that is not PostgreSQL's; move it away or set DATA_DIR`);
  }
  const unfinished = uniqueName(cluster);
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    chmodSync(unfinished, 0o700);
    if (account !== undefined) chownSync(unfinished, account.uid, account.gid);
    await initdb(place, unfinished);
    await rename(unfinished, cluster);
    await sync(location);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
  const details = { location, user: account?.name, binaries: place.binaries.native };
  log.info(details, `Made a new PostgreSQL database in ${location}`);
}

/** Data that root put here, from a backup for example, is given to the user that PostgreSQL runs under. */
function settleOwner({ cluster, account }: Place): void {
  const { uid, mode } = statSync(cluster);
  if (account !== undefined && uid !== account.uid) {
    for (const entry of ['', ...readdirSync(cluster, { recursive: true, encoding: 'utf8' })]) {
      lchownSync(join(cluster, entry), account.uid, account.gid);
    }
  }
  if ((mode & 0o077) !== 0) chmodSync(cluster, 0o700);
}

function checkVersion({ cluster, location, binaries }: Place): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const ours = majorVersion(binaries);
  if (found === ours) return;
  throw new StartError(
    `The data in ${location} was initialised by PostgreSQL ${found}, this is PostgreSQL ${ours}; ` +
      `dump and restore it with PostgreSQL ${found}, set DATABASE_URL to a server of that version, or set DATA_DIR`,
  );
}

async function initdb({ binaries, account, location }: Place, directory: string): Promise<void> {
  const args = [
    '-D',
    directory,
    '-U',
    USER,
    '--auth=trust',
    '--locale=C',
    '--encoding=UTF8',
    '--no-instructions',
  ];
  for (const [name, value] of Object.entries(SETTINGS)) args.push('--set', `${name}=${value}`);
  const what = 'PostgreSQL cannot make its database';
  const { output, code } = await new Promise<{ output: string; code: number | null }>((resolve, reject) => {
    const child = spawn(join(binaries.native, 'bin', 'initdb'), args, {
      ...surroundings(account),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    child.on('error', (cause) => reject(explain({ what, location, output: cause.message, cause })));
    child.on('close', (exitCode) => resolve({ output: text, code: exitCode }));
  });
  if (code !== 0) throw explain({ what, location, output });
}

/** Makes the renaming itself survive a power cut; initdb has synced everything else. */
async function sync(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
