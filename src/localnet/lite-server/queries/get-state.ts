import { hash } from 'node:crypto';
import { writeBoc } from '../../../chain/boc/write-boc.ts';
import { isValidBlockId } from '../block-names.ts';
import { knownState } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import type { Query } from '../query.ts';

/** Later states may be too large for one answer. */
const LAST_SEQNO = 1000;

/** A whole shard state; a zero state in the bytes it was made in. */
export const getState: Query<'getState'> = ({ store }, { id }) => {
  if (!isValidBlockId(id)) refuse('invalid BlockIdExt');
  if (id.seqno > LAST_SEQNO) refuse('cannot request total state: possibly too large');
  const zeroState = store.zeroStateBytes(id);
  if (zeroState !== undefined) return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: zeroState };
  const { cells, root } = knownState(store, id);
  const data = writeBoc({ cells, roots: [root] }, { order: 'tonlib', index: true });
  return { id, rootHash: cells.hash(root), fileHash: hash('sha256', data, 'buffer'), data };
};
