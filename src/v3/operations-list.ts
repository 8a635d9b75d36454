import type { Operation } from '../http/operation.ts';
import { createAccountStates } from './accounts/account-states.ts';
import { createAddressBook } from './accounts/address-book.ts';
import { createMetadata } from './accounts/metadata.ts';
import { createTopAccountsByBalance } from './accounts/top-accounts-by-balance.ts';
import { createWalletStates } from './accounts/wallet-states.ts';
import { createActions } from './actions/actions.ts';
import { createBalanceChanges } from './actions/balance-changes.ts';
import { createBlocks } from './blocks/blocks.ts';
import { createMasterchainBlockShardState } from './blocks/masterchain-block-shard-state.ts';
import { createMasterchainBlockShards } from './blocks/masterchain-block-shards.ts';
import { createMasterchainInfo } from './blocks/masterchain-info.ts';
import type { V3Call } from './call.ts';
import { createDecode } from './decode/decode.ts';
import { createJettonBurns } from './jettons/burns.ts';
import { createJettonMasters } from './jettons/masters.ts';
import { createJettonTransfers } from './jettons/transfers.ts';
import { createJettonWallets } from './jettons/wallets.ts';
import { createAddressInformation } from './live/address-information.ts';
import { createEstimateFee } from './live/estimate-fee.ts';
import { createRunGetMethod } from './live/run-get-method.ts';
import { createSendMessage } from './live/send-message.ts';
import { createWalletInformation } from './live/wallet-information.ts';
import { createMessages } from './messages/messages.ts';
import { createMultisigOrders } from './multisigs/orders.ts';
import { createMultisigWallets } from './multisigs/wallets.ts';
import { createDnsRecords } from './names/records.ts';
import { createNftCollections } from './nfts/collections.ts';
import { createNftItems } from './nfts/items.ts';
import { createNftSales } from './nfts/sales.ts';
import { createNftTransfers } from './nfts/transfers.ts';
import type { PageLimits } from './params/limit.ts';
import { createPendingActions } from './pending/pending-actions.ts';
import { createPendingTraces } from './pending/pending-traces.ts';
import { createPendingTransactions } from './pending/pending-transactions.ts';
import { createTestMethod } from './service/test-method.ts';
import { createEvents } from './traces/events.ts';
import { createTraces } from './traces/traces.ts';
import { createAdjacentTransactions } from './transactions/adjacent-transactions.ts';
import { createTransactions } from './transactions/transactions.ts';
import { createTransactionsByMasterchainBlock } from './transactions/transactions-by-masterchain-block.ts';
import { createTransactionsByMessage } from './transactions/transactions-by-message.ts';
import { createVesting } from './vestings/vesting-contracts.ts';

/** Operations are made, not declared, because the operator's limits are part of their parameters. */
const FACTORIES: readonly ((limits: PageLimits) => Operation<V3Call>)[] = [
  createMasterchainInfo,
  createMasterchainBlockShardState,
  createMasterchainBlockShards,
  createBlocks,
  createTransactions,
  createTransactionsByMasterchainBlock,
  createTransactionsByMessage,
  createAdjacentTransactions,
  createPendingTransactions,
  createAddressBook,
  createMetadata,
  createAccountStates,
  createWalletStates,
  createTopAccountsByBalance,
  createAddressInformation,
  createWalletInformation,
  createRunGetMethod,
  createEstimateFee,
  createSendMessage,
  createMessages,
  createTraces,
  createEvents,
  createActions,
  createPendingTraces,
  createPendingActions,
  createBalanceChanges,
  createDnsRecords,
  createVesting,
  createNftCollections,
  createNftItems,
  createNftTransfers,
  createNftSales,
  createJettonMasters,
  createJettonWallets,
  createJettonTransfers,
  createJettonBurns,
  createMultisigWallets,
  createMultisigOrders,
  createDecode,
  createTestMethod,
];

/** Every operation of v3, in the order of the docs page. */
export function createV3Operations(limits: PageLimits): readonly Operation<V3Call>[] {
  return FACTORIES.map((create) => create(limits));
}
