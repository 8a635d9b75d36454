import { existsSync } from 'node:fs';
import { Failure } from '../../lib/failure.ts';
import type { Log } from '../../lib/log.ts';
import { chainPaths } from './chain-paths.ts';
import { lockFolder } from './folder-lock.ts';
import { RecordFile } from './record-file.ts';
import { makeSnapshot, restoreSnapshot, snapshotNames } from './snapshots.ts';

/** What is known of a chain that no process runs. */
export interface StoppedStatus {
  readonly running: false;
  readonly seqno: number;
  readonly snapshots: readonly string[];
}

/** Looks at a chain that no process runs. */
export function stoppedStatus(folder: string, log: Log): Promise<StoppedStatus> {
  return withLock(folder, async () => {
    const { file, records } = await RecordFile.open(chainPaths(folder).chain, log);
    await file.close();
    const seqno = records.filter(({ head }) => head.kind === 'step').length;
    return { running: false, seqno, snapshots: snapshotNames(folder) };
  });
}

/** Makes a snapshot of a chain that no process runs. */
export function snapshotStopped(folder: string, name: string): Promise<void> {
  return withLock(folder, () => makeSnapshot(folder, name));
}

/** Puts a chain that no process runs back to a snapshot. */
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
