import { getAccountState, getAccountStatePrunned } from './accounts.ts';
import { getBlockProof } from './block-proofs.ts';
import { listBlockTransactions, listBlockTransactionsExt } from './block-transactions.ts';
import { getBlock, getBlockHeader, getState, lookupBlock } from './blocks.ts';
import { getConfigAll, getConfigParams, getValidatorStats } from './config.ts';
import { getDispatchQueueInfo } from './dispatch-queues.ts';
import { runSmcMethod } from './get-methods.ts';
import { getLibraries, getLibrariesWithProof } from './libraries.ts';
import { getMasterchainInfo, getMasterchainInfoExt, getTime, getVersion } from './masterchain.ts';
import { sendMessage } from './messages.ts';
import { lookupBlockWithProof } from './proven-lookups.ts';
import { getBlockOutMsgQueueSize, getOutMsgQueueSizes } from './queues.ts';
import { getShardBlockProof } from './shard-block-links.ts';
import { getAllShardsInfo, getShardInfo } from './shards.ts';
import type { LiteFunction } from './tl-type.ts';
import { getOneTransaction, getTransactions } from './transactions.ts';

/** Every function of the lite-server API that we speak, by the name its requests have in `method`. */
export const LITE_FUNCTIONS = {
  getAccountState,
  getAccountStatePrunned,
  getAllShardsInfo,
  getBlock,
  getBlockHeader,
  getBlockOutMsgQueueSize,
  getBlockProof,
  getConfigAll,
  getConfigParams,
  getDispatchQueueInfo,
  getLibraries,
  getLibrariesWithProof,
  getMasterchainInfo,
  getMasterchainInfoExt,
  getOneTransaction,
  getOutMsgQueueSizes,
  getShardBlockProof,
  getShardInfo,
  getState,
  getTime,
  getTransactions,
  getValidatorStats,
  getVersion,
  listBlockTransactions,
  listBlockTransactionsExt,
  lookupBlock,
  lookupBlockWithProof,
  runSmcMethod,
  sendMessage,
};

type Table = typeof LITE_FUNCTIONS;

/** The name of a function, without `liteServer.` before it. */
export type LiteMethod = keyof Table;

/** What a function takes, its name in `method`. */
export type LiteRequestOf<M extends LiteMethod> =
  Table[M] extends LiteFunction<infer Request, unknown> ? Request : never;

/** What a function answers. */
export type LiteAnswerOf<M extends LiteMethod> =
  Table[M] extends LiteFunction<infer _Request, infer Answer> ? Answer : never;

/** Any request; `method` tells which. */
export type LiteRequest = { [M in LiteMethod]: LiteRequestOf<M> }[LiteMethod];

/** Any answer. */
export type LiteAnswer = { [M in LiteMethod]: LiteAnswerOf<M> }[LiteMethod];
