import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { LibraryEntry, LibraryResult, LibraryResultWithProof } from '../../chain/tl/libraries.ts';
import { lookUpLibrary } from '../../chain/tlb/libraries.ts';
import { readShardStateTotals } from '../../chain/tlb/shard-state-totals.ts';
import { type FoundCell, hashOf, readWholeBag } from './open-proof.ts';
import { type CheckOptions, hashText, proving, refuse } from './proof-scope.ts';
import { checkStateProofs } from './state-proof.ts';

/** A public library; `data` is the bag as the server sent it. */
export interface FoundLibrary extends FoundCell {
  readonly hash: Buffer;
  readonly data: Buffer;
}

/** Nodes take no deeper library. */
const MAX_LIBRARY_DEPTH = 512;

/** Checks the answer of getLibraries: each library has the hash it was asked by. One that is missing may still exist. */
export function checkLibraries(
  answer: LibraryResult,
  hashes: readonly Buffer[],
  options: CheckOptions,
): FoundLibrary[] {
  return proving('VALIDATE_BLOCK_PROOF', () => readLibraries(answer.result, hashes, options));
}

/** Checks the answer of getLibrariesWithProof: those libraries of the ones asked for that exist at a block. */
export function checkLibrariesWithProof(
  answer: LibraryResultWithProof,
  { block, hashes }: { readonly block: BlockId; readonly hashes: readonly Buffer[] },
  options: CheckOptions,
): FoundLibrary[] {
  return proving('VALIDATE_BLOCK_PROOF', () => {
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    const { cells, state } = checkStateProofs(answer.stateProof, answer.dataProof, block, options);
    const found = readLibraries(answer.result, hashes, options);
    const root = readShardStateTotals(cells, state.totals).libraries;
    for (const hash of hashes) {
      const exists = lookUpLibrary(cells, root, hash) >= 0;
      const received = found.some((library) => library.hash.equals(hash));
      if (received && !exists) refuse("library is included in response but it's not found in proof");
      if (exists && !received) refuse('library is found in proof but not in response');
    }
    return found;
  });
}

/** Libraries in ascending order of their hashes, each once. */
function readLibraries(
  entries: readonly LibraryEntry[],
  hashes: readonly Buffer[],
  { verify }: CheckOptions,
): FoundLibrary[] {
  const found = entries.map(({ hash, data }) => {
    if (!hashes.some((asked) => asked.equals(hash)))
      refuse('library is included in response but not requested');
    const bag = readWholeBag(data);
    const library = { hash, data, cells: bag, cell: bag.root };
    if (verify && !hashOf(library).equals(hash))
      refuse(`library hash mismatch data ${hashText(hashOf(library))} != requested ${hashText(hash)}`);
    if (bag.depth(bag.root) > MAX_LIBRARY_DEPTH) refuse('library depth is too big');
    return library;
  });
  found.sort((a, b) => a.hash.compare(b.hash));
  if (found.some(({ hash }, i) => i > 0 && hash.equals(found[i - 1]!.hash))) refuse('a library comes twice');
  return found;
}
