import { constants, existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { wrongValue } from '../../lib/wrong-value.ts';
import { chainPaths, lockFolder, replaceDurably, syncPath } from './chain-folder.ts';
import { checkpointsIn } from './open-chain.ts';
import { RecordFile } from './record-file.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Throws unless a snapshot name is valid: it becomes a directory name. */
function checkSnapshotName(name: string): void {
  const form = '1 to 64 letters, digits, dots, dashes and underscores that start with a letter or digit';
  if (!NAME.test(name)) throw new Failure('bad_request', wrongValue('name', form, name));
}

export function snapshotNames(folder: string): string[] {
  const { snapshots } = chainPaths(folder);
  if (!existsSync(snapshots)) return [];
  return readdirSync(snapshots)
    .filter((name) => NAME.test(name))
    .sort();
}

/**
 * Saves the current chain under a name and replaces an existing snapshot of that name. The chain must not be written to
 * meanwhile. `writeStates` may write whole states into the given folder.
 */
export async function makeSnapshot(
  folder: string,
  name: string,
  writeStates: (folder: string) => Promise<void> = async () => undefined,
): Promise<void> {
  checkSnapshotName(name);
  const { chain, snapshots } = chainPaths(folder);
  // Not a valid snapshot name.
  const draft = join(snapshots, '.draft');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await copyDurably(chain, chainPaths(draft).chain);
  await writeStates(chainPaths(draft).states);
  await syncPath(draft);
  await rm(join(snapshots, name), { recursive: true, force: true });
  await rename(draft, join(snapshots, name));
  await syncPath(snapshots);
}

/** Replaces the chain, which must not be open, with a snapshot. After a crash it is one or the other. */
export async function restoreSnapshot(folder: string, name: string): Promise<void> {
  const { chain, states } = chainPaths(folder);
  const from = chainPaths(snapshotFolder(folder, name));
  await mkdir(states, { recursive: true });
  for (const file of checkpointsIn(from.states))
    await copyDurably(join(from.states, file), join(states, file));
  await replaceDurably(chain, (draft) => copyDurably(from.chain, draft));
}

/** Directory of a snapshot; throws if it does not exist. */
export function snapshotFolder(folder: string, name: string): string {
  checkSnapshotName(name);
  if (!snapshotNames(folder).includes(name))
    throw new Failure('not_found', `there is no snapshot of the name ${name}`);
  return join(chainPaths(folder).snapshots, name);
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await syncPath(to, 'r+');
}

/** Reads the state of a chain that is not running. */
export function stoppedStatus(folder: string, log: Log) {
  return withLock(folder, async () => {
    const { file, records } = await RecordFile.open(chainPaths(folder).chain, log);
    await file.close();
    const seqno = records.filter(({ head }) => head.kind === 'step').length;
    return { running: false, seqno, snapshots: snapshotNames(folder) };
  });
}

/** The same as `makeSnapshot` for a chain that is not running. */
export function snapshotStopped(folder: string, name: string): Promise<void> {
  return withLock(folder, () => makeSnapshot(folder, name));
}

export function restoreStopped(folder: string, name: string): Promise<void> {
  return withLock(folder, () => restoreSnapshot(folder, name));
}

async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (!existsSync(chainPaths(folder).chain) && snapshotNames(folder).length === 0)
    throw new Failure('not_found', `there is no local chain in ${folder} yet`);
  const unlock = lockFolder(folder);
  try {
    return await work();
  } finally {
    unlock();
  }
}
