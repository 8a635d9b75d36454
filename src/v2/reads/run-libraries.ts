import { getLibraries } from '../../lite/queries/get-libraries.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { SharedBoc } from '../../vm/shared-boc.ts';
import { writeLibraries } from '../../vm/write-libraries.ts';
import type { V2Call } from '../call.ts';

/** The libraries of a run: those that were found so far. */
export class RunLibraries {
  readonly #call: V2Call;
  readonly #target: LiteTarget;
  readonly #found = new Map<string, Buffer>();

  constructor(call: V2Call, target: LiteTarget) {
    this.#call = call;
    this.#target = target;
  }

  /** Adds those of the given libraries that exist; gives how many were new. */
  async add(hashes: readonly Buffer[]): Promise<number> {
    const { memory, check } = this.#call.ports;
    const before = this.#found.size;
    const unknown: Buffer[] = [];
    for (const hash of hashes) {
      const known = memory.libraries.get(hash.toString('hex'));
      if (known === undefined) unknown.push(hash);
      else this.#found.set(hash.toString('hex'), known);
    }
    if (unknown.length > 0)
      for (const { hash, data } of await getLibraries(this.#target.query, unknown, check)) {
        memory.libraries.set(hash.toString('hex'), data);
        this.#found.set(hash.toString('hex'), data);
      }
    return this.#found.size - before;
  }

  /** All of them in the form that runs take. */
  share(): SharedBoc | undefined {
    if (this.#found.size === 0) return undefined;
    const { librarySets } = this.#call.ports.memory;
    const key = [...this.#found.keys()].sort().join();
    const known = librarySets.get(key);
    if (known !== undefined) return known;
    const set = writeLibraries([...this.#found.values()])!;
    librarySets.set(key, set);
    return set;
  }
}
