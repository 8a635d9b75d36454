import { checkAccountState } from '../../../../src/lite/methods/accounts.ts';
import {
  checkBlockTransactions,
  checkBlockTransactionsExt,
} from '../../../../src/lite/methods/block-transactions.ts';
import { checkBlockBytes, checkBlockHeader, checkZeroState } from '../../../../src/lite/methods/blocks.ts';
import {
  decodeResponse,
  type LiteMethod,
  type LiteRequest,
  type LiteRequestOf,
  type LiteResponseOf,
} from '../../../../src/lite/methods/codec.ts';
import { checkConfig } from '../../../../src/lite/methods/config.ts';
import { checkRunMethod } from '../../../../src/lite/methods/get-methods.ts';
import { checkLibraries, checkLibrariesWithProof } from '../../../../src/lite/methods/libraries.ts';
import { checkLookupBlock, checkLookupBlockWithProof } from '../../../../src/lite/methods/lookups.ts';
import { type CheckOptions, runProofCheck } from '../../../../src/lite/methods/proofs.ts';
import { checkQueueSize } from '../../../../src/lite/methods/queues.ts';
import { checkAllShards, checkShardBlockProof } from '../../../../src/lite/methods/shards.ts';
import { checkTransactions } from '../../../../src/lite/methods/transactions.ts';

type Check<M extends LiteMethod> = (
  answer: LiteResponseOf<M>,
  request: LiteRequestOf<M>,
  options: CheckOptions,
) => unknown;

/** The check of each function's response. */
const CHECKS = {
  getAccountState: (a, { id: block, account }, o) => checkAccountState(a, { block, account }, o),
  getAccountStatePrunned: (a, { id: block, account }, o) =>
    checkAccountState(a, { block, account, form: 'proof' }, o),
  getAllShardsInfo: (a, { id }, o) => checkAllShards(a, id, o),
  getBlock: (a, { id }, o) => checkBlockBytes(a, id, o),
  getBlockHeader: (a, { id }, o) => checkBlockHeader(a, id, o),
  getBlockOutMsgQueueSize: (a, { id }, o) => checkQueueSize(a, id, o),
  getConfigAll: (a, { id: block, mode }, o) => checkConfig(a, { block, mode }, o),
  getConfigParams: (a, { id: block, mode, paramList: params }, o) =>
    checkConfig(a, { block, mode, params }, o),
  getLibraries: (a, { libraryList }, o) => checkLibraries(a, libraryList, o),
  getLibrariesWithProof: (a, { id: block, libraryList: hashes }, o) =>
    checkLibrariesWithProof(a, { block, hashes }, o),
  getShardBlockProof: (a, { id }, o) => checkShardBlockProof(a, id, o),
  getState: (a, { id }, o) => checkZeroState(a, id, o),
  getTransactions: checkTransactions,
  listBlockTransactions: (a, { id: block, ...rest }, o) => checkBlockTransactions(a, { block, ...rest }, o),
  listBlockTransactionsExt: (a, { id: block, ...rest }, o) =>
    checkBlockTransactionsExt(a, { block, ...rest }, o),
  lookupBlock: checkLookupBlock,
  lookupBlockWithProof: (a, request, o) => checkLookupBlockWithProof(a, request, request.mcBlockId, o),
  runSmcMethod: (a, { id: block, account }, o) => checkRunMethod(a, { block, account }, o),
} satisfies { [M in LiteMethod]?: Check<M> };

/** Functions whose responses can be checked. */
type CheckedMethod = keyof typeof CHECKS;

/** Requests whose responses can be checked. */
export type CheckedRequest = LiteRequestOf<CheckedMethod>;

/** Whether the response to a request can be checked. */
export function isChecked(request: LiteRequest): request is CheckedRequest {
  return request.method in CHECKS;
}

/** Decodes a response and checks it, as the query of that function does. */
export function checkAnswer<R extends CheckedRequest>(
  request: R,
  answer: Buffer,
  options: CheckOptions = { verify: true },
): ReturnType<(typeof CHECKS)[R['method']]> {
  const decoded = runProofCheck('VALIDATE_ANSWER', () => decodeResponse(request.method, answer));
  const check = CHECKS[request.method] as unknown as (
    answer: unknown,
    request: R,
    options: CheckOptions,
  ) => ReturnType<(typeof CHECKS)[R['method']]>;
  return check(decoded, request, options);
}

type Unproven<M extends CheckedMethod> = (answer: LiteResponseOf<M>, request: LiteRequestOf<M>) => unknown;

const LIST_PROOF = 32;
const NAMES_AND_METADATA = 0x107;
const FROM_KEY_BLOCK = 0x8000;

/** The mode of most responses only repeats the request. */
const withoutMode = <T extends { readonly mode: number }>(answer: T) => ({ ...answer, mode: 0 });

/**
 * What no check can see, by function: a response that differs in nothing else means the same to a caller that trusts
 * the check. The responses of other functions are proven completely.
 */
const WITHOUT_UNPROVEN: { [M in CheckedMethod]?: Unproven<M> } = {
  // The blocks of an account's transactions are not proven; a hash chain proves the transactions.
  getTransactions: ({ transactions }) => ({ transactions }),
  getBlockHeader: withoutMode,
  getBlockOutMsgQueueSize: withoutMode,
  getConfigAll: (answer, { mode }) => configWithoutUnproven(answer, mode),
  getConfigParams: (answer, { mode }) => configWithoutUnproven(answer, mode),
  getLibrariesWithProof: withoutMode,
  lookupBlockWithProof: withoutMode,
  // A header is no proof of the block's bytes, whose hash is part of its name.
  lookupBlock: (answer) => ({ ...withoutMode(answer), id: { ...answer.id, fileHash: 0 } }),
  // The masterchain block is yet to be proven by its whole name; the links hang on its root hash alone.
  getShardBlockProof: (answer) => ({
    ...answer,
    masterchainId: { ...answer.masterchainId, seqno: 0, fileHash: 0 },
  }),
  // What a method gave can only be found out by running it again.
  runSmcMethod: ({ id, shardBlock, shardProof, proof, stateProof }) => ({
    id,
    shardBlock,
    shardProof,
    proof,
    stateProof,
  }),
  // Without a proof a list is believed. With one, all of it is proven but the mode of each item, of which the bits
  // that announce its fields count, and the metadata.
  listBlockTransactions: ({ id, reqCount, ...list }, { mode }) => ({
    id,
    reqCount,
    list: mode & LIST_PROOF && {
      ...list,
      ids: list.ids.map((item) => ({ ...item, mode: item.mode & NAMES_AND_METADATA })),
    },
  }),
  listBlockTransactionsExt: ({ id, reqCount, ...list }, { mode }) => ({
    id,
    reqCount,
    list: mode & LIST_PROOF && list,
  }),
};

/** The key block that a configuration was taken from is yet to be proven by its whole name. */
function configWithoutUnproven(answer: LiteResponseOf<'getConfigAll'>, mode: number): unknown {
  if ((mode & FROM_KEY_BLOCK) === 0) return withoutMode(answer);
  return { ...withoutMode(answer), id: { ...answer.id, fileHash: 0 } };
}

/** A response without what no check can see. Padding between the fields is not part of a response at all. */
export function provenParts(request: CheckedRequest, answer: Buffer): unknown {
  const decoded = decodeResponse(request.method, answer);
  const without = WITHOUT_UNPROVEN[request.method] as
    | ((answer: unknown, request: CheckedRequest) => unknown)
    | undefined;
  return without?.(decoded, request) ?? decoded;
}
