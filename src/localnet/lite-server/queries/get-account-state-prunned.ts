import { readAccount } from '../../../chain/tlb/account.ts';
import { readExtraCurrencies } from '../../../chain/tlb/currency.ts';
import type { CellTree } from '../../store/chain-store.ts';
import { accountAtBlock } from '../account-at-block.ts';
import { ProvenTree } from '../proofs/proven-tree.ts';
import type { Query } from '../query.ts';

const NO_ACCOUNT = Buffer.alloc(0);

/** The state of an account at a block without code and data, as a Merkle proof. */
export const getAccountStatePrunned: Query<'getAccountStatePrunned'> = ({ store }, request) => {
  const { id, shardBlock, shardProof, proof, account } = accountAtBlock(store, request.id, request.account);
  return { id, shardBlock, shardProof, proof, state: account ? prunedAccount(account) : NO_ACCOUNT };
};

function prunedAccount(tree: CellTree): Buffer {
  const proven = new ProvenTree(tree);
  const account = readAccount(proven.cells, proven.root);
  if (account !== undefined) readExtraCurrencies(proven.cells, account.balance);
  return proven.toBoc();
}
