import { configParam } from '../../../chain/tlb/config.ts';
import { configAt } from '../config-at-block.ts';
import { refuse } from '../lite-refusal.ts';
import type { Query } from '../query.ts';

const MAX_PARAMS = 256;

/** Chosen parameters of the configuration at a block. */
export const getConfigParams: Query<'getConfigParams'> = ({ store }, { mode, id, paramList }) => {
  if (paramList.length > MAX_PARAMS) refuse('too long param list');
  return configAt(store, id, mode, (tree, root) => {
    for (const index of paramList) {
      const cell = configParam(tree.cells, root, index);
      if (cell >= 0) tree.showAll(cell);
    }
  });
};
