import { chmod, cp, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, completeLinks } from './binaries.ts';
import { removeUnfinished, uniqueName } from './unfinished.ts';

/**
 * Copies the binaries below `root`, readable for everybody, unless a complete copy of this version is there.
 */
export async function copyBinaries(binaries: Binaries, root: string): Promise<Binaries> {
  const native = join(root, `postgresql-${binaries.version}-${process.arch}`);
  const copy = { native, version: binaries.version };
  if (await isComplete(copy, binaries)) return copy;
  await removeUnfinished(native);
  const partial = uniqueName(native);
  try {
    await cp(binaries.native, partial, { recursive: true, verbatimSymlinks: true });
    await openForAll(partial);
    await rename(partial, native).catch(async (error) => {
      // Another process was faster, or a broken copy is in the way.
      if (await isComplete(copy, binaries)) return;
      if (!isTaken(error)) throw error;
      const broken = uniqueName(native);
      await rename(native, broken);
      await rename(partial, native);
      await rm(broken, { recursive: true, force: true });
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  await completeLinks(copy);
  return copy;
}

function isTaken(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOTEMPTY' || error.code === 'EEXIST';
}

/** Every file of the original is there with its size. */
async function isComplete(copy: Binaries, original: Binaries): Promise<boolean> {
  for (const entry of await entriesOf(original.native)) {
    const [its, ours] = await Promise.all(
      [original, copy].map(({ native }) => lstat(join(native, entry)).catch(() => undefined)),
    );
    if (ours === undefined || (its?.isFile() && its.size !== ours.size)) return false;
  }
  return true;
}

/** A checkout made under umask 077 is closed file by file, and a copy inherits that. */
async function openForAll(native: string): Promise<void> {
  await chmod(native, 0o755);
  for (const entry of await entriesOf(native)) {
    const path = join(native, entry);
    const status = await lstat(path);
    if (status.isDirectory()) await chmod(path, 0o755);
    else if (status.isFile()) await chmod(path, status.mode & 0o100 ? 0o755 : 0o644);
  }
}

async function entriesOf(native: string): Promise<string[]> {
  return readdir(native, { recursive: true });
}
