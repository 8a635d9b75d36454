import { LRUCache } from 'lru-cache';
import { readBoc } from '../chain/boc/bag.ts';
import { CellError, LIBRARY_REFERENCE } from '../chain/boc/cells.ts';
import type { ContractCode } from '../chain/contracts/account-cells.ts';
import { readMethodIds } from '../chain/contracts/method-ids.ts';
import { librariesIn } from '../chain/tlb/libraries.ts';
import type { Db } from '../db/tables/tables.ts';
import { readCodes } from '../index/read/accounts.ts';
import { bytesKey, bytesOf } from '../lib/bytes-key.ts';

/** How often a method may fail for reasons that do not depend on the data. */
const MAX_STRIKES = 3;
const TRUSTED = Number.NEGATIVE_INFINITY;

/** A code and what is known about its get-methods. */
export class Code {
  /** Its hash as a map key. */
  readonly key: string;
  /** A bag of cells in base64. */
  readonly text: string;
  /** Hashes of the libraries that it references, as far as it was searched. */
  readonly libraries: readonly Buffer[];
  /** The unresolved library that the code is a reference to. */
  library: Buffer | undefined;
  /** Undefined where the code has no method dictionary. */
  #methods: ReadonlySet<number> | undefined;
  readonly #strikes = new Map<number, number>();

  constructor({ hash, boc, methods }: ContractCode) {
    this.key = bytesKey(hash);
    this.text = boc.toString('base64');
    this.#methods = methods && new Set(methods);
    const { libraries, isLibrary } = lookForLibraries(boc);
    this.libraries = libraries;
    this.library = isLibrary ? libraries[0] : undefined;
  }

  /** Whether its methods cannot be listed: any method may exist. */
  get isOpen(): boolean {
    return this.library === undefined && this.#methods === undefined;
  }

  /** Resolves the library that the code is a reference to. */
  setLibrary(boc: Buffer): void {
    const methods = readMethodIds(boc);
    this.#methods = methods && new Set(methods);
    this.library = undefined;
  }

  has(methodId: number): boolean {
    if (this.library !== undefined) return false;
    return this.#methods?.has(methodId) ?? this.#isRunnable(methodId);
  }

  /** Whether a run of a method may succeed. */
  mayRun(methodId: number): boolean {
    return this.has(methodId) && this.#isRunnable(methodId);
  }

  /** A method succeeded: failures on the data of other accounts do not count any more. */
  trust(methodId: number): void {
    this.#strikes.set(methodId, TRUSTED);
  }

  /** A method failed in a way that may recur on every account. */
  strike(methodId: number): void {
    this.#strikes.set(methodId, (this.#strikes.get(methodId) ?? 0) + 1);
  }

  /** The exit code says that there is no such method. */
  ruleOut(methodId: number): void {
    this.#strikes.set(methodId, (this.#strikes.get(methodId) ?? 0) + MAX_STRIKES);
  }

  #isRunnable(methodId: number): boolean {
    return (this.#strikes.get(methodId) ?? 0) < MAX_STRIKES;
  }
}

function lookForLibraries(boc: Buffer): {
  readonly libraries: readonly Buffer[];
  readonly isLibrary: boolean;
} {
  try {
    const bag = readBoc(boc);
    return { libraries: librariesIn(bag, bag.root), isLibrary: bag.kind(bag.root) === LIBRARY_REFERENCE };
  } catch (error) {
    if (error instanceof CellError) return { libraries: [], isLibrary: false };
    throw error;
  }
}

const MAX_BYTES = 48 * 2 ** 20;
const ENTRY_BYTES = 1024;
/** What was learnt by running a code expires. */
const TTL_MS = 3_600_000;

/** Codes by hash: nearly all accounts use one of a few. */
export class CodeCache {
  readonly #db: Db;
  readonly #codes = new LRUCache<string, Code>({
    maxSize: MAX_BYTES,
    ttl: TTL_MS,
    sizeCalculation: ({ text }) => text.length + ENTRY_BYTES,
  });

  constructor(db: Db) {
    this.#db = db;
  }

  /** Adds a code that may not be in the database. */
  add(code: ContractCode): Code {
    const known = this.#codes.get(bytesKey(code.hash));
    if (known !== undefined) return known;
    const added = new Code(code);
    this.#codes.set(added.key, added);
    return added;
  }

  /** Finds codes by key among `fresh` ones and in the database; missing ones are left out. */
  async find(keys: Iterable<string>, fresh: ReadonlyMap<string, ContractCode>) {
    const found = new Map<string, Code>();
    const unknown: Buffer[] = [];
    for (const key of keys) {
      const code = this.#codes.get(key) ?? (fresh.has(key) ? this.add(fresh.get(key)!) : undefined);
      if (code === undefined) unknown.push(bytesOf(key));
      else found.set(key, code);
    }
    for (const { methods, ...row } of await readCodes(this.#db, unknown))
      found.set(bytesKey(row.hash), this.add({ ...row, methods: methods ?? undefined }));
    return found;
  }
}
