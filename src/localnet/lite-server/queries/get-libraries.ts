import { lookUpLibrary } from '../../../chain/tlb/libraries.ts';
import { readShardStateTotals } from '../../../chain/tlb/shard-state-totals.ts';
import { headState } from '../head-state.ts';
import { writeRoot } from '../proofs/write-roots.ts';
import type { Query } from '../query.ts';
import { wantedLibraries } from '../wanted-libraries.ts';

/** Public libraries at the newest block. */
export const getLibraries: Query<'getLibraries'> = ({ store }, { libraryList }) => {
  const { cells, state } = headState(store);
  const { libraries } = readShardStateTotals(cells, state.totals);
  const found = wantedLibraries(libraryList).map((hash) => ({
    hash,
    cell: lookUpLibrary(cells, libraries, hash),
  }));
  const result = found
    .filter(({ cell }) => cell >= 0)
    .map(({ hash, cell }) => ({ hash, data: writeRoot({ cells, root: cell }) }));
  return { result };
};
