import { configAt } from '../config-at-block.ts';
import type { Query } from '../query.ts';

/** The whole configuration at a block. */
export const getConfigAll: Query<'getConfigAll'> = ({ store }, { mode, id }) =>
  configAt(store, id, mode, (tree, root) => tree.showAll(root));
