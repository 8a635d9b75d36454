import type { AccountId } from '../../../chain/address.ts';
import { type BlockId, INVALID_WORKCHAIN, MASTERCHAIN, WHOLE_SHARD } from '../../../chain/block-id.ts';
import type { CellRef } from '../../../chain/boc/cells.ts';
import { accountPrefix, leafShard, shardContains } from '../../../chain/shards.ts';
import { readStack } from '../../../chain/stack/vm-stack.ts';
import { readAccount } from '../../../chain/tlb/account.ts';
import { readExtraCurrencies } from '../../../chain/tlb/currency.ts';
import { lookUpShardAccount } from '../../../chain/tlb/shard-accounts.ts';
import { readShardState, readShardStateTotals } from '../../../chain/tlb/shard-state.ts';
import type { RunMethodResult } from '../../../lite/methods/get-methods.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { type MethodHandlers, readRequestBoc, refuse } from './method-context.ts';
import { EMPTY, ProvenTree, readState, stateProofs, writeRoot } from './proofs.ts';
import { topBlockProof } from './shards.ts';
import {
  type BlockAndState,
  loadBlockAndState,
  loadMasterchainBlockAndState,
  loadState,
  NO_BLOCK,
} from './stored-blocks.ts';

const MAX_PARAMS_BYTES = 65536;
const ALL_MODE_BITS = 0x3f;
const GAS_LIMIT = 300_000;
/** The exit code for an account that has no code to run. */
const NOT_ACTIVE = -0x100;

export const accountMethods = {
  getAccountState({ store }, request) {
    const { id, shardBlock, shardProof, proof, account } = accountAtBlock(store, request);
    return { id, shardBlock, shardProof, proof, state: account ? writeRoot(account) : EMPTY };
  },

  /** The state without code and data, as a Merkle proof. */
  getAccountStatePrunned({ store }, request) {
    const { id, shardBlock, shardProof, proof, account } = accountAtBlock(store, request);
    return { id, shardBlock, shardProof, proof, state: account ? prunedAccount(account) : EMPTY };
  },

  async runSmcMethod({ store, runGetMethod }, request) {
    const { mode, params, methodId } = request;
    if (params.length >= MAX_PARAMS_BYTES) refuse('more than 64k parameter bytes passed');
    if ((mode & ~ALL_MODE_BITS) !== 0) refuse('unsupported mode in runSmcMethod');
    if (params.length > 0) checkParams(params);
    const accountAt = accountAtBlock(store, request);
    const { account, state } = accountAt;
    if (account === undefined || state === undefined)
      return respond(mode, accountAt, { exitCode: NOT_ACTIVE });
    const tree = new ProvenTree(account);
    const isActive = readAccount(tree.cells, tree.cell)?.state.kind === 'active';
    if (!isActive) return respond(mode, accountAt, { exitCode: NOT_ACTIVE, stateProof: tree.toBoc() });
    if (runGetMethod === undefined) refuse('this server does not run get-methods');
    // It is not known which cells the method will read.
    tree.showAll(tree.cell);
    const stateProof = tree.toBoc();
    const { exitCode, stack, initC7 } = await runGetMethod({
      address: { workchain: request.account.workchain, hash: Buffer.from(request.account.hash) },
      account,
      masterchainState: masterchainState(store, accountAt.id),
      utime: state.genUtime,
      methodId,
      params: Buffer.from(params),
      gasLimit: GAS_LIMIT,
    });
    return respond(mode, accountAt, { exitCode, stateProof, initC7, result: stack });
  },
} satisfies Partial<MethodHandlers>;

function prunedAccount(tree: CellRef): Buffer {
  const proven = new ProvenTree(tree);
  const account = readAccount(proven.cells, proven.cell);
  if (account !== undefined) readExtraCurrencies(proven.cells, account.balance);
  return proven.toBoc();
}

/** An account at a block, with the proofs that clients check. */
type AccountAtBlock = ReturnType<typeof accountAtBlock>;

/** This seqno of a masterchain block stands for the newest one. */
const NEWEST = -1;
const NO_ACCOUNT = { shardBlock: NO_BLOCK, proof: EMPTY, state: undefined, account: undefined };

/** Finds an account in the state after a block of its own shard, or after the newest one at a masterchain block. */
function accountAtBlock(
  store: ChainStore,
  { id, account }: { readonly id: BlockId; readonly account: AccountId },
) {
  checkRequest(id, account);
  if (id.workchain !== MASTERCHAIN) return inShard(id, EMPTY, loadBlockAndState(store, id), account);
  const base = loadMasterchainBlockAndState(store, id.seqno === NEWEST ? store.head : id);
  if (account.workchain === MASTERCHAIN) return inShard(base.id, EMPTY, base, account);
  const ident = { workchain: account.workchain, shard: leafShard(accountPrefix(account.hash)) };
  const { proof, shard } = topBlockProof(base, ident, false);
  if (shard === undefined) return { id: base.id, shardProof: proof, ...NO_ACCOUNT };
  return inShard(base.id, proof, loadBlockAndState(store, shard.descr), account);
}

function checkRequest(id: BlockId, account: AccountId): void {
  if (id.workchain !== MASTERCHAIN && id.workchain !== account.workchain)
    refuse('reference block for a getAccountState() must belong to the masterchain');
  if (id.workchain === INVALID_WORKCHAIN) refuse('reference block id for a getAccountState() is invalid');
  if (id.workchain === account.workchain && !shardContains(id.shard, accountPrefix(account.hash)))
    refuse('requested account id is not contained in the shard of the reference block');
}

function inShard(id: BlockId, shardProof: Buffer, block: BlockAndState, account: AccountId) {
  const tree = new ProvenTree(block.state);
  const { state } = readState(tree);
  const entry = lookUpShardAccount(tree.cells, state.accounts, account.hash);
  return {
    /** The requested block, or the newest one. */
    id,
    /** The block of the account's shard. */
    shardBlock: block.id,
    /** Proves that the masterchain block refers to the shard block; empty if they are the same. */
    shardProof,
    /** Proves that the state after the shard block has the account, or does not. */
    proof: stateProofs(block, tree),
    /** The state of the shard; left out if there is no shard for the account. */
    state,
    account: entry && { cells: block.state.cells, cell: entry.account },
  };
}

/** The response with those parts that bits of the mode ask for. */
function respond(
  mode: number,
  { id, shardBlock, shardProof, proof }: AccountAtBlock,
  run: Partial<RunMethodResult> & { exitCode: number },
): RunMethodResult {
  const ifRequested = (bit: number, part: Buffer = EMPTY): Buffer | undefined =>
    mode & (1 << bit) ? part : undefined;
  return {
    mode,
    id,
    shardBlock,
    shardProof: ifRequested(0, shardProof),
    proof: ifRequested(0, proof),
    stateProof: ifRequested(1, run.stateProof),
    initC7: ifRequested(3, run.initC7),
    libExtras: ifRequested(4),
    exitCode: run.exitCode,
    result: ifRequested(2, run.result),
  };
}

function checkParams(params: Buffer): void {
  const bag = readRequestBoc(params, (text) =>
    refuse(`cannot deserialize parameter list boc: [Error : 0 : ${text}]`),
  );
  try {
    readStack(bag, bag.root);
  } catch {
    // Any error is one of the client's data: malformed or too large.
    refuse('parameter list boc cannot be deserialized as a VmStack');
  }
}

/** The state of the requested masterchain block, or of the one that the requested shard block refers to. */
function masterchainState(store: ChainStore, id: BlockId): CellRef {
  const tree = loadState(store, id);
  if (id.workchain === MASTERCHAIN) return tree;
  const { masterRef } = readShardStateTotals(tree.cells, readShardState(tree.cells, tree.cell).totals);
  if (masterRef === undefined) refuse('masterchain ref block is not available');
  const { seqno, rootHash, fileHash } = masterRef;
  return loadState(store, { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash });
}
