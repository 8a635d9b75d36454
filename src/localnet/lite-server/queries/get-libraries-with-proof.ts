import { libraryPublishers, lookUpLibrary } from '../../../chain/tlb/libraries.ts';
import { loadMasterchainBlockAndState } from '../known-blocks.ts';
import { stateRootProof } from '../proofs/header-proof.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { readState } from '../proofs/state-reading.ts';
import { writeRoot } from '../proofs/write-roots.ts';
import type { Query } from '../query.ts';
import { wantedLibraries } from '../wanted-libraries.ts';

const WITH_PUBLISHERS = 1;
const WITHOUT_DATA = 2;
const NO_DATA = Buffer.alloc(0);

/** Public libraries at a block, with a proof of those that are there and of those that are not. */
export const getLibrariesWithProof: Query<'getLibrariesWithProof'> = ({ store }, request) => {
  const { id, mode } = request;
  const block = loadMasterchainBlockAndState(store, id);
  const tree = new ProvenTree(block.state);
  const { libraries } = readState(tree).totals;
  const result = [];
  for (const hash of wantedLibraries(request.libraryList)) {
    const root = lookUpLibrary(tree.cells, libraries, hash);
    if (root < 0) continue;
    if (mode & WITH_PUBLISHERS) libraryPublishers(tree.cells, libraries, hash);
    const data = mode & WITHOUT_DATA ? NO_DATA : writeRoot({ cells: block.state.cells, root });
    result.push({ hash, data });
  }
  const stateProof = stateRootProof(block);
  return { id, mode, result, stateProof, dataProof: tree.toBoc() };
};
