import { createHash } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../lib/errors.ts';

/** The files of some masterchain seqnos: those blocks, and the shard blocks that they commit. */
export interface PackSlice {
  /** The first masterchain seqno by the names of the files. */
  readonly firstSeqno: number;
  readonly paths: readonly string[];
}

/** What folders hold, by the names of their files. */
export interface PackFolder {
  /** In ascending order; each goes up to the next one. */
  readonly slices: readonly PackSlice[];
  /** The newest blocks of a node by time, and files with other names: their entries tell what they hold. */
  readonly others: readonly string[];
  /** Proofs of key blocks, ascending. */
  readonly keyPacks: readonly PackSlice[];
  /** Bags of cells: zero states are found among them by their hash. */
  readonly bags: readonly string[];
}

// Shard packs have their shard in the name, after a colon in older databases.
const ARCHIVE = /^archive\.(\d+)(?:\.-?\d+[_:][0-9a-f]{16})?\.pack$/i;
const KEY_ARCHIVE = /^key\.archive\.(\d+)\.pack$/i;
/** Zero states are smaller; other files of this kind are not read. */
const MAX_ZERO_STATE_BYTES = 64 * 2 ** 20;
/** A node has far more files than packs: those of its databases need not even be opened. */
const NO_BAG = /\.(?:sst|log|blob|pack|index)$|^(?:LOG|MANIFEST|CURRENT|IDENTITY|LOCK|OPTIONS)/;
const BAG_MAGICS = ['b5ee9c72', '68ff65f3', 'acc3a728'];

/** Finds the packs in folders and all folders below them; throws StartError if one cannot be read. */
export async function findPacks(folders: readonly string[]): Promise<PackFolder> {
  const slices = new Map<number, string[]>();
  const keyPacks = new Map<number, string[]>();
  const others: string[] = [];
  const bags: string[] = [];
  for (const folder of folders)
    for await (const { name, path } of walk(folder)) {
      const archive = ARCHIVE.exec(name);
      const key = KEY_ARCHIVE.exec(name);
      if (archive !== null) addTo(slices, Number(archive[1]), path);
      else if (key !== null) addTo(keyPacks, Number(key[1]), path);
      else if (name.endsWith('.pack')) others.push(path);
      else if (!NO_BAG.test(name) && (await isBag(path))) bags.push(path);
    }
  return {
    slices: ascending(slices),
    others: others.sort(),
    keyPacks: ascending(keyPacks),
    bags: bags.sort(),
  };
}

function addTo(packs: Map<number, string[]>, firstSeqno: number, path: string): void {
  const paths = packs.get(firstSeqno);
  if (paths === undefined) packs.set(firstSeqno, [path]);
  else paths.push(path);
}

function ascending(packs: ReadonlyMap<number, string[]>): PackSlice[] {
  return [...packs]
    .map(([firstSeqno, paths]) => ({ firstSeqno, paths: paths.sort() }))
    .sort((a, b) => a.firstSeqno - b.firstSeqno);
}

async function* walk(folder: string): AsyncGenerator<{ readonly name: string; readonly path: string }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new StartError(`Folder ${folder} cannot be read: ${error.message}`, { cause: error });
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isLink = entry.isSymbolicLink();
    const found = isLink ? await stat(path).catch(() => undefined) : entry;
    if (found?.isFile()) yield { name: entry.name, path };
    // A link to a folder above would never end.
    else if (found?.isDirectory() && !isLink) yield* walk(path);
  }
}

async function isBag(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && BAG_MAGICS.includes(buffer.toString('hex'));
  } finally {
    await file.close();
  }
}

/** Reads the bags of a folder that are small enough for a zero state, with their hashes. */
export async function* readBags({ bags }: PackFolder) {
  for (const path of bags) {
    if ((await stat(path)).size > MAX_ZERO_STATE_BYTES) continue;
    const bytes = await readFile(path);
    yield { path, bytes, fileHash: createHash('sha256').update(bytes).digest() };
  }
}

/** Finds the file with a hash among the bags of a folder; undefined if there is none. */
export async function findBag(folder: PackFolder, wanted: Buffer): Promise<Buffer | undefined> {
  for await (const { bytes, fileHash } of readBags(folder)) if (fileHash.equals(wanted)) return bytes;
  return undefined;
}
