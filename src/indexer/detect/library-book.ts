import { LRUCache } from 'lru-cache';
import type { BlockId } from '../../chain/block-id.ts';
import { getLibrariesWithProof } from '../../lite/queries/get-libraries-with-proof.ts';
import type { SharedBoc } from '../../vm/shared-boc.ts';
import { writeLibraries } from '../../vm/write-libraries.ts';
import { keyOf } from '../hash-key.ts';
import type { BatchScope } from './batch-scope.ts';
import type { Code } from './code.ts';
import type { LiteAsker } from './lite-asker.ts';

const MIB = 2 ** 20;
const ENTRY_BYTES = 1024;

/** Libraries that were found; their hashes say all about them. */
export class LibraryBook {
  readonly found = new LRUCache<string, Buffer>({
    ...{ max: 4096, maxSize: 32 * MIB },
    sizeCalculation: (boc) => ENTRY_BYTES + boc.length,
  });
  readonly #sets = new LRUCache<string, SharedBoc>({
    ...{ max: 1024, maxSize: 32 * MIB },
    sizeCalculation: ({ text }) => ENTRY_BYTES + text.length,
  });

  /** Libraries in the form that runs take. */
  share(libraries: ReadonlyMap<string, Buffer>): SharedBoc | undefined {
    if (libraries.size === 0) return undefined;
    const key = [...libraries.keys()].sort().join('');
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const set = writeLibraries([...libraries.values()])!;
    this.#sets.set(key, set);
    return set;
  }
}

/** The libraries of the chain for one batch. */
export class BatchLibraries {
  readonly #book: LibraryBook;
  readonly #asker: LiteAsker;
  readonly #scope: BatchScope;
  readonly #block: BlockId | undefined;
  /** What was asked for in this batch: that one does not exist is known for no longer. */
  readonly #asked = new Map<string, Promise<Buffer | undefined>>();

  constructor(book: LibraryBook, asker: LiteAsker, scope: BatchScope, block: BlockId | undefined) {
    this.#book = book;
    this.#asker = asker;
    this.#scope = scope;
    this.#block = block;
  }

  /** Adds those libraries that exist to some; gives how many were new. */
  async addTo(libraries: Map<string, Buffer>, hashes: readonly Buffer[]): Promise<number> {
    const before = libraries.size;
    const unknown: Buffer[] = [];
    for (const hash of hashes) {
      const boc = this.#book.found.get(keyOf(hash));
      if (boc === undefined) unknown.push(hash);
      else libraries.set(keyOf(hash), boc);
    }
    this.#ask(unknown.filter((hash) => !this.#asked.has(keyOf(hash))));
    for (const hash of unknown) {
      const boc = await this.#asked.get(keyOf(hash));
      if (boc !== undefined) libraries.set(keyOf(hash), boc);
    }
    return libraries.size - before;
  }

  /** Looks for the libraries that stand in place of codes. */
  async resolve(codes: Iterable<Code>): Promise<void> {
    const open = [...codes].filter(({ library }) => library !== undefined);
    const found = new Map<string, Buffer>();
    await this.addTo(
      found,
      open.map(({ library }) => library!),
    );
    for (const code of open) {
      const boc = code.library && found.get(keyOf(code.library));
      if (boc !== undefined) code.setLibrary(boc);
    }
  }

  share(libraries: ReadonlyMap<string, Buffer>): SharedBoc | undefined {
    return this.#book.share(libraries);
  }

  #ask(hashes: readonly Buffer[]): void {
    if (hashes.length === 0) return;
    const answer = this.#read(hashes);
    for (const hash of hashes) {
      const one = answer.then((found) => found.get(keyOf(hash)));
      one.catch(() => {});
      this.#asked.set(keyOf(hash), one);
    }
  }

  async #read(hashes: readonly Buffer[]): Promise<ReadonlyMap<string, Buffer>> {
    try {
      const found = await this.#asker.ask(this.#block, (query, block, check) =>
        getLibrariesWithProof(query, block, hashes, check),
      );
      // Copies: what is kept must not keep the whole answer.
      const libraries = new Map(found.map(({ hash, data }) => [keyOf(hash), Buffer.from(data)]));
      for (const [key, boc] of libraries) this.#book.found.set(key, boc);
      return libraries;
    } catch (error) {
      throw this.#scope.undecided(error);
    }
  }
}
