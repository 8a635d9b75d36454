import { spawnSync } from 'node:child_process';

/** An unprivileged user. */
export const NOBODY = { uid: 65534, gid: 65534 };

const isRoot = process.getuid?.() === 0;

/**
 * Why tests cannot run a process of another user from this checkout, for the title of a skipped test; undefined if they
 * can, or if they do not run as root.
 */
export const closedCheckout =
  isRoot && spawnSync(process.execPath, ['--version'], { cwd: '/', ...NOBODY }).status !== 0
    ? ' (skipped: other users cannot access this checkout)'
    : undefined;
