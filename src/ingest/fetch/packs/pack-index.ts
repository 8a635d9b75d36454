import { LRUCache } from 'lru-cache';
import { type BlockId, isMasterchain } from '../../../chain/block-id.ts';
import type { PackFolder, PackSlice } from './pack-folder.ts';
import { type OnDamage, type PackageEntry, readEntries } from './package-file.ts';

/** Where some packs have what; of a block there may be several copies. */
interface EntryTable {
  /** Blocks and proofs of the masterchain by seqno. */
  readonly blocks: ReadonlyMap<number, readonly PackageEntry[]>;
  readonly proofs: ReadonlyMap<number, readonly PackageEntry[]>;
  readonly shardBlocks: ShardBlocks;
}

/** A slice of 100 masterchain blocks has some thousand entries; those of an old database had 20 000 blocks. */
const MAX_TABLES = 4;
const NONE: readonly PackageEntry[] = [];

/** Finds blocks and proofs in packs. */
export type PackIndex = ReturnType<typeof createPackIndex>;

/** Creates an index of packs, which are read when they are first asked for; the tables that were used last are kept. */
export function createPackIndex(folder: PackFolder, onDamage: OnDamage) {
  const tables = new LRUCache<string, Promise<EntryTable>>({ max: MAX_TABLES });
  // The newest blocks of a node are spread over few files, which change all the time.
  let others: Promise<EntryTable> | undefined;

  function tableOf(paths: readonly string[]): Promise<EntryTable> {
    const key = paths.join('\n');
    const known = tables.get(key) ?? readTable(paths, onDamage);
    tables.set(key, known);
    return known;
  }

  function otherTable(): Promise<EntryTable> {
    others ??= readTable(folder.others, onDamage);
    return others;
  }

  async function* tablesFor(seqno: number): AsyncGenerator<EntryTable, void> {
    for (const offset of [0, undefined, -1, 1]) {
      if (offset === undefined) yield await otherTable();
      else {
        const slice = sliceAt(folder.slices, seqno, offset);
        if (slice !== undefined) yield await tableOf(slice.paths);
      }
    }
  }

  return {
    /** The masterchain blocks with a seqno: one, unless a pack is of another network. */
    async masterchainBlocks(seqno: number): Promise<readonly PackageEntry[]> {
      for await (const { blocks } of tablesFor(seqno)) if (blocks.has(seqno)) return blocks.get(seqno)!;
      return NONE;
    },
    /** The proofs of a masterchain block. */
    async proofs(seqno: number): Promise<readonly PackageEntry[]> {
      for await (const { proofs } of tablesFor(seqno)) if (proofs.has(seqno)) return proofs.get(seqno)!;
      const keyPack = sliceAt(folder.keyPacks, seqno);
      return (keyPack && (await tableOf(keyPack.paths)).proofs.get(seqno)) ?? NONE;
    },
    /** The copies of a shard block that a masterchain block commits. */
    async shardBlock(mcSeqno: number, { fileHash }: BlockId): Promise<readonly PackageEntry[]> {
      for await (const { shardBlocks } of tablesFor(mcSeqno)) {
        const entries = shardBlocks.find(fileHash);
        if (entries.length > 0) return entries;
      }
      return NONE;
    },
    /** The seqnos of the masterchain blocks in some packs, ascending. */
    async seqnosIn(paths: readonly string[]): Promise<number[]> {
      const { blocks } = await tableOf(paths);
      return [...blocks.keys()].sort((a, b) => a - b);
    },
  };
}

/** The slice that a seqno belongs to by the names of the files, or a neighbour of it. */
function sliceAt(slices: readonly PackSlice[], seqno: number, offset = 0): PackSlice | undefined {
  let low = 0;
  for (let high = slices.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (slices[middle]!.firstSeqno <= seqno) low = middle + 1;
    else high = middle;
  }
  return slices[low - 1 + offset];
}

async function readTable(paths: readonly string[], onDamage: OnDamage): Promise<EntryTable> {
  const blocks = new Map<number, PackageEntry[]>();
  const proofs = new Map<number, PackageEntry[]>();
  const shardBlocks = new ShardBlocks();
  for (const path of paths)
    try {
      for await (const entry of readEntries(path, onDamage)) {
        const { kind, id } = entry;
        if (kind === 'block' && !isMasterchain(id)) shardBlocks.add(entry);
        else if (kind === 'block') add(blocks, id.seqno, entry);
        else if (kind === 'proof' && isMasterchain(id)) add(proofs, id.seqno, entry);
      }
    } catch (error) {
      onDamage({ path, reason: (error as Error).message });
    }
  return { blocks, proofs, shardBlocks };
}

function add<K>(map: Map<K, PackageEntry[]>, key: K, entry: PackageEntry): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

const HASH_BYTES = 32;
/** Workchain, shard, seqno, both hashes, place, size, number of the path, number of the next one with the same key. */
const RECORD_BYTES = 4 + 8 + 4 + 2 * HASH_BYTES + 8 + 4 + 4 + 4;
const FIRST_RECORDS = 1024;
const NO_RECORD = 0xffffffff;

/** Shard blocks by file hash, in few bytes: a pack of 1 GB may have 200 000 of them. */
class ShardBlocks {
  #records = Buffer.allocUnsafeSlow(FIRST_RECORDS * RECORD_BYTES);
  #count = 0;
  /** The newest record by the first bits of the hash. */
  readonly #newest = new Map<number, number>();
  readonly #paths: string[] = [];

  add({ id, path, dataAt, dataBytes }: PackageEntry): void {
    if (this.#paths.at(-1) !== path) this.#paths.push(path);
    let at = this.#count * RECORD_BYTES;
    if (at === this.#records.length)
      this.#records = Buffer.concat([this.#records, Buffer.allocUnsafeSlow(this.#records.length)]);
    const records = this.#records;
    const key = keyOf(id.fileHash);
    at = records.writeInt32LE(id.workchain, at);
    at = records.writeBigInt64LE(id.shard, at);
    at = records.writeUInt32LE(id.seqno, at);
    at += id.rootHash.copy(records, at);
    at += id.fileHash.copy(records, at);
    at = records.writeDoubleLE(dataAt, at);
    at = records.writeUInt32LE(dataBytes, at);
    at = records.writeUInt32LE(this.#paths.length - 1, at);
    records.writeUInt32LE(this.#newest.get(key) ?? NO_RECORD, at);
    this.#newest.set(key, this.#count++);
  }

  /** The copies of a block, in the order in which they were added. */
  find(fileHash: Buffer): PackageEntry[] {
    const found: PackageEntry[] = [];
    let record = this.#newest.get(keyOf(fileHash)) ?? NO_RECORD;
    while (record !== NO_RECORD) {
      const end = (record + 1) * RECORD_BYTES;
      const entry = this.#read(record * RECORD_BYTES);
      if (entry.id.fileHash.equals(fileHash)) found.unshift(entry);
      record = this.#records.readUInt32LE(end - 4);
    }
    return found;
  }

  #read(start: number): PackageEntry {
    const records = this.#records;
    const hashesAt = start + 16;
    const at = hashesAt + 2 * HASH_BYTES;
    return {
      kind: 'block',
      id: {
        workchain: records.readInt32LE(start),
        shard: records.readBigInt64LE(start + 4),
        seqno: records.readUInt32LE(start + 12),
        rootHash: Buffer.from(records.subarray(hashesAt, hashesAt + HASH_BYTES)),
        fileHash: Buffer.from(records.subarray(hashesAt + HASH_BYTES, at)),
      },
      path: this.#paths[records.readUInt32LE(at + 12)]!,
      dataAt: records.readDoubleLE(at),
      dataBytes: records.readUInt32LE(at + 8),
    };
  }
}

/** Small enough for a number that needs no memory of its own. */
function keyOf(fileHash: Buffer): number {
  return fileHash.readUInt32LE(0) >>> 2;
}
