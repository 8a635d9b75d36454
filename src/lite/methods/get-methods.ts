import type { AccountId } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { type AccountQuery, checkAccountState } from './accounts.ts';
import type { LiteResponseOf } from './codec.ts';
import { type CheckOptions, type QueryServer, queryProvable, refuse, runProofCheck } from './proofs.ts';

/** Bits of the mode: the optional parts of the response. */
const RUN_WITH_PROOFS = 1;
const RUN_WITH_STATE_PROOF = 2;
const RUN_WITH_RESULT = 4;

export type RunMethodResult = LiteResponseOf<'runSmcMethod'>;

interface GetMethodCall {
  readonly block: BlockId;
  readonly account: AccountId;
  readonly methodId: bigint;
  /** The bag of the stack; empty for no arguments. */
  readonly params: Buffer;
}

/** Runs a get-method on the server. The account that it ran on is proven, its result is not. */
export async function runSmcMethod(query: QueryServer, call: GetMethodCall, options: CheckOptions) {
  const { block, account, methodId, params } = call;
  const mode = RUN_WITH_PROOFS | RUN_WITH_STATE_PROOF | RUN_WITH_RESULT;
  const request = { mode, id: block, account, methodId, params };
  const response = await queryProvable(query, 'runSmcMethod', request, 'VALIDATE_ACCOUNT_STATE');
  return checkRunMethod(response, { block, account }, options);
}

/** Checks the response of runSmcMethod, which must have all proofs. The account lacks what the method did not read. */
export function checkRunMethod(
  response: RunMethodResult,
  { block, account }: AccountQuery,
  options: CheckOptions,
) {
  const { shardProof, proof, stateProof, exitCode, result } = response;
  if (shardProof === undefined || proof === undefined || stateProof === undefined)
    return runProofCheck('VALIDATE_ACCOUNT_STATE', () => refuse('the answer is without proofs'));
  const state = { id: response.id, shardBlock: response.shardBlock, shardProof, proof, state: stateProof };
  const proven = checkAccountState(state, { block, account, form: 'proof' }, options);
  return { exitCode, result, account: proven };
}
