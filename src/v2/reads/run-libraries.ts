import { getLibraries } from '../../lite/queries/get-libraries.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { LibrarySource } from '../../vm/run-with-libraries.ts';
import type { SharedBoc } from '../../vm/shared-boc.ts';
import { writeLibraries } from '../../vm/write-libraries.ts';
import type { V2Call } from '../call.ts';

/** The libraries of a run: those that were found so far. */
export class RunLibraries implements LibrarySource {
  readonly #call: V2Call;
  readonly #query: LiteTarget['query'];
  /** What was looked for; undefined where there is none. */
  readonly #known = new Map<string, Buffer | undefined>();

  constructor(call: V2Call, { query }: Pick<LiteTarget, 'query'>) {
    this.#call = call;
    this.#query = query;
  }

  async find(hashes: readonly Buffer[]): Promise<readonly Buffer[]> {
    const { memory, check } = this.#call.ports;
    const found: Buffer[] = [];
    const note = (hash: Buffer, data: Buffer | undefined): void => {
      this.#known.set(hash.toString('hex'), data);
      if (data !== undefined) found.push(data);
    };
    const unknown: Buffer[] = [];
    for (const hash of hashes) {
      const name = hash.toString('hex');
      if (this.#known.has(name)) continue;
      const data = memory.libraries.get(name);
      note(hash, data);
      if (data === undefined) unknown.push(hash);
    }
    if (unknown.length > 0)
      for (const { hash, data } of await getLibraries(this.#query, unknown, check)) {
        memory.libraries.set(hash.toString('hex'), data);
        note(hash, data);
      }
    return found;
  }

  share(): SharedBoc | undefined {
    const found = [...this.#known].filter((entry): entry is [string, Buffer] => entry[1] !== undefined);
    if (found.length === 0) return undefined;
    const { librarySets } = this.#call.ports.memory;
    const key = found
      .map(([name]) => name)
      .sort()
      .join();
    const known = librarySets.get(key);
    if (known !== undefined) return known;
    const set = writeLibraries(found.map(([, data]) => data))!;
    librarySets.set(key, set);
    return set;
  }
}
