import type { LiteMethod } from '../../chain/tl/lite-functions.ts';
import { getAccountState } from './queries/get-account-state.ts';
import { getAccountStatePrunned } from './queries/get-account-state-prunned.ts';
import { getAllShardsInfo } from './queries/get-all-shards-info.ts';
import { getBlock } from './queries/get-block.ts';
import { getBlockHeader } from './queries/get-block-header.ts';
import { getBlockOutMsgQueueSize } from './queries/get-block-out-msg-queue-size.ts';
import { getBlockProof } from './queries/get-block-proof.ts';
import { getConfigAll } from './queries/get-config-all.ts';
import { getConfigParams } from './queries/get-config-params.ts';
import { getDispatchQueueInfo } from './queries/get-dispatch-queue-info.ts';
import { getLibraries } from './queries/get-libraries.ts';
import { getLibrariesWithProof } from './queries/get-libraries-with-proof.ts';
import { getMasterchainInfo } from './queries/get-masterchain-info.ts';
import { getMasterchainInfoExt } from './queries/get-masterchain-info-ext.ts';
import { getOneTransaction } from './queries/get-one-transaction.ts';
import { getOutMsgQueueSizes } from './queries/get-out-msg-queue-sizes.ts';
import { getShardBlockProof } from './queries/get-shard-block-proof.ts';
import { getShardInfo } from './queries/get-shard-info.ts';
import { getState } from './queries/get-state.ts';
import { getTime } from './queries/get-time.ts';
import { getTransactions } from './queries/get-transactions.ts';
import { getValidatorStats } from './queries/get-validator-stats.ts';
import { getVersion } from './queries/get-version.ts';
import { listBlockTransactions } from './queries/list-block-transactions.ts';
import { listBlockTransactionsExt } from './queries/list-block-transactions-ext.ts';
import { lookupBlock } from './queries/lookup-block.ts';
import { lookupBlockWithProof } from './queries/lookup-block-with-proof.ts';
import { runSmcMethod } from './queries/run-smc-method.ts';
import { sendMessage } from './queries/send-message.ts';
import type { Query } from './query.ts';

/** Every function of the lite-server API, by its name. */
export const QUERIES: { readonly [M in LiteMethod]: Query<M> } = {
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
