import type { Operation } from '../http/operation.ts';
import type { LiveCall } from '../live/session.ts';
import * as accounts from './accounts.ts';
import * as blocks from './blocks.ts';
import * as config from './config.ts';
import * as getMethods from './get-methods.ts';
import * as messages from './messages.ts';
import * as names from './names.ts';
import * as tokens from './tokens.ts';
import * as transactions from './transactions.ts';
import * as utils from './utils.ts';

/** Every operation of v2, in the order of the docs page. */
export const v2Operations: readonly Operation<LiveCall>[] = [
  utils.detectAddress,
  utils.detectHash,
  utils.packAddress,
  utils.unpackAddress,
  accounts.getAddressInformation,
  accounts.getExtendedAddressInformation,
  accounts.getShardAccountCell,
  accounts.getWalletInformation,
  accounts.getAddressBalance,
  accounts.getAddressState,
  tokens.getTokenData,
  names.dnsResolve,
  blocks.getMasterchainInfo,
  blocks.getMasterchainBlockSignatures,
  blocks.getShardBlockProof,
  blocks.getConsensusBlock,
  blocks.lookupBlock,
  blocks.getShards,
  blocks.getBlockHeader,
  blocks.getOutMsgQueueSize,
  transactions.getBlockTransactions,
  transactions.getBlockTransactionsExt,
  transactions.getTransactions,
  transactions.getTransactionsStd,
  transactions.tryLocateTx,
  transactions.tryLocateSourceTx,
  config.getConfigParam,
  config.getConfigAll,
  config.getLibraries,
  getMethods.runGetMethod,
  getMethods.runGetMethodStd,
  messages.sendBoc,
  messages.sendBocReturnHash,
  messages.sendBocReturnHashNoError,
  messages.sendBocUnsafe,
  messages.sendQuery,
  messages.sendQuerySimple,
  messages.sendCellSimple,
  messages.estimateFee,
  messages.estimateFeeSimple,
];
