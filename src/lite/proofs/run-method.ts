import type { RunMethodResult } from '../../chain/tl/get-methods.ts';
import { type AccountQuestion, checkAccountState, type ProvenAccount } from './account-state.ts';
import { type CheckOptions, proving, refuse } from './proof-scope.ts';

/** What a get-method gave on the server: nothing proves it, but the account it ran on is proven. */
export interface RemoteRun {
  readonly exitCode: number;
  /** The bag of the stack, if it was asked for. */
  readonly result: Buffer | undefined;
  /** The account, without what the method did not read. */
  readonly account: ProvenAccount;
}

/** Bits of the mode that ask for the proofs of account and shard, and for that of the account's state. */
export const RUN_WITH_PROOFS = 1 | 2;

/** Checks the answer of runSmcMethod that was asked for with all proofs. */
export function checkRunMethod(
  answer: RunMethodResult,
  { block, account }: AccountQuestion,
  options: CheckOptions,
): RemoteRun {
  const { shardProof, proof, stateProof, exitCode, result } = answer;
  if (shardProof === undefined || proof === undefined || stateProof === undefined)
    return proving('VALIDATE_ACCOUNT_STATE', () => refuse('the answer is without proofs'));
  const state = { id: answer.id, shardBlock: answer.shardBlock, shardProof, proof, state: stateProof };
  const proven = checkAccountState(state, { block, account, form: 'proof' }, options);
  return { exitCode, result, account: proven };
}
