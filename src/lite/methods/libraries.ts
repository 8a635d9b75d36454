import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import { lookUpLibrary } from '../../chain/tlb/libraries.ts';
import { readShardStateTotals } from '../../chain/tlb/shard-state.ts';
import type { LiteResponseOf, LiteType } from './codec.ts';
import {
  type CheckOptions,
  checkStateProofs,
  formatHash,
  hashOf,
  type QueryServer,
  queryProvable,
  readWholeBag,
  refuse,
  runProofCheck,
} from './proofs.ts';

/** A public library; `data` is the bag as the server sent it. */
export interface FoundLibrary extends CellRef {
  readonly hash: Buffer;
  readonly data: Buffer;
}

/** Public libraries at the server's head by their hashes; one that is missing may still exist. */
export async function getLibraries(
  query: QueryServer,
  hashes: readonly Buffer[],
  options: CheckOptions,
): Promise<FoundLibrary[]> {
  return inBatches(hashes, async (batch) => {
    const request = { libraryList: batch };
    const response = await queryProvable(query, 'getLibraries', request, 'VALIDATE_BLOCK_PROOF');
    return checkLibraries(response, batch, options);
  });
}

/** Checks the response of getLibraries: each library has a queried hash. One that is missing may still exist. */
export function checkLibraries(
  response: LiteResponseOf<'getLibraries'>,
  hashes: readonly Buffer[],
  options: CheckOptions,
): FoundLibrary[] {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => readLibraries(response.result, hashes, options));
}

/** Those of the given public libraries that exist at a masterchain block, in ascending order of their hashes. */
export async function getLibrariesWithProof(
  query: QueryServer,
  block: BlockId,
  hashes: readonly Buffer[],
  options: CheckOptions,
): Promise<FoundLibrary[]> {
  return inBatches(hashes, async (batch) => {
    const request = { id: block, mode: 0, libraryList: batch };
    const response = await queryProvable(query, 'getLibrariesWithProof', request, 'VALIDATE_BLOCK_PROOF');
    return checkLibrariesWithProof(response, { block, hashes: batch }, options);
  });
}

/** Checks the response of getLibrariesWithProof: exactly those queried libraries that exist at a block. */
export function checkLibrariesWithProof(
  response: LiteResponseOf<'getLibrariesWithProof'>,
  { block, hashes }: { readonly block: BlockId; readonly hashes: readonly Buffer[] },
  options: CheckOptions,
): FoundLibrary[] {
  return runProofCheck('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(response.id, block)) refuse('Liteserver responded with wrong block');
    const { cells, state } = checkStateProofs(response.stateProof, response.dataProof, block, options);
    const libraries = readLibraries(response.result, hashes, options);
    const root = readShardStateTotals(cells, state.totals).libraries;
    for (const hash of hashes) {
      const exists = lookUpLibrary(cells, root, hash) >= 0;
      const received = libraries.some((library) => library.hash.equals(hash));
      if (received && !exists) refuse("library is included in response but it's not found in proof");
      if (exists && !received) refuse('library is found in proof but not in response');
    }
    return libraries;
  });
}

/** Servers ignore all but the first 16 hashes of a request. */
const MAX_HASHES_PER_QUERY = 16;

/** Queries libraries in batches that servers accept; each hash once, all in ascending order. */
async function inBatches(
  hashes: readonly Buffer[],
  queryBatch: (batch: readonly Buffer[]) => Promise<FoundLibrary[]>,
): Promise<FoundLibrary[]> {
  const sorted = hashes.toSorted(Buffer.compare).filter((hash, i, all) => !all[i - 1]?.equals(hash));
  const libraries: FoundLibrary[] = [];
  for (let at = 0; at < sorted.length; at += MAX_HASHES_PER_QUERY)
    libraries.push(...(await queryBatch(sorted.slice(at, at + MAX_HASHES_PER_QUERY))));
  return libraries;
}

/** Nodes accept no deeper library. */
const MAX_LIBRARY_DEPTH = 512;

/** Libraries in ascending order of their hashes, each once. */
function readLibraries(
  entries: readonly LiteType<'libraryEntry'>[],
  hashes: readonly Buffer[],
  { verify }: CheckOptions,
): FoundLibrary[] {
  const libraries = entries.map(({ hash, data }) => {
    if (!hashes.some((requested) => requested.equals(hash)))
      refuse('library is included in response but not requested');
    const bag = readWholeBag(data);
    const library = { hash, data, cells: bag, cell: bag.root };
    if (verify && !hashOf(library).equals(hash))
      refuse(`library hash mismatch data ${formatHash(hashOf(library))} != requested ${formatHash(hash)}`);
    if (bag.depth(bag.root) > MAX_LIBRARY_DEPTH) refuse('library depth is too big');
    return library;
  });
  libraries.sort((a, b) => a.hash.compare(b.hash));
  if (libraries.some(({ hash }, i) => i > 0 && hash.equals(libraries[i - 1]!.hash)))
    refuse('a library comes twice');
  return libraries;
}
