import { accountAtBlock } from '../account-at-block.ts';
import { writeRoot } from '../proofs/write-roots.ts';
import type { Query } from '../query.ts';

const NO_ACCOUNT = Buffer.alloc(0);

/** The state of an account at a block. */
export const getAccountState: Query<'getAccountState'> = ({ store }, request) => {
  const { id, shardBlock, shardProof, proof, account } = accountAtBlock(store, request.id, request.account);
  return { id, shardBlock, shardProof, proof, state: account ? writeRoot(account) : NO_ACCOUNT };
};
