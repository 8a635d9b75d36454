import { type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MASTERCHAIN, shardText } from '../../chain/block-id.ts';
import { parseStateFileName, type StateFileName } from '../../chain/state/state-file-names.ts';
import { StartError } from '../../lib/errors.ts';

/** The files of the state of one shard. */
export interface ShardStateFiles {
  readonly workchain: number;
  readonly shard: bigint;
  /** The whole state or the header of a split one; undefined if the header is missing. */
  readonly path: string | undefined;
  /** Undefined for a state in one file; else the files of the accounts, by their prefix. */
  readonly parts: readonly PartPath[] | undefined;
}

interface PartPath {
  readonly part: bigint;
  readonly path: string;
}

/** The files of the states at one masterchain block. */
export interface StatesAtBlock {
  readonly mcSeqno: number;
  /** The masterchain first, then by workchain and shard. */
  readonly shards: readonly ShardStateFiles[];
}

export interface FoundStates {
  /** Ascending. */
  readonly states: readonly StatesAtBlock[];
  /** Bags of cells that may be zero states: by their name, or small ones with another name. */
  readonly zeroStates: readonly string[];
}

/** Zero states are smaller. */
const MAX_ZERO_STATE_BYTES = 64 * 2 ** 20;
const BAG_MAGIC = 'b5ee9c72';
/** A node has far more files than states: those of its databases need not even be opened. */
const OTHER_FILES = /\.(?:sst|log|blob|pack|index)$|^(?:LOG|MANIFEST|CURRENT|IDENTITY|LOCK|OPTIONS)/;

/** Finds the state files in folders and all folders below them; throws StartError if one cannot be read. */
export async function findStateFiles(folders: readonly string[]): Promise<FoundStates> {
  const named: { readonly name: StateFileName; readonly path: string }[] = [];
  const zeroStates: string[] = [];
  for (const folder of folders)
    for (const path of await filesBelow(folder)) {
      const name = parseStateFileName(basename(path));
      if (name === undefined) {
        if (!OTHER_FILES.test(basename(path)) && (await isSmallBag(path))) zeroStates.push(path);
      } else if (name.kind === 'zero') zeroStates.push(path);
      else named.push({ name, path });
    }
  return { states: groupByBlock(named), zeroStates: zeroStates.sort() };
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    throw new StartError(`Cannot read the folder ${folder}: ${(error as Error).message}`, { cause: error });
  }
}

async function isSmallBag(path: string): Promise<boolean> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    if (size > MAX_ZERO_STATE_BYTES) return false;
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString('hex') === BAG_MAGIC;
  } catch (error) {
    // A running node removes files.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new StartError(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  } finally {
    await file?.close();
  }
}

interface NamedFile {
  readonly name: StateFileName;
  readonly path: string;
}

function groupByBlock(files: readonly NamedFile[]): StatesAtBlock[] {
  const blocks = new Map<number, Map<string, MutableState>>();
  for (const { name, path } of files) {
    if (name.kind === 'zero') continue;
    const shards = blocks.get(name.mcSeqno) ?? new Map<string, MutableState>();
    blocks.set(name.mcSeqno, shards);
    const key = `${name.workchain},${shardText(name.shard)}`;
    const { workchain, shard } = name;
    const state = shards.get(key) ?? { workchain, shard, parts: [] };
    shards.set(key, state);
    if (name.kind === 'part') state.parts.push({ part: name.part, path });
    else state[name.kind] = path;
  }
  return [...blocks]
    .sort(([a], [b]) => a - b)
    .map(([mcSeqno, shards]) => ({ mcSeqno, shards: [...shards.values()].map(toFiles).sort(byPlace) }));
}

interface MutableState {
  readonly workchain: number;
  readonly shard: bigint;
  whole?: string;
  header?: string;
  readonly parts: PartPath[];
}

function byPlace(a: ShardStateFiles, b: ShardStateFiles): number {
  if (a.workchain !== b.workchain)
    return a.workchain === MASTERCHAIN ? -1 : b.workchain === MASTERCHAIN ? 1 : a.workchain - b.workchain;
  return compare(BigInt.asUintN(64, a.shard), BigInt.asUintN(64, b.shard));
}

/** A state that is there as a whole needs no parts. */
function toFiles({ workchain, shard, whole, header, parts }: MutableState): ShardStateFiles {
  if (whole !== undefined) return { workchain, shard, path: whole, parts: undefined };
  const ordered = parts.sort((a, b) => compare(BigInt.asUintN(64, a.part), BigInt.asUintN(64, b.part)));
  return { workchain, shard, path: header, parts: ordered };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
