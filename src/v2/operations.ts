import type { Operation } from '../http/operation.ts';
import type { LiveCall } from '../live/session.ts';
import {
  getAddressBalance,
  getAddressInformation,
  getAddressState,
  getExtendedAddressInformation,
  getShardAccountCell,
  getWalletInformation,
} from './accounts.ts';
import {
  getBlockHeader,
  getConsensusBlock,
  getMasterchainBlockSignatures,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getShardBlockProof,
  getShards,
  lookupBlock,
} from './blocks.ts';
import { getConfigAll, getConfigParam, getLibraries } from './config.ts';
import { runGetMethod, runGetMethodStd } from './get-methods.ts';
import {
  estimateFee,
  estimateFeeSimple,
  sendBoc,
  sendBocReturnHash,
  sendBocReturnHashNoError,
  sendBocUnsafe,
  sendCellSimple,
  sendQuery,
  sendQuerySimple,
} from './messages.ts';
import { dnsResolve } from './names.ts';
import { getTokenData } from './tokens.ts';
import {
  getBlockTransactions,
  getBlockTransactionsExt,
  getTransactions,
  getTransactionsStd,
  tryLocateSourceTx,
  tryLocateTx,
} from './transactions.ts';
import { detectAddress, detectHash, packAddress, unpackAddress } from './utils.ts';

/** Every operation of v2, in the order of the docs page. */
export const v2Operations: readonly Operation<LiveCall>[] = [
  detectAddress,
  detectHash,
  packAddress,
  unpackAddress,
  getAddressInformation,
  getExtendedAddressInformation,
  getShardAccountCell,
  getWalletInformation,
  getAddressBalance,
  getAddressState,
  getTokenData,
  dnsResolve,
  getMasterchainInfo,
  getMasterchainBlockSignatures,
  getShardBlockProof,
  getConsensusBlock,
  lookupBlock,
  getShards,
  getBlockHeader,
  getOutMsgQueueSize,
  getBlockTransactions,
  getBlockTransactionsExt,
  getTransactions,
  getTransactionsStd,
  tryLocateTx,
  tryLocateSourceTx,
  getConfigParam,
  getConfigAll,
  getLibraries,
  runGetMethod,
  runGetMethodStd,
  sendBoc,
  sendBocReturnHash,
  sendBocReturnHashNoError,
  sendBocUnsafe,
  sendQuery,
  sendQuerySimple,
  sendCellSimple,
  estimateFee,
  estimateFeeSimple,
];
