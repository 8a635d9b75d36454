import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../chain/block-id.ts';
import { type CellBag, readBoc } from '../../../chain/boc/bag.ts';
import { CellError, type CellRef } from '../../../chain/boc/cells.ts';
import { bocErrorText } from '../../../chain/boc/read-root-boc.ts';
import { readStack } from '../../../chain/stack/vm-stack.ts';
import { readAccount } from '../../../chain/tlb/account.ts';
import { readShardState, readShardStateTotals } from '../../../chain/tlb/shard-state.ts';
import type { RunMethodResult } from '../../../lite/methods/get-methods.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { type AccountAtBlock, accountAtBlock } from './accounts.ts';
import { type MethodHandler, refuse } from './method-context.ts';
import { EMPTY, ProvenTree } from './proofs.ts';
import { loadState } from './stored-blocks.ts';

const MAX_PARAMS_BYTES = 65536;
const KNOWN_BITS = 0x3f;
const GAS_LIMIT = 300_000;
/** The exit code for an account that has no code to run. */
const NOT_ACTIVE = -0x100;
/** Runs a get-method of an account at a block. */
export const runSmcMethod: MethodHandler<'runSmcMethod'> = async ({ store, runGetMethod }, request) => {
  const { mode, params, methodId } = request;
  if (params.length >= MAX_PARAMS_BYTES) refuse('more than 64k parameter bytes passed');
  if ((mode & ~KNOWN_BITS) !== 0) refuse('unsupported mode in runSmcMethod');
  checkParams(params);
  const accountAt = accountAtBlock(store, request.id, request.account);
  const { account, state } = accountAt;
  if (account === undefined || state === undefined) return respond(mode, accountAt, { exitCode: NOT_ACTIVE });
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
    masterchainState: masterchainState(store, accountAt),
    utime: state.genUtime,
    lt: state.genLt,
    methodId,
    params: Buffer.from(params),
    gasLimit: GAS_LIMIT,
  });
  return respond(mode, accountAt, { exitCode, stateProof, initC7, result: stack });
};

/** The response with those parts that bits of the mode ask for. */
function respond(
  mode: number,
  accountAt: AccountAtBlock,
  run: Partial<RunMethodResult> & { exitCode: number },
): RunMethodResult {
  const { id, shardBlock, shardProof, proof } = accountAt;
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
  if (params.length === 0) return;
  const bag = readBag(params);
  try {
    readStack(bag, bag.root);
  } catch {
    // Any error is one of the client's data: malformed or too large.
    refuse('parameter list boc cannot be deserialized as a VmStack');
  }
}

function readBag(params: Buffer): CellBag {
  try {
    return readBoc(params);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    refuse(`cannot deserialize parameter list boc: [Error : 0 : ${bocErrorText(params, error)}]`);
  }
}

/** The state of the requested masterchain block, or of the one that the requested shard block refers to. */
function masterchainState(store: ChainStore, { id }: AccountAtBlock): CellRef {
  if (id.workchain === MASTERCHAIN) return loadState(store, id);
  const { cells, cell: root } = loadState(store, id);
  const { masterRef } = readShardStateTotals(cells, readShardState(cells, root).totals);
  if (masterRef === undefined) refuse('masterchain ref block is not available');
  const { seqno, rootHash, fileHash } = masterRef;
  const reference: BlockId = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash };
  return loadState(store, reference);
}
