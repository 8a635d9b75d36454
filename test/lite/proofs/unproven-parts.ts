import { decodeAnswer } from '../../../src/chain/tl/lite-codec.ts';
import type { LiteAnswerOf, LiteRequestOf } from '../../../src/chain/tl/lite-functions.ts';
import type { CheckedMethod, CheckedRequest } from './check-answer.ts';

type Unproven<M extends CheckedMethod> = (answer: LiteAnswerOf<M>, request: LiteRequestOf<M>) => unknown;

const LIST_PROOF = 32;
const NAMES_AND_METADATA = 0x107;
const FROM_KEY_BLOCK = 0x8000;

/** The mode of most answers repeats the request and says nothing: what is there is seen without it. */
const withoutMode = <T extends { readonly mode: number }>(answer: T) => ({ ...answer, mode: 0 });

/**
 * What no check can see, by function: an answer that differs in nothing else means the same to whoever trusts the
 * check. A function that is not here proves all that it answers.
 */
const WITHOUT_UNPROVEN: { [M in CheckedMethod]?: Unproven<M> } = {
  // The blocks of an account's transactions are told, not proven; a hash chain proves the transactions.
  getTransactions: ({ transactions }) => ({ transactions }),
  // Where there is no shard, the answer names a block that cannot be; it does not matter which.
  getShardInfo: (answer) => (answer.shardDescr.length > 0 ? answer : { ...answer, shardBlock: undefined }),
  getBlockHeader: withoutMode,
  getBlockOutMsgQueueSize: withoutMode,
  getConfigAll: (answer, { mode }) => configWithoutUnproven(answer, mode),
  getConfigParams: (answer, { mode }) => configWithoutUnproven(answer, mode),
  getLibrariesWithProof: withoutMode,
  getValidatorStats: withoutMode,
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
function configWithoutUnproven(answer: LiteAnswerOf<'getConfigAll'>, mode: number): unknown {
  if ((mode & FROM_KEY_BLOCK) === 0) return withoutMode(answer);
  return { ...withoutMode(answer), id: { ...answer.id, fileHash: 0 } };
}

/** An answer without what no check can see. Padding between the fields is not part of an answer at all. */
export function provenParts(request: CheckedRequest, answer: Buffer): unknown {
  const decoded = decodeAnswer(request.method, answer);
  const without = WITHOUT_UNPROVEN[request.method] as
    | ((answer: unknown, request: CheckedRequest) => unknown)
    | undefined;
  return without?.(decoded, request) ?? decoded;
}
