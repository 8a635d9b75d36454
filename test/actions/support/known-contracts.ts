import type {
  DedustPoolRecord,
  Interfaces,
  JettonWalletRecord,
  MultisigOrderRecord,
  NftAuctionRecord,
  NftItemRecord,
  NftSaleRecord,
} from '../../../src/actions/rules/classifier-input.ts';

/** Contracts by kind and address; fields that do not matter for a test have defaults. */
export interface KnownContracts {
  readonly jettonWallets?: Readonly<Record<string, Pick<JettonWalletRecord, 'owner' | 'jetton'>>>;
  readonly nftItems?: Readonly<Record<string, Partial<NftItemRecord>>>;
  readonly nftSales?: Readonly<Record<string, Partial<NftSaleRecord> & Pick<NftSaleRecord, 'nft'>>>;
  readonly nftAuctions?: Readonly<Record<string, Partial<NftAuctionRecord> & Pick<NftAuctionRecord, 'nft'>>>;
  readonly nominatorPools?: readonly string[];
  readonly multisigOrders?: Readonly<Record<string, Omit<MultisigOrderRecord, 'address'>>>;
  readonly dedustPools?: Readonly<Record<string, DedustPoolRecord>>;
  readonly data?: Readonly<Record<string, Buffer>>;
  readonly codeHashes?: Readonly<Record<string, string>>;
  /** By jetton. */
  readonly walletCodeHashes?: Readonly<Record<string, string>>;
}

/** Contracts as input for the classifier. */
export function knownContracts(known: KnownContracts = {}): Interfaces {
  return {
    jettonWallet: (address) => fill(known.jettonWallets, address, { balance: 0n }),
    nftItem: (address) => fill(known.nftItems, address, NFT_ITEM),
    nftSale: (address) => fill(known.nftSales, address, NFT_SALE),
    nftAuction: (address) => fill(known.nftAuctions, address, NFT_AUCTION),
    isNominatorPool: (address) => known.nominatorPools?.includes(address) ?? false,
    multisigOrder: (address) => fill(known.multisigOrders, address, {}),
    dedustPool: (address) => known.dedustPools?.[address],
    dataOf: (address) => known.data?.[address],
    codeHashOf: (address) => known.codeHashes?.[address],
    walletCodeHashOf: (jetton) => known.walletCodeHashes?.[jetton],
  };
}

function fill<Fields extends object, Rest extends object>(
  records: Readonly<Record<string, Fields>> | undefined,
  address: string,
  rest: Rest,
) {
  const record = records?.[address];
  return record && { ...rest, address, ...record };
}

const NFT_ITEM = { index: 0n, collection: null, content: null, codeHash: null };

const NFT_SALE = { marketplace: null, nftOwner: null, fullPrice: 0n, codeHash: null };

const NFT_AUCTION = { marketplace: null, nftOwner: null, lastBid: 0n, codeHash: null };
