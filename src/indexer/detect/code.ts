import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellError, LIBRARY_REFERENCE } from '../../chain/boc/cells.ts';
import { readMethodIds } from '../../chain/contracts/method-ids.ts';
import { librariesIn } from '../../chain/tlb/libraries.ts';
import type { Tables } from '../../db/tables.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';
import { bytesOf, keyOf } from '../hash-key.ts';

/** How often a method may fail for the wrong reasons. */
const MAX_STRIKES = 3;
const TRUSTED = Number.NEGATIVE_INFINITY;

/** A code and what is known of its get-methods. */
export class Code {
  /** Its hash, as a key of maps. */
  readonly key: string;
  /** A bag of cells in base64. */
  readonly text: string;
  /** Hashes of the libraries that it names, as far as it was looked through. */
  readonly libraries: readonly Buffer[];
  /** The library that stands in place of the code and is not known yet. */
  library: Buffer | undefined;
  /** Undefined where the form of the code does not tell. */
  #methods: ReadonlySet<number> | undefined;
  readonly #strikes = new Map<number, number>();

  constructor({ hash, boc, methods }: ContractCode) {
    this.key = keyOf(hash);
    this.text = boc.toString('base64');
    this.#methods = methods && new Set(methods);
    const { libraries, isLibrary } = lookForLibraries(boc);
    this.libraries = libraries;
    this.library = isLibrary ? libraries[0] : undefined;
  }

  /** Whether its methods are not to be read from it: any of them may be there. */
  get isOpen(): boolean {
    return this.library === undefined && this.#methods === undefined;
  }

  /** Takes note of the library that stands in place of the code. */
  setLibrary(boc: Buffer): void {
    const methods = readMethodIds(boc);
    this.#methods = methods && new Set(methods);
    this.library = undefined;
  }

  /** Whether it may have a method. */
  has(methodId: number): boolean {
    if (this.library !== undefined) return false;
    return this.#methods?.has(methodId) ?? this.#isRunnable(methodId);
  }

  /** Whether a run of a method may succeed. */
  mayRun(methodId: number): boolean {
    return this.has(methodId) && this.#isRunnable(methodId);
  }

  /** A method succeeded: what it does with the data of others is no reason not to run it. */
  trust(methodId: number): void {
    this.#strikes.set(methodId, TRUSTED);
  }

  /** A method failed in a way that it may fail in always. */
  strike(methodId: number): void {
    this.#strikes.set(methodId, (this.#strikes.get(methodId) ?? 0) + 1);
  }

  /** The code has no such method, as it says. */
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

/** The codes among some hashes, with their methods. */
async function readContractCodes(
  db: Kysely<Tables>,
  hashes: readonly Buffer[],
): Promise<readonly ContractCode[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<{ hash: Buffer; boc: Buffer; methods: readonly string[] | null }>`
    select hash, boc, methods from contract_codes where hash = any(${hashes})
  `.execute(db);
  return rows.map(({ hash, boc, methods }) => ({ hash, boc, methods: methods?.map(Number) }));
}

const MAX_BYTES = 48 * 2 ** 20;
const ENTRY_BYTES = 1024;
/** What was learnt of a code by running it is learnt anew from time to time. */
const FORGET_MS = 3_600_000;

/** Codes by their hashes: nearly all accounts have one of a few. */
export class CodeCache {
  readonly #db: Kysely<Tables>;
  readonly #codes = new LRUCache<string, Code>({
    maxSize: MAX_BYTES,
    ttl: FORGET_MS,
    sizeCalculation: ({ text }) => text.length + ENTRY_BYTES,
  });

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Takes a code that may not be in the database. */
  add(code: ContractCode): Code {
    const known = this.#codes.get(keyOf(code.hash));
    if (known !== undefined) return known;
    const added = new Code(code);
    this.#codes.set(added.key, added);
    return added;
  }

  /** Finds codes by their keys, among `fresh` ones and in the database; those that are nowhere are left out. */
  async find(
    keys: Iterable<string>,
    fresh: ReadonlyMap<string, ContractCode>,
  ): Promise<ReadonlyMap<string, Code>> {
    const found = new Map<string, Code>();
    const unknown: Buffer[] = [];
    for (const key of keys) {
      const code = this.#codes.get(key) ?? (fresh.has(key) ? this.add(fresh.get(key)!) : undefined);
      if (code === undefined) unknown.push(bytesOf(key));
      else found.set(key, code);
    }
    for (const row of await readContractCodes(this.#db, unknown)) found.set(keyOf(row.hash), this.add(row));
    return found;
  }
}
