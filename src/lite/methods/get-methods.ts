import type { AccountId } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { liteMethod, liteType, type TlValue, tl } from '../../chain/tl/fields.ts';
import { type AccountQuery, checkAccountState, type ProvenAccount } from './accounts.ts';
import { type CheckOptions, type QueryServer, queryProvable, refuse, runProofCheck } from './proofs.ts';

/** Bits of the mode: the optional parts of the response. */
const RUN_WITH_PROOFS = 1;
const RUN_WITH_STATE_PROOF = 2;
const RUN_WITH_RESULT = 4;

// liteServer.runMethodResult mode:# id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:mode.0?bytes
//   proof:mode.0?bytes state_proof:mode.1?bytes init_c7:mode.3?bytes lib_extras:mode.4?bytes exit_code:int
//   result:mode.2?bytes = liteServer.RunMethodResult
const runMethodResult = liteType('runMethodResult', 0xa39a616b, {
  mode: tl.uint,
  id: tl.blockId,
  shardBlock: tl.blockId,
  shardProof: tl.optional(0, tl.bytes),
  proof: tl.optional(0, tl.bytes),
  stateProof: tl.optional(1, tl.bytes),
  initC7: tl.optional(3, tl.bytes),
  libExtras: tl.optional(4, tl.bytes),
  exitCode: tl.int,
  /** The stack as a bag of cells. */
  result: tl.optional(2, tl.bytes),
});

/** The result of a get-method. */
export type RunMethodResult = TlValue<typeof runMethodResult>;

// liteServer.runSmcMethod mode:# id:tonNode.blockIdExt account:liteServer.accountId method_id:long params:bytes =
//   liteServer.RunMethodResult
export const runSmcMethodCodec = liteMethod(
  'runSmcMethod',
  0x5cc65dd2,
  { mode: tl.uint, id: tl.blockId, account: tl.accountId, methodId: tl.long, params: tl.bytes },
  runMethodResult,
);

interface GetMethodCall {
  readonly block: BlockId;
  readonly account: AccountId;
  readonly methodId: bigint;
  /** The bag of the stack; empty for no arguments. */
  readonly params: Buffer;
}

/** Runs a get-method on the server. The account that it ran on is proven, its result is not. */
export async function runSmcMethod(
  query: QueryServer,
  call: GetMethodCall,
  options: CheckOptions,
): Promise<RemoteGetMethodResult> {
  const { block, account, methodId, params } = call;
  const mode = RUN_WITH_PROOFS | RUN_WITH_STATE_PROOF | RUN_WITH_RESULT;
  const request = { mode, id: block, account, methodId, params };
  const response = await queryProvable(query, runSmcMethodCodec, request, 'VALIDATE_ACCOUNT_STATE');
  return checkRunMethod(response, { block, account }, options);
}

/** The result of a get-method on the server: nothing proves it, but the account it ran on is proven. */
interface RemoteGetMethodResult {
  readonly exitCode: number;
  /** The bag of the stack, if the mode requested it. */
  readonly result: Buffer | undefined;
  /** The account, without what the method did not read. */
  readonly account: ProvenAccount;
}

/** Checks the response of runSmcMethod, which must have all proofs. */
export function checkRunMethod(
  response: RunMethodResult,
  { block, account }: AccountQuery,
  options: CheckOptions,
): RemoteGetMethodResult {
  const { shardProof, proof, stateProof, exitCode, result } = response;
  if (shardProof === undefined || proof === undefined || stateProof === undefined)
    return runProofCheck('VALIDATE_ACCOUNT_STATE', () => refuse('the answer is without proofs'));
  const state = { id: response.id, shardBlock: response.shardBlock, shardProof, proof, state: stateProof };
  const proven = checkAccountState(state, { block, account, form: 'proof' }, options);
  return { exitCode, result, account: proven };
}
