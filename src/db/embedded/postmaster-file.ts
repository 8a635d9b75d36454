import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a running PostgreSQL says about itself in its data directory. */
export interface PostmasterFile {
  /** NaN when a crash left the file empty. */
  readonly pid: number;
  readonly socketDirectory: string;
  readonly state: 'starting' | 'ready' | 'stopping';
}

/** Reads postmaster.pid; its lines are listed in PostgreSQL's src/include/utils/pidfile.h. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const [pid = '', , , , socketDirectory = '', , , status = ''] = lines;
  const state = { ready: 'ready', standby: 'ready', stopping: 'stopping' }[status.trim()] ?? 'starting';
  return {
    pid: Number.parseInt(pid, 10),
    socketDirectory,
    state: state as PostmasterFile['state'],
  };
}
