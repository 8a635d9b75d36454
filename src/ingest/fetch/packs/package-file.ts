import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { BlockId } from '../../../chain/block-id.ts';
import {
  ENTRY_HEADER_BYTES,
  ENTRY_MAGIC,
  type EntryKind,
  MAX_NAME_BYTES,
  PACKAGE_MAGIC,
  parseEntryName,
  readEntryHeader,
} from '../../../chain/package-entries.ts';

/** An entry of a package file, and where its data are. */
export interface PackageEntry {
  readonly kind: EntryKind;
  readonly id: BlockId;
  readonly path: string;
  readonly dataAt: number;
  readonly dataBytes: number;
}

/** A place in a file that cannot be used. */
export interface Damage {
  readonly path: string;
  /** Offset in the file; undefined for all of it. */
  readonly at?: number | undefined;
  readonly reason: string;
}

export function describeDamage({ path, at, reason }: Damage): string {
  return at === undefined ? `${path}: ${reason}` : `${path} at byte ${at}: ${reason}`;
}

/** Called with each place that cannot be used. */
export type OnDamage = (damage: Damage) => void;

/** Headers and names are read through a window: of small entries it has many, and large ones are passed over. */
const WINDOW_BYTES = 32 * 1024;
const SEARCH_BYTES = 1 << 20;
/** After so many entries other work has its turn. */
const READS_PER_TURN = 64;

/**
 * The entries of a package file in their order, without their data; those of unknown kinds are left out. The file may
 * grow meanwhile: what was not complete at the beginning is left for the next time. After a damaged place the next entry
 * is looked for.
 */
export async function* readEntries(path: string, onDamage: OnDamage): AsyncGenerator<PackageEntry, void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const window = createWindow(file.fd, size);
    const magic = window(0, PACKAGE_MAGIC.length);
    if (!magic.equals(PACKAGE_MAGIC)) {
      const reason = size < PACKAGE_MAGIC.length ? 'too short for a package file' : 'not a package file';
      return onDamage({ path, at: 0, reason });
    }
    /** Where a search after a damage begins: the length of the last entry may be what is wrong. */
    let searchAt = PACKAGE_MAGIC.length;
    let count = 0;
    for (let at = PACKAGE_MAGIC.length; at < size; ) {
      if (++count % READS_PER_TURN === 0) await turn();
      const bytes = window(at, ENTRY_HEADER_BYTES + MAX_NAME_BYTES);
      const found = parseEntry(bytes);
      const end = at + (found === undefined ? 0 : found.headBytes + found.dataBytes);
      if (found === undefined || end > size) {
        const next = await findEntry(file, size, found === undefined ? searchAt : at + 1);
        onDamage({ path, at, reason: reasonFor(found, bytes, next) });
        if (next === undefined) return;
        at = next;
        searchAt = next + 1;
        continue;
      }
      const { name, headBytes, dataBytes } = found;
      const known = parseEntryName(name);
      if (known !== undefined) yield { ...known, path, dataAt: at + headBytes, dataBytes };
      searchAt = at + headBytes;
      at = end;
    }
  } finally {
    await file.close();
  }
}

function reasonFor(found: ParsedEntry | undefined, bytes: Buffer, next: number | undefined): string {
  if (next !== undefined) return `damaged entry, continued at byte ${next}`;
  const isCut = found !== undefined || bytes.length < ENTRY_HEADER_BYTES || readEntryHeader(bytes, 0);
  return isCut ? 'the file ends inside an entry: it is cut, or still written' : 'no entry from here on';
}

type ParsedEntry = NonNullable<ReturnType<typeof parseEntry>>;

/** Reads header and name at the beginning of some bytes. */
function parseEntry(bytes: Buffer) {
  const sizes = readEntryHeader(bytes, 0);
  if (sizes === undefined) return undefined;
  const headBytes = ENTRY_HEADER_BYTES + sizes.nameBytes;
  if (bytes.length < headBytes) return undefined;
  const name = bytes.toString('latin1', ENTRY_HEADER_BYTES, headBytes);
  return { name, headBytes, dataBytes: sizes.dataBytes };
}

/** Finds the next entry of a known kind that ends inside the file, from a place on; undefined if there is none. */
async function findEntry(file: FileHandle, size: number, from: number): Promise<number | undefined> {
  const buffer = Buffer.allocUnsafe(SEARCH_BYTES);
  const overlap = ENTRY_HEADER_BYTES + MAX_NAME_BYTES;
  for (let at = from; at < size; at += SEARCH_BYTES - overlap) {
    const { bytesRead } = await file.read(buffer, 0, SEARCH_BYTES, at);
    const bytes = buffer.subarray(0, bytesRead);
    for (let i = bytes.indexOf(ENTRY_MAGIC); i >= 0; i = bytes.indexOf(ENTRY_MAGIC, i + 1)) {
      const found = parseEntry(bytes.subarray(i));
      if (found === undefined || parseEntryName(found.name) === undefined) continue;
      if (at + i + found.headBytes + found.dataBytes <= size) return at + i;
    }
    if (at + bytesRead >= size) return undefined;
  }
  return undefined;
}

/**
 * Reads small parts of a file in ascending order through one buffer; each is a view that lasts until the next. Calls block:
 * asking another thread for so little takes longer than reading it.
 */
function createWindow(fd: number, size: number) {
  const buffer = Buffer.allocUnsafe(WINDOW_BYTES);
  let start = 0;
  let length = 0;
  return (at: number, wanted: number): Buffer => {
    const end = Math.min(at + wanted, size);
    if (at < start || end > start + length) {
      start = at;
      length = readSync(fd, buffer, 0, Math.min(WINDOW_BYTES, size - at), at);
    }
    return buffer.subarray(at - start, Math.max(at - start, Math.min(end - start, length)));
  };
}

const MAX_OPEN_FILES = 8;
/** Small entries are read many at once: a read costs as much as hashing 10 kB. */
const PAGE_BYTES = 512 * 1024;
const MAX_PAGED_BYTES = PAGE_BYTES / 4;
const MAX_PAGES = 16;

/** A part of a file in memory. */
interface Page {
  readonly memory: Buffer;
  /** What the file has of it. */
  readonly bytes: Promise<Buffer>;
  readers: number;
  /** Whether it is among the pages that are kept. */
  isKept: boolean;
}

/** Reads the data of entries; the files and the parts of files that were used last are kept. */
export type EntryReader = ReturnType<typeof createEntryReader>;

export function createEntryReader() {
  const files = new Map<string, Promise<FileHandle>>();
  // Memory of pages that are not kept any more is used again: where few of the blocks in a file are wanted, each has a page.
  const spare: Buffer[] = [];
  const pages = new LRUCache<string, Page>({ max: MAX_PAGES, dispose: (page) => drop(page, true) });
  let reading = 0;

  async function handleOf(path: string): Promise<FileHandle> {
    const file = files.get(path) ?? open(path);
    files.delete(path);
    files.set(path, file);
    file.catch(() => files.delete(path));
    return file;
  }

  /** Only between reads: a file that is read must not be closed. */
  async function closeOldest(): Promise<void> {
    for (const [path, file] of files) {
      if (files.size <= MAX_OPEN_FILES || reading > 0) return;
      files.delete(path);
      await (await file).close();
    }
  }

  /** Reads up to so many bytes, fewer at the end of the file. */
  async function readAt(path: string, from: number, bytes: Buffer): Promise<Buffer> {
    reading++;
    try {
      const file = await handleOf(path);
      const count = bytes.length;
      let at = 0;
      for (let got = 1; at < count && got > 0; at += got)
        got = (await file.read(bytes, at, count - at, from + at)).bytesRead;
      return bytes.subarray(0, at);
    } finally {
      reading--;
      await closeOldest();
    }
  }

  /** Opens a page of a file, with so many bytes at least: the file may have grown since it was read. */
  async function openPage(path: string, number: number, needed: number): Promise<Page> {
    const key = `${number} ${path}`;
    const known = pages.get(key);
    if (known !== undefined) {
      known.readers++;
      if ((await known.bytes).length >= needed) return known;
      drop(known, false);
    }
    const memory = spare.pop() ?? Buffer.allocUnsafeSlow(PAGE_BYTES);
    const page: Page = { memory, bytes: readAt(path, number * PAGE_BYTES, memory), readers: 1, isKept: true };
    pages.set(key, page);
    page.bytes.catch(() => {
      if (pages.peek(key) === page) pages.delete(key);
    });
    return page;
  }

  /** A reader or the list of pages does not need it any more. */
  function drop(page: Page, isFromList: boolean): void {
    if (isFromList) page.isKept = false;
    else page.readers--;
    if (!page.isKept && page.readers === 0 && spare.length < MAX_PAGES) spare.push(page.memory);
  }

  /** A copy: a block that is kept must not keep its pages. */
  async function readPaged(path: string, from: number, count: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(count);
    for (let done = 0; done < count; ) {
      const page = Math.floor((from + done) / PAGE_BYTES);
      const at = from + done - page * PAGE_BYTES;
      const end = Math.min(at + count - done, PAGE_BYTES);
      const opened = await openPage(path, page, end);
      const copied = (await opened.bytes).copy(bytes, done, at, end);
      drop(opened, false);
      if (copied === 0) return bytes.subarray(0, done);
      done += copied;
    }
    return bytes;
  }

  return {
    /** The data of an entry. */
    async read({ path, dataAt, dataBytes }: PackageEntry): Promise<Buffer> {
      const bytes =
        dataBytes > MAX_PAGED_BYTES
          ? await readAt(path, dataAt, Buffer.allocUnsafeSlow(dataBytes))
          : await readPaged(path, dataAt, dataBytes);
      if (bytes.length < dataBytes) throw new Error('the file became shorter');
      return bytes;
    },
    async close(): Promise<void> {
      pages.clear();
      const open = [...files.values()];
      files.clear();
      for (const file of open) await file.then((handle) => handle.close()).catch(() => {});
    },
  };
}
