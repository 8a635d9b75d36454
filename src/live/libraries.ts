import { readBoc } from '../chain/boc/bag.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { type FoundLibrary, getLibraries, getLibrariesWithProof } from '../lite/methods/libraries.ts';
import type { LiteTarget } from '../lite/session.ts';
import type { LibrarySource } from '../vm/run-with-libraries.ts';
import type { SharedBoc } from '../vm/shared-inputs.ts';
import { type LiveCall, openSession } from './session.ts';

/**
 * Reads public libraries: those that exist, each once, in ascending order of their hashes. A library that was found
 * before comes from the cache even if it was removed since, as in tonlib: its content belongs to its hash.
 */
export async function readPublicLibraries(
  call: LiveCall,
  hashes: readonly Buffer[],
): Promise<FoundLibrary[]> {
  const { caches, check } = call.ports;
  const results = new Map<string, FoundLibrary>();
  const unknown: Buffer[] = [];
  for (const hash of hashes) {
    const data = caches.libraries.get(hash);
    if (data === undefined) unknown.push(hash);
    else results.set(bytesKey(hash), parseLibrary(hash, data));
  }
  if (unknown.length > 0) {
    const session = await openSession(call);
    const libraries = await session.run(({ query, reference }) =>
      getLibrariesWithProof(query, reference, unknown, check),
    );
    for (const library of libraries) {
      caches.libraries.set(library.hash, library.data);
      results.set(bytesKey(library.hash), library);
    }
  }
  return [...results.values()].sort((a, b) => a.hash.compare(b.hash));
}

function parseLibrary(hash: Buffer, data: Buffer): FoundLibrary {
  const cells = readBoc(data);
  return { hash, data, cells, cell: cells.root };
}

/** The libraries of a TVM run: those found so far. */
export class RunLibraries implements LibrarySource {
  readonly #call: LiveCall;
  readonly #query: LiteTarget['query'];
  /** Every hash that was looked for; undefined for a library that does not exist. */
  readonly #sought = new Map<string, Buffer | undefined>();

  constructor(call: LiveCall, { query }: Pick<LiteTarget, 'query'>) {
    this.#call = call;
    this.#query = query;
  }

  async find(hashes: readonly Buffer[]): Promise<readonly Buffer[]> {
    const { caches, check } = this.#call.ports;
    const results: Buffer[] = [];
    const note = (hash: Buffer, data: Buffer | undefined): void => {
      this.#sought.set(bytesKey(hash), data);
      if (data !== undefined) results.push(data);
    };
    const unknown: Buffer[] = [];
    for (const hash of hashes) {
      if (this.#sought.has(bytesKey(hash))) continue;
      const data = caches.libraries.get(hash);
      note(hash, data);
      if (data === undefined) unknown.push(hash);
    }
    if (unknown.length > 0)
      for (const { hash, data } of await getLibraries(this.#query, unknown, check)) {
        caches.libraries.set(hash, data);
        note(hash, data);
      }
    return results;
  }

  share(): SharedBoc | undefined {
    const results = [...this.#sought].filter((entry): entry is [string, Buffer] => entry[1] !== undefined);
    return this.#call.ports.caches.libraries.share(new Map(results));
  }
}
