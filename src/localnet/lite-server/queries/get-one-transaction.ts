import { accountPrefix, shardContains } from '../../../chain/shard-prefix.ts';
import { readBlockExtra } from '../../../chain/tlb/block-extra.ts';
import { isValidBlockId } from '../block-names.ts';
import { findTransaction } from '../block-transactions.ts';
import { loadBlock } from '../known-blocks.ts';
import { refuse } from '../lite-refusal.ts';
import { readHeader } from '../proofs/header-proof.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import { writeRoot } from '../proofs/write-roots.ts';
import type { Query } from '../query.ts';

const NO_TRANSACTION = Buffer.alloc(0);

/** One transaction of an account in a block, or the proof that there is none. */
export const getOneTransaction: Query<'getOneTransaction'> = ({ store }, request) => {
  const { id, account } = request;
  if (!isValidBlockId(id)) refuse('block id in getOneTransaction() is invalid');
  if (account.workchain !== id.workchain || !shardContains(id.shard, accountPrefix(account.hash)))
    refuse('requested account id is not contained in the shard of the specified block');
  const block = loadBlock(store, id);
  const tree = new ProvenTree(block);
  const { root, info } = readHeader(tree);
  const lt = BigInt.asUintN(64, request.lt);
  const isInside = lt > info.startLt && lt < info.endLt;
  const found = isInside
    ? findTransaction(tree.cells, readBlockExtra(tree.cells, root.extra), account.hash, lt)
    : -1;
  const transaction = found < 0 ? NO_TRANSACTION : writeRoot({ cells: block.cells, root: found });
  return { id, proof: tree.toBoc(), transaction };
};
