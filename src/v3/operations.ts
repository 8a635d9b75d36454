import type { Operation } from '../http/operation.ts';
import { createAccountStates, createTopAccountsByBalance, createWalletStates } from './accounts.ts';
import { createActions } from './actions.ts';
import { createAddressBook, createMetadata } from './address-book.ts';
import { createBalanceChanges } from './balance-changes.ts';
import {
  createBlocks,
  createMasterchainBlockShardState,
  createMasterchainBlockShards,
  createMasterchainInfo,
} from './blocks.ts';
import { createDecode, createTestMethod } from './decode.ts';
import { createDnsActiveAuctions, createDnsRecords } from './dns.ts';
import {
  createJettonBurns,
  createJettonMasters,
  createJettonTransfers,
  createJettonWallets,
} from './jettons.ts';
import type { ListLimits } from './list-parameters.ts';
import {
  createAddressInformation,
  createEstimateFee,
  createRunGetMethod,
  createSendMessage,
  createWalletInformation,
} from './live-operations.ts';
import { createMessages } from './messages.ts';
import { createMultisigOrders, createMultisigWallets } from './multisigs.ts';
import { createNftSales } from './nft-sales.ts';
import { createNftCollections, createNftItems, createNftTransfers } from './nfts.ts';
import {
  createNominatorEvents,
  createNominatorPool,
  createNominatorPositions,
  createNominatorRewards,
  createPoolValidatorEvents,
  createPoolValidatorRewards,
} from './nominator-pools.ts';
import type { V3Call } from './operation.ts';
import { createPendingActions, createPendingTraces, createPendingTransactions } from './pending.ts';
import { createEvents, createTraces } from './traces.ts';
import {
  createAdjacentTransactions,
  createTransactions,
  createTransactionsByMasterchainBlock,
  createTransactionsByMessage,
} from './transactions.ts';
import { createValidatorComplaints, createValidatorCycles } from './validator-cycles.ts';
import { createValidatorElections, createValidatorEvents } from './validators.ts';
import { createVesting } from './vestings.ts';

/** Operations are created, not declared, because the operator's limits are part of their parameters. */
const FACTORIES: readonly ((limits: ListLimits) => Operation<V3Call>)[] = [
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
  createDnsActiveAuctions,
  createNominatorPool,
  createNominatorPositions,
  createNominatorEvents,
  createNominatorRewards,
  createPoolValidatorEvents,
  createPoolValidatorRewards,
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
  createValidatorEvents,
  createValidatorElections,
  createValidatorCycles,
  createValidatorComplaints,
  createDecode,
  createTestMethod,
];

/** Creates all operations of v3, in the order of the docs page. */
export function createV3Operations(limits: ListLimits): readonly Operation<V3Call>[] {
  return FACTORIES.map((create) => withListsByPost(create(limits)));
}

/** Four lists of a thousand addresses. */
const LISTS_BODY_BYTES = 320 * 1024;

/** What takes lists is also available by POST: a thousand addresses are too long for some clients and proxies as a URL. */
function withListsByPost(operation: Operation<V3Call>): Operation<V3Call> {
  const hasLists = Object.values(operation.parameters).some(
    ({ schema }) => (schema as { type?: unknown }).type === 'array',
  );
  if (!hasLists || operation.methods.includes('POST')) return operation;
  return { ...operation, methods: ['GET', 'POST'], maxBodyBytes: LISTS_BODY_BYTES };
}
