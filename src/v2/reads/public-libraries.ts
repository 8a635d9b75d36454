import { readBoc } from '../../chain/boc/read-boc.ts';
import type { FoundLibrary } from '../../lite/proofs/libraries.ts';
import { getLibrariesWithProof } from '../../lite/queries/get-libraries-with-proof.ts';
import type { V2Call } from '../call.ts';
import { openSession } from './open-session.ts';

/**
 * Those of the given public libraries that exist, each once, in ascending order of their hashes. One that was found
 * before is not asked for again, as existing clients do it: its hash says all about it.
 */
export async function readPublicLibraries(call: V2Call, hashes: readonly Buffer[]): Promise<FoundLibrary[]> {
  const { memory, check } = call.ports;
  const found = new Map<string, FoundLibrary>();
  const unknown: Buffer[] = [];
  for (const hash of hashes) {
    const data = memory.libraries.get(hash.toString('hex'));
    if (data === undefined) unknown.push(hash);
    else found.set(hash.toString('hex'), openLibrary(hash, data));
  }
  if (unknown.length > 0) {
    const session = await openSession(call);
    const libraries = await session.run(({ query, reference }) =>
      getLibrariesWithProof(query, reference, unknown, check),
    );
    for (const library of libraries) {
      memory.libraries.set(library.hash.toString('hex'), library.data);
      found.set(library.hash.toString('hex'), library);
    }
  }
  return [...found.values()].sort((a, b) => a.hash.compare(b.hash));
}

function openLibrary(hash: Buffer, data: Buffer): FoundLibrary {
  const cells = readBoc(data);
  return { hash, data, cells, cell: cells.root };
}
