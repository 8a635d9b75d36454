import type {
  DedustPoolRecord,
  JettonWalletRecord,
  MultisigOrderRecord,
  NftAuctionRecord,
  NftItemRecord,
  NftSaleRecord,
} from '../actions/interfaces.ts';

/** What the index says of accounts while a batch is classified. Accounts are raw with upper-case digits. */
export class ContractBook {
  /** Accounts that were looked up, with what they are or without. */
  readonly known = new Set<string>();
  /** Accounts whose data was looked up. */
  readonly knownData = new Set<string>();
  /** Accounts of which it must still be found out what they are in their newest state. */
  readonly unjudged = new Set<string>();
  readonly jettonWallets = new Map<string, JettonWalletRecord>();
  readonly nftItems = new Map<string, NftItemRecord>();
  readonly nftSales = new Map<string, NftSaleRecord>();
  readonly nftAuctions = new Map<string, NftAuctionRecord>();
  readonly nominatorPools = new Set<string>();
  readonly multisigOrders = new Map<string, MultisigOrderRecord>();
  readonly dedustPools = new Map<string, DedustPoolRecord>();
  readonly data = new Map<string, Buffer>();
}
