import type { Operation } from '../http/operation.ts';
import type { V2Call } from './call.ts';
import { detectAddress } from './operations/detect-address.ts';
import { detectHash } from './operations/detect-hash.ts';
import { dnsResolve } from './operations/dns-resolve.ts';
import { estimateFee } from './operations/estimate-fee.ts';
import { estimateFeeSimple } from './operations/estimate-fee-simple.ts';
import { getAddressBalance } from './operations/get-address-balance.ts';
import { getAddressInformation } from './operations/get-address-information.ts';
import { getAddressState } from './operations/get-address-state.ts';
import { getBlockHeader } from './operations/get-block-header.ts';
import { getBlockTransactions } from './operations/get-block-transactions.ts';
import { getBlockTransactionsExt } from './operations/get-block-transactions-ext.ts';
import { getConfigAll } from './operations/get-config-all.ts';
import { getConfigParam } from './operations/get-config-param.ts';
import { getConsensusBlock } from './operations/get-consensus-block.ts';
import { getExtendedAddressInformation } from './operations/get-extended-address-information.ts';
import { getLibraries } from './operations/get-libraries.ts';
import { getMasterchainBlockSignatures } from './operations/get-masterchain-block-signatures.ts';
import { getMasterchainInfo } from './operations/get-masterchain-info.ts';
import { getOutMsgQueueSize } from './operations/get-out-msg-queue-size.ts';
import { getShardAccountCell } from './operations/get-shard-account-cell.ts';
import { getShardBlockProof } from './operations/get-shard-block-proof.ts';
import { getShards } from './operations/get-shards.ts';
import { getTokenData } from './operations/get-token-data.ts';
import { getTransactions } from './operations/get-transactions.ts';
import { getTransactionsStd } from './operations/get-transactions-std.ts';
import { getWalletInformation } from './operations/get-wallet-information.ts';
import { lookupBlock } from './operations/lookup-block.ts';
import { packAddress } from './operations/pack-address.ts';
import { runGetMethod } from './operations/run-get-method.ts';
import { runGetMethodStd } from './operations/run-get-method-std.ts';
import { sendBoc } from './operations/send-boc.ts';
import { sendBocReturnHash } from './operations/send-boc-return-hash.ts';
import { sendBocReturnHashNoError } from './operations/send-boc-return-hash-no-error.ts';
import { sendBocUnsafe } from './operations/send-boc-unsafe.ts';
import { sendCellSimple } from './operations/send-cell-simple.ts';
import { sendQuery } from './operations/send-query.ts';
import { sendQuerySimple } from './operations/send-query-simple.ts';
import { tryLocateSourceTx } from './operations/try-locate-source-tx.ts';
import { tryLocateTx } from './operations/try-locate-tx.ts';
import { unpackAddress } from './operations/unpack-address.ts';

/** Every operation of v2, in the order of the docs page. */
export const v2Operations: readonly Operation<V2Call>[] = [
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
