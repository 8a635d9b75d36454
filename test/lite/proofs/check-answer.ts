import { decodeAnswer } from '../../../src/chain/tl/lite-codec.ts';
import type {
  LiteAnswerOf,
  LiteMethod,
  LiteRequest,
  LiteRequestOf,
} from '../../../src/chain/tl/lite-functions.ts';
import { checkAccountState } from '../../../src/lite/proofs/account-state.ts';
import { checkTransactions } from '../../../src/lite/proofs/account-transactions.ts';
import { checkBlockHeader } from '../../../src/lite/proofs/block-header.ts';
import {
  checkBlockTransactions,
  checkBlockTransactionsExt,
} from '../../../src/lite/proofs/block-transactions.ts';
import { checkConfig } from '../../../src/lite/proofs/config.ts';
import { checkLibraries, checkLibrariesWithProof } from '../../../src/lite/proofs/libraries.ts';
import { checkLookedUp, checkLookup } from '../../../src/lite/proofs/lookups.ts';
import { checkOneTransaction } from '../../../src/lite/proofs/one-transaction.ts';
import { type CheckOptions, proving } from '../../../src/lite/proofs/proof-scope.ts';
import { checkQueueSize } from '../../../src/lite/proofs/queue-size.ts';
import { checkRunMethod } from '../../../src/lite/proofs/run-method.ts';
import { checkShardBlockProof } from '../../../src/lite/proofs/shard-links.ts';
import { checkAllShards, checkShardInfo } from '../../../src/lite/proofs/shards.ts';
import { checkValidatorStats } from '../../../src/lite/proofs/validator-stats.ts';
import { checkBlock, checkZeroState } from '../../../src/lite/proofs/whole-block.ts';

type Check<M extends LiteMethod> = (
  answer: LiteAnswerOf<M>,
  request: LiteRequestOf<M>,
  options: CheckOptions,
) => unknown;

/** The check of each function's answer. */
const CHECKS = {
  getAccountState: (a, { id: block, account }, o) => checkAccountState(a, { block, account }, o),
  getAccountStatePrunned: (a, { id: block, account }, o) =>
    checkAccountState(a, { block, account, form: 'proof' }, o),
  getAllShardsInfo: (a, { id }, o) => checkAllShards(a, id, o),
  getBlock: (a, { id }, o) => checkBlock(a, id, o),
  getBlockHeader: (a, { id }, o) => checkBlockHeader(a, id, o),
  getBlockOutMsgQueueSize: (a, { id }, o) => checkQueueSize(a, id, o),
  getConfigAll: (a, { id: block, mode }, o) => checkConfig(a, { block, mode }, o),
  getConfigParams: (a, { id: block, mode, paramList: params }, o) =>
    checkConfig(a, { block, mode, params }, o),
  getLibraries: (a, { libraryList }, o) => checkLibraries(a, libraryList, o),
  getLibrariesWithProof: (a, { id: block, libraryList: hashes }, o) =>
    checkLibrariesWithProof(a, { block, hashes }, o),
  getOneTransaction: (a, { id: block, account, lt }, o) => checkOneTransaction(a, { block, account, lt }, o),
  getShardBlockProof: (a, { id }, o) => checkShardBlockProof(a, id, o),
  getShardInfo: (a, { id: block, ...rest }, o) => checkShardInfo(a, { block, ...rest }, o),
  getState: (a, { id }, o) => checkZeroState(a, id, o),
  getTransactions: checkTransactions,
  getValidatorStats: (a, { id: block, ...rest }, o) => checkValidatorStats(a, { block, ...rest }, o),
  listBlockTransactions: (a, { id: block, ...rest }, o) => checkBlockTransactions(a, { block, ...rest }, o),
  listBlockTransactionsExt: (a, { id: block, ...rest }, o) =>
    checkBlockTransactionsExt(a, { block, ...rest }, o),
  lookupBlock: checkLookedUp,
  lookupBlockWithProof: (a, request, o) => checkLookup(a, request, request.mcBlockId, o),
  runSmcMethod: (a, { id: block, account }, o) => checkRunMethod(a, { block, account }, o),
} satisfies { [M in LiteMethod]?: Check<M> };

/** Functions whose answers can be checked. */
export type CheckedMethod = keyof typeof CHECKS;

/** Requests whose answers can be checked. */
export type CheckedRequest = LiteRequestOf<CheckedMethod>;

/** Whether the answer to a request can be checked. */
export function isChecked(request: LiteRequest): request is CheckedRequest {
  return request.method in CHECKS;
}

/** Decodes an answer and checks it, as the query of that function does. */
export function checkAnswer<R extends CheckedRequest>(
  request: R,
  answer: Buffer,
  options: CheckOptions = { verify: true },
): ReturnType<(typeof CHECKS)[R['method']]> {
  const decoded = proving('VALIDATE_ANSWER', () => decodeAnswer(request.method, answer));
  const check = CHECKS[request.method] as unknown as (
    answer: unknown,
    request: R,
    options: CheckOptions,
  ) => ReturnType<(typeof CHECKS)[R['method']]>;
  return check(decoded, request, options);
}
