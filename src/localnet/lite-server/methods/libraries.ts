import { libraryPublishers, lookUpLibrary } from '../../../chain/tlb/libraries.ts';
import { readShardStateTotals } from '../../../chain/tlb/shard-state.ts';
import { headState } from '../../store/head-state.ts';
import type { MethodHandlers } from './method-context.ts';
import { EMPTY, ProvenTree, readState, stateRootProof, writeRoot } from './proofs.ts';
import { loadMasterchainBlockAndState } from './stored-blocks.ts';

export const libraryMethods = {
  /** Public libraries at the newest block. */
  getLibraries({ store }, { libraryList }) {
    const { cells, state } = headState(store);
    const { libraries } = readShardStateTotals(cells, state.totals);
    const result = requestedLibraries(libraryList).flatMap((hash) => {
      const cell = lookUpLibrary(cells, libraries, hash);
      return cell < 0 ? [] : { hash, data: writeRoot({ cells, cell }) };
    });
    return { result };
  },

  /** Public libraries at a block, with a proof of those that exist and of those that do not. */
  getLibrariesWithProof({ store }, request) {
    const { id, mode } = request;
    const block = loadMasterchainBlockAndState(store, id);
    const tree = new ProvenTree(block.state);
    const { libraries } = readState(tree).totals;
    const result = [];
    for (const hash of requestedLibraries(request.libraryList)) {
      const root = lookUpLibrary(tree.cells, libraries, hash);
      if (root < 0) continue;
      if (mode & WITH_PUBLISHERS) libraryPublishers(tree.cells, libraries, hash);
      const data = mode & WITHOUT_DATA ? EMPTY : writeRoot({ cells: block.state.cells, cell: root });
      result.push({ hash, data });
    }
    const stateProof = stateRootProof(block);
    return { id, mode, result, stateProof, dataProof: tree.toBoc() };
  },
} satisfies Partial<MethodHandlers>;

const WITH_PUBLISHERS = 1;
const WITHOUT_DATA = 2;

const MAX_LIBRARIES = 16;

/** The first hashes of a list, sorted and without repetitions, as nodes use them. */
function requestedLibraries(list: readonly Buffer[]): Buffer[] {
  const sorted = list.slice(0, MAX_LIBRARIES).sort(Buffer.compare);
  return sorted.filter((hash, i) => i === 0 || !hash.equals(sorted[i - 1]!));
}
