import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file so that after a crash it is there whole, or as it was before. Its owner alone may read it unless told otherwise. */
export async function writeDurably(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  await replaceDurably(path, async (draft) => {
    const file = await open(draft, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** Lets a file be made under another name, on the disk, and then puts it in its place at once. */
export async function replaceDurably(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.draft`;
  try {
    await make(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes names that were added to a folder outlive a crash of the machine. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
