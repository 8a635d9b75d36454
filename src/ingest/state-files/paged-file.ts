import { readSync, writeSync } from 'node:fs';

interface PagedFileOptions {
  readonly fd: number;
  readonly pageBytes: number;
  /** How many pages the file can have. */
  readonly pages: number;
  /** Memory for pages, at most. */
  readonly cacheBytes: number;
  /** Whether pages come from the file; a new file gets them from the writer. */
  readonly isNew: boolean;
}

const NONE = -1;

/**
 * A file of any size through pages in bounded memory. A page that was not used for long makes room for another one,
 * and is written first if it was changed. Calls block: pages are read by the million, most of them from memory.
 */
export class PagedFile {
  /** The memory of all pages. */
  readonly bytes: Buffer;
  readonly pageBytes: number;
  readonly #fd: number;
  /** Where each page is in memory, or -1. */
  readonly #slotOf: Int32Array;
  readonly #pageOf: Int32Array;
  /** Whether a page was used since the hand passed it. */
  readonly #used: Uint8Array;
  readonly #changed: Uint8Array;
  /** Whether a page is in the file. */
  readonly #stored: Uint8Array | undefined;
  #filled = 0;
  #hand = 0;

  constructor({ fd, pageBytes, pages, cacheBytes, isNew }: PagedFileOptions) {
    const slots = Math.max(2, Math.min(pages, Math.floor(cacheBytes / pageBytes)));
    this.bytes = Buffer.allocUnsafeSlow(slots * pageBytes);
    this.pageBytes = pageBytes;
    this.#fd = fd;
    this.#slotOf = new Int32Array(pages).fill(NONE);
    this.#pageOf = new Int32Array(slots).fill(NONE);
    this.#used = new Uint8Array(slots);
    this.#changed = new Uint8Array(slots);
    this.#stored = isNew ? new Uint8Array(pages) : undefined;
  }

  /** Where a page begins in `bytes`, until another page is asked for. */
  page(page: number): number {
    const slot = this.#slotOf[page]!;
    if (slot === NONE) return this.#load(page);
    this.#used[slot] = 1;
    return slot * this.pageBytes;
  }

  /** The same for a page that the caller changes. */
  pageToChange(page: number): number {
    const at = this.page(page);
    this.#changed[at / this.pageBytes] = 1;
    return at;
  }

  /** Copies bytes of the file; what is after its end is zero. */
  copy(from: number, count: number, target: Buffer): void {
    const { bytes, pageBytes } = this;
    let page = Math.floor(from / pageBytes);
    let at = from - page * pageBytes;
    for (let to = 0; to < count; at = 0) {
      const end = Math.min(count, to + pageBytes - at);
      // For so few bytes a loop is cheaper than `copy`.
      for (let start = this.page(page++) + at; to < end; ) target[to++] = bytes[start++]!;
    }
  }

  #load(page: number): number {
    const slot = this.#freeSlot();
    const { pageBytes, bytes } = this;
    const at = slot * pageBytes;
    const isStored = this.#stored === undefined || this.#stored[page] === 1;
    const got = isStored ? readFully(this.#fd, bytes, at, pageBytes, page * pageBytes) : 0;
    bytes.fill(0, at + got, at + pageBytes);
    this.#slotOf[page] = slot;
    this.#pageOf[slot] = page;
    this.#used[slot] = 1;
    return at;
  }

  #freeSlot(): number {
    const slots = this.#pageOf.length;
    if (this.#filled < slots) return this.#filled++;
    while (this.#used[this.#hand] === 1) {
      this.#used[this.#hand] = 0;
      this.#hand = (this.#hand + 1) % slots;
    }
    const slot = this.#hand;
    this.#hand = (slot + 1) % slots;
    this.#leave(slot);
    return slot;
  }

  #leave(slot: number): void {
    const page = this.#pageOf[slot]!;
    if (this.#changed[slot] === 1) {
      const { pageBytes } = this;
      writeFully(this.#fd, this.bytes, slot * pageBytes, pageBytes, page * pageBytes);
      this.#stored![page] = 1;
      this.#changed[slot] = 0;
    }
    this.#slotOf[page] = NONE;
  }
}

function readFully(fd: number, target: Buffer, at: number, count: number, position: number): number {
  let done = 0;
  while (done < count) {
    const got = readSync(fd, target, at + done, count - done, position + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}

function writeFully(fd: number, source: Buffer, at: number, count: number, position: number): void {
  for (let done = 0; done < count; ) done += writeSync(fd, source, at + done, count - done, position + done);
}
