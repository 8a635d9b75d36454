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
/** Workchain, shard, seqno, both hashes, place, size, number of the path, number of the next one at the same place. */
const RECORD_BYTES = 4 + 8 + 4 + 2 * HASH_BYTES + 8 + 4 + 4 + 4;
const FILE_HASH_AT = 4 + 8 + 4 + HASH_BYTES;
const NEXT_AT = RECORD_BYTES - 4;
const RECORDS_PER_PART = 1024;
const PART_BYTES = RECORDS_PER_PART * RECORD_BYTES;
const FIRST_PLACES = 1024;
const NO_RECORD = 0xffffffff;

/** Shard blocks by file hash, in few bytes: a pack of 1 GB may have 200 000 of them. */
class ShardBlocks {
  /** Parts, so that more records do not mean a copy of all. */
  readonly #parts: Buffer[] = [];
  #count = 0;
  /** The newest record by the first bits of the hash. */
  #newest = new Uint32Array(FIRST_PLACES).fill(NO_RECORD);
  readonly #paths: string[] = [];

  add({ id, path, dataAt, dataBytes }: PackageEntry): void {
    if (this.#paths.at(-1) !== path) this.#paths.push(path);
    if (this.#count === this.#newest.length) this.#spread();
    const record = this.#count++;
    if (record % RECORDS_PER_PART === 0) this.#parts.push(Buffer.allocUnsafeSlow(PART_BYTES));
    const part = this.#partOf(record);
    let at = startOf(record);
    at = part.writeInt32LE(id.workchain, at);
    at = part.writeBigInt64LE(id.shard, at);
    at = part.writeUInt32LE(id.seqno, at);
    at += id.rootHash.copy(part, at);
    at += id.fileHash.copy(part, at);
    at = part.writeDoubleLE(dataAt, at);
    at = part.writeUInt32LE(dataBytes, at);
    part.writeUInt32LE(this.#paths.length - 1, at);
    this.#link(record);
  }

  /** The copies of a block, in the order in which they were added. */
  find(fileHash: Buffer): PackageEntry[] {
    const found: PackageEntry[] = [];
    let record = this.#newest[this.#placeOf(fileHash, 0)]!;
    while (record !== NO_RECORD) {
      const entry = this.#read(record);
      if (entry.id.fileHash.equals(fileHash)) found.unshift(entry);
      record = this.#partOf(record).readUInt32LE(startOf(record) + NEXT_AT);
    }
    return found;
  }

  /** Makes twice the places, so that there is about one record in each. */
  #spread(): void {
    this.#newest = new Uint32Array(2 * this.#newest.length).fill(NO_RECORD);
    for (let record = 0; record < this.#count; record++) this.#link(record);
  }

  #link(record: number): void {
    const part = this.#partOf(record);
    const start = startOf(record);
    const place = this.#placeOf(part, start + FILE_HASH_AT);
    part.writeUInt32LE(this.#newest[place]!, start + NEXT_AT);
    this.#newest[place] = record;
  }

  /** The number of places is a power of two. */
  #placeOf(bytes: Buffer, hashAt: number): number {
    return bytes.readUInt32LE(hashAt) & (this.#newest.length - 1);
  }

  #partOf(record: number): Buffer {
    return this.#parts[Math.floor(record / RECORDS_PER_PART)]!;
  }

  #read(record: number): PackageEntry {
    const part = this.#partOf(record);
    const start = startOf(record);
    const fileHashAt = start + FILE_HASH_AT;
    const at = fileHashAt + HASH_BYTES;
    return {
      kind: 'block',
      id: {
        workchain: part.readInt32LE(start),
        shard: part.readBigInt64LE(start + 4),
        seqno: part.readUInt32LE(start + 12),
        rootHash: Buffer.from(part.subarray(fileHashAt - HASH_BYTES, fileHashAt)),
        fileHash: Buffer.from(part.subarray(fileHashAt, at)),
      },
      path: this.#paths[part.readUInt32LE(at + 12)]!,
      dataAt: part.readDoubleLE(at),
      dataBytes: part.readUInt32LE(at + 8),
    };
  }
}

/** Where a record begins in its part. */
function startOf(record: number): number {
  return (record % RECORDS_PER_PART) * RECORD_BYTES;
}
