import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Tables } from '../../db/tables.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';
import { bytesOf, keyOf } from '../hash-key.ts';
import { Code } from './code.ts';
import { readContractCodes } from './contract-rows.ts';

const MAX_BYTES = 48 * 2 ** 20;
const ENTRY_BYTES = 1024;
/** What was learnt of a code by running it is learnt anew from time to time. */
const FORGET_MS = 3_600_000;

/** Codes by their hashes: nearly all accounts have one of a few. */
export class CodeBook {
  readonly #db: Kysely<Tables>;
  readonly #codes = new LRUCache<string, Code>({
    ...{ maxSize: MAX_BYTES, ttl: FORGET_MS },
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
