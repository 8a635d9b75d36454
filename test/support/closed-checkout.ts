import { spawnSync } from 'node:child_process';

export const NOBODY = { uid: 65534, gid: 65534 };

const isRoot = process.getuid?.() === 0;

/**
 * Why root cannot run a process of another user from this checkout, for the name of a skipped test; undefined where it
 * can, and where there is no root to try.
 */
export const closedCheckout =
  isRoot && spawnSync(process.execPath, ['--version'], { cwd: '/', ...NOBODY }).status !== 0
    ? ' (skipped: others cannot reach this checkout)'
    : undefined;
