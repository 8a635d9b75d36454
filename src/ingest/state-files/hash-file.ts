import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PagedFile } from './paged-file.ts';

const HASH_BYTES = 32;
const MAX_LEVEL = 3;
/** A level mask and a depth in two bytes, then the hash, or where the hashes of all levels are. */
const RECORD_BYTES = 2 + HASH_BYTES;
const DEPTH_BITS = 13;
const DEPTH_MASK = (1 << DEPTH_BITS) - 1;
/** The hash and depth at each of four levels. */
const LEVEL_BYTES = HASH_BYTES + 2;
const LEVELS_BYTES = (MAX_LEVEL + 1) * LEVEL_BYTES;

const PAGE_BYTES = 16 * 1024;
const RECORDS_PER_PAGE = Math.floor(PAGE_BYTES / RECORD_BYTES);
const LEVELS_PER_PAGE = Math.floor(PAGE_BYTES / LEVELS_BYTES);
/** Most cells refer to near ones; what is far and shared (codes) stays in memory because it is used often. */
const CACHE_BYTES = 256 * 2 ** 20;
const LEVELS_CACHE_BYTES = 16 * 2 ** 20;

/**
 * Hashes, depths and level masks of all cells of one bag, in files of their own where they do not fit into memory. The
 * files have no name, so nothing is left of them after a crash.
 */
export class HashFile {
  readonly #fds: number[] = [];
  readonly #records: PagedFile;
  /** The few cells with pruned branches below them; undefined until there is one. */
  #levels: PagedFile | undefined;
  #leveled = 0;
  readonly #folder: string;
  readonly #count: number;

  constructor(folder: string, count: number) {
    this.#folder = folder;
    this.#count = count;
    this.#records = this.#open(Math.ceil(count / RECORDS_PER_PAGE), CACHE_BYTES);
  }

  close(): void {
    for (const fd of this.#fds) closeSync(fd);
  }

  /** Stores a cell that has one hash; `digest` has one byte per character. */
  put(cell: number, depth: number, digest: string): void {
    const at = this.#recordToChange(cell, 0, depth);
    this.#records.bytes.write(digest, at + 2, HASH_BYTES, 'latin1');
  }

  /** Stores a cell with hashes by level: a hash and a depth for each of four levels. */
  putLevels(cell: number, mask: number, levels: Buffer): void {
    this.#levels ??= this.#open(Math.ceil(this.#count / LEVELS_PER_PAGE), LEVELS_CACHE_BYTES);
    const place = this.#leveled++;
    const page = Math.floor(place / LEVELS_PER_PAGE);
    const to = this.#levels.pageToChange(page) + (place - page * LEVELS_PER_PAGE) * LEVELS_BYTES;
    levels.copy(this.#levels.bytes, to);
    const depth = levels.readUInt16BE(MAX_LEVEL * LEVEL_BYTES + HASH_BYTES);
    const at = this.#recordToChange(cell, mask, depth);
    this.#records.bytes.writeUInt32BE(place, at + 2);
  }

  levelMask(cell: number): number {
    return this.#records.bytes[this.#record(cell)]! >> (DEPTH_BITS - 8);
  }

  depth(cell: number, level: number): number {
    const { bytes } = this.#records;
    const at = this.#record(cell);
    const word = (bytes[at]! << 8) | bytes[at + 1]!;
    if (word >> DEPTH_BITS === 0) return word;
    const levelAt = this.#levelAt(bytes.readUInt32BE(at + 2), level);
    return this.#levels!.bytes.readUInt16BE(levelAt + HASH_BYTES);
  }

  copyHash(cell: number, level: number, target: Buffer, to: number): void {
    let { bytes } = this.#records;
    let at = this.#record(cell);
    if (bytes[at]! >> (DEPTH_BITS - 8) === 0) at += 2;
    else {
      at = this.#levelAt(bytes.readUInt32BE(at + 2), level);
      bytes = this.#levels!.bytes;
    }
    for (let i = 0; i < HASH_BYTES; i++) target[to + i] = bytes[at + i]!;
  }

  #record(cell: number): number {
    const page = Math.floor(cell / RECORDS_PER_PAGE);
    return this.#records.page(page) + (cell - page * RECORDS_PER_PAGE) * RECORD_BYTES;
  }

  #recordToChange(cell: number, mask: number, depth: number): number {
    const page = Math.floor(cell / RECORDS_PER_PAGE);
    const at = this.#records.pageToChange(page) + (cell - page * RECORDS_PER_PAGE) * RECORD_BYTES;
    this.#records.bytes.writeUInt16BE((mask << DEPTH_BITS) | (depth & DEPTH_MASK), at);
    return at;
  }

  #levelAt(place: number, level: number): number {
    const page = Math.floor(place / LEVELS_PER_PAGE);
    const at = this.#levels!.page(page) + (place - page * LEVELS_PER_PAGE) * LEVELS_BYTES;
    return at + Math.min(level, MAX_LEVEL) * LEVEL_BYTES;
  }

  #open(pages: number, cacheBytes: number): PagedFile {
    mkdirSync(this.#folder, { recursive: true });
    const path = join(this.#folder, `hashes-${randomBytes(6).toString('hex')}`);
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    this.#fds.push(fd);
    return new PagedFile({ fd, pageBytes: PAGE_BYTES, pages, cacheBytes, isNew: true });
  }
}
