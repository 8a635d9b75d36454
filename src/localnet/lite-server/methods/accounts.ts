import type { AccountId } from '../../../chain/address.ts';
import { type BlockId, INVALID_WORKCHAIN, MASTERCHAIN } from '../../../chain/block-id.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { accountPrefix, leafShard, shardContains } from '../../../chain/shards.ts';
import { readAccount } from '../../../chain/tlb/account.ts';
import { readExtraCurrencies } from '../../../chain/tlb/currency.ts';
import { lookUpShardAccount } from '../../../chain/tlb/shard-accounts.ts';
import type { ShardState } from '../../../chain/tlb/shard-state.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { type MethodHandler, refuse } from './method-context.ts';
import { EMPTY, ProvenTree, readState, stateProofs, writeRoot } from './proofs.ts';
import { topBlockProof } from './shards.ts';
import {
  type BlockAndState,
  loadBlockAndState,
  loadMasterchainBlockAndState,
  NO_BLOCK,
} from './stored-blocks.ts';

/** The state of an account at a block. */
export const getAccountState: MethodHandler<'getAccountState'> = ({ store }, request) => {
  const { id, shardBlock, shardProof, proof, account } = accountAtBlock(store, request.id, request.account);
  return { id, shardBlock, shardProof, proof, state: account ? writeRoot(account) : EMPTY };
};

/** The state of an account at a block without code and data, as a Merkle proof. */
export const getAccountStatePrunned: MethodHandler<'getAccountStatePrunned'> = ({ store }, request) => {
  const { id, shardBlock, shardProof, proof, account } = accountAtBlock(store, request.id, request.account);
  return { id, shardBlock, shardProof, proof, state: account ? prunedAccount(account) : EMPTY };
};

function prunedAccount(tree: CellRef): Buffer {
  const proven = new ProvenTree(tree);
  const account = readAccount(proven.cells, proven.cell);
  if (account !== undefined) readExtraCurrencies(proven.cells, account.balance);
  return proven.toBoc();
}

/** An account at a block, with the proofs that clients check. */
export interface AccountAtBlock {
  /** The requested block, or the newest one. */
  readonly id: BlockId;
  /** The block of the account's shard. */
  readonly shardBlock: BlockId;
  /** Proves that the masterchain block refers to the shard block; empty if they are the same. */
  readonly shardProof: Buffer;
  /** Proves that the state after the shard block has the account, or does not. */
  readonly proof: Buffer;
  /** The state of the shard; undefined if there is no shard for the account. */
  readonly state: ShardState | undefined;
  /** The cell of the account; undefined for one that does not exist. */
  readonly account: CellRef | undefined;
}

/** This seqno of a masterchain block stands for the newest one. */
const NEWEST = -1;

/** Finds an account in the state after a block of its own shard, or after the newest one at a masterchain block. */
export function accountAtBlock(store: ChainStore, id: BlockId, account: AccountId): AccountAtBlock {
  checkRequest(id, account);
  if (id.workchain !== MASTERCHAIN) return inShard(id, EMPTY, loadBlockAndState(store, id), account);
  const base = loadMasterchainBlockAndState(store, id.seqno === NEWEST ? store.head : id);
  if (account.workchain === MASTERCHAIN) return inShard(base.id, EMPTY, base, account);
  const ident = { workchain: account.workchain, shard: leafShard(accountPrefix(account.hash)) };
  const { proof, shard } = topBlockProof(base, ident, false);
  if (shard === undefined)
    return {
      id: base.id,
      shardBlock: NO_BLOCK,
      shardProof: proof,
      proof: EMPTY,
      state: undefined,
      account: undefined,
    };
  return inShard(base.id, proof, loadBlockAndState(store, shard.descr), account);
}

function checkRequest(id: BlockId, account: AccountId): void {
  if (id.workchain !== MASTERCHAIN && id.workchain !== account.workchain)
    refuse('reference block for a getAccountState() must belong to the masterchain');
  if (id.workchain === INVALID_WORKCHAIN) refuse('reference block id for a getAccountState() is invalid');
  if (id.workchain === account.workchain && !shardContains(id.shard, accountPrefix(account.hash)))
    refuse('requested account id is not contained in the shard of the reference block');
}

function inShard(id: BlockId, shardProof: Buffer, block: BlockAndState, account: AccountId): AccountAtBlock {
  const tree = new ProvenTree(block.state);
  const { state } = readState(tree);
  const entry = lookUpShardAccount(tree.cells, state.accounts, account.hash);
  return {
    id,

    shardBlock: block.id,

    shardProof,

    proof: stateProofs(block, tree),

    state,

    account: entry && { cells: block.state.cells, cell: entry.account },
  };
}
