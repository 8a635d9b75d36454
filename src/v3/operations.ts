import type { Operation } from '../http/operation.ts';
import * as accounts from './accounts.ts';
import * as actions from './actions.ts';
import * as addressBook from './address-book.ts';
import * as balanceChanges from './balance-changes.ts';
import * as blocks from './blocks.ts';
import * as decode from './decode.ts';
import * as dns from './dns.ts';
import * as jettons from './jettons.ts';
import * as liveOperations from './live-operations.ts';
import * as messages from './messages.ts';
import * as multisigs from './multisigs.ts';
import * as nftSales from './nft-sales.ts';
import * as nfts from './nfts.ts';
import * as nominatorPools from './nominator-pools.ts';
import type { ListLimits, V3Call } from './operation.ts';
import * as pending from './pending.ts';
import * as reindex from './reindex.ts';
import * as traces from './traces.ts';
import * as transactions from './transactions.ts';
import * as validatorCycles from './validator-cycles.ts';
import * as validators from './validators.ts';
import * as vestings from './vestings.ts';

/** Operations are created, not declared, because the operator's limits are part of their parameters. */
const FACTORIES: readonly ((limits: ListLimits) => Operation<V3Call>)[] = [
  blocks.createMasterchainInfo,
  blocks.createMasterchainBlockShardState,
  blocks.createMasterchainBlockShards,
  blocks.createBlocks,
  transactions.createTransactions,
  transactions.createTransactionsByMasterchainBlock,
  transactions.createTransactionsByMessage,
  transactions.createAdjacentTransactions,
  pending.createPendingTransactions,
  addressBook.createAddressBook,
  addressBook.createMetadata,
  accounts.createAccountStates,
  accounts.createWalletStates,
  accounts.createTopAccountsByBalance,
  reindex.createReindex,
  liveOperations.createAddressInformation,
  liveOperations.createWalletInformation,
  liveOperations.createRunGetMethod,
  liveOperations.createEstimateFee,
  liveOperations.createSendMessage,
  messages.createMessages,
  traces.createTraces,
  traces.createEvents,
  actions.createActions,
  actions.createAccountActions,
  pending.createPendingTraces,
  pending.createPendingActions,
  balanceChanges.createBalanceChanges,
  dns.createDnsRecords,
  dns.createDnsActiveAuctions,
  nominatorPools.createNominatorPool,
  nominatorPools.createNominatorPositions,
  nominatorPools.createNominatorEvents,
  nominatorPools.createNominatorRewards,
  nominatorPools.createPoolValidatorEvents,
  nominatorPools.createPoolValidatorRewards,
  vestings.createVesting,
  nfts.createNftCollections,
  nfts.createNftItems,
  nfts.createNftTransfers,
  nftSales.createNftSales,
  jettons.createJettonMasters,
  jettons.createJettonWallets,
  jettons.createJettonTransfers,
  jettons.createJettonBurns,
  multisigs.createMultisigWallets,
  multisigs.createMultisigOrders,
  validators.createValidatorEvents,
  validators.createValidatorElections,
  validatorCycles.createValidatorCycles,
  validatorCycles.createValidatorComplaints,
  decode.createDecode,
  decode.createTestMethod,
];

/** Creates all operations of v3, in the order of the docs page. */
export function createV3Operations(limits: ListLimits): readonly Operation<V3Call>[] {
  return FACTORIES.map((create) => withListsByPost(create(limits)));
}

/** Four lists of a thousand addresses. */
const LISTS_BODY_BYTES = 320 * 1024;

/** Operations with lists are also available by POST: a thousand addresses are too long for some clients and proxies as a URL. */
function withListsByPost(operation: Operation<V3Call>): Operation<V3Call> {
  const hasLists = Object.values(operation.parameters).some(
    ({ schema }) => (schema as { type?: unknown }).type === 'array',
  );
  if (!hasLists || operation.methods.includes('POST')) return operation;
  return { ...operation, methods: ['GET', 'POST'], maxBodyBytes: LISTS_BODY_BYTES };
}
