import type { BlockId } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { CheckOptions } from '../proofs/proof-scope.ts';
import { checkRunMethod, type RemoteRun, RUN_WITH_PROOFS } from '../proofs/run-method.ts';
import type { Ask } from './ask.ts';
import { askFor } from './ask-for.ts';

/** A get-method to run. */
export interface MethodCall {
  readonly block: BlockId;
  readonly account: AccountId;
  readonly methodId: bigint;
  /** The bag of the stack; empty for no arguments. */
  readonly params: Buffer;
}

const WITH_RESULT = 4;

/** Runs a get-method on the server. The account that it ran on is proven, its result is not. */
export async function runSmcMethod(ask: Ask, call: MethodCall, options: CheckOptions): Promise<RemoteRun> {
  const { block, account, methodId, params } = call;
  const mode = WITH_RESULT | RUN_WITH_PROOFS;
  const request = { method: 'runSmcMethod', mode, id: block, account, methodId, params } as const;
  const answer = await askFor(ask, request, 'VALIDATE_ACCOUNT_STATE');
  return checkRunMethod(answer, { block, account }, options);
}
