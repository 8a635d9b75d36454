/** A jetton wallet, as its contract says. Addresses are raw with upper-case digits everywhere here. */
export interface JettonWalletRecord {
  readonly address: string;
  readonly owner: string;
  readonly jetton: string;
  readonly balance: bigint;
}

/** An NFT. */
export interface NftItemRecord {
  readonly address: string;
  readonly init: boolean;
  readonly index: bigint;
  readonly collection: string | null;
  readonly owner: string | null;
  readonly content: Readonly<Record<string, unknown>> | null;
  /** Base64; null when it is not known. */
  readonly codeHash: string | null;
}

/** A sale of an NFT at a price. */
export interface NftSaleRecord {
  readonly address: string;
  readonly isComplete: boolean;
  readonly marketplace: string | null;
  readonly nft: string;
  readonly nftOwner: string | null;
  readonly fullPrice: bigint;
  readonly marketplaceFeeAddress: string | null;
  readonly marketplaceFee: bigint | null;
  readonly royaltyAddress: string | null;
  readonly royaltyAmount: bigint | null;
  readonly codeHash: string | null;
}

/** An auction of an NFT. */
export interface NftAuctionRecord {
  readonly address: string;
  readonly marketplace: string | null;
  readonly nft: string;
  readonly nftOwner: string | null;
  readonly lastBid: bigint;
  readonly marketplaceFeeAddress: string | null;
  readonly marketplaceFeeFactor: bigint | null;
  readonly marketplaceFeeBase: bigint | null;
  readonly royaltyAddress: string | null;
  readonly royaltyBase: bigint | null;
  readonly maxBid: bigint | null;
  readonly minBid: bigint | null;
  readonly codeHash: string | null;
}

/** An order of a multisig. */
export interface MultisigOrderRecord {
  readonly address: string;
  readonly multisig: string;
  readonly signers: readonly string[];
}

/** One side of a pool: TON, or a jetton by its master. */
export interface PoolAsset {
  readonly isTon: boolean;
  readonly address: string | null;
}

/** A pool of DeDust with its two sides in the pool's order. */
export interface DedustPoolRecord {
  readonly assets: readonly [PoolAsset, PoolAsset];
}

/** What is known of contracts when a trace is classified; undefined where an account is not that. */
export interface Interfaces {
  jettonWallet(address: string): JettonWalletRecord | undefined;
  nftItem(address: string): NftItemRecord | undefined;
  nftSale(address: string): NftSaleRecord | undefined;
  nftAuction(address: string): NftAuctionRecord | undefined;
  isNominatorPool(address: string): boolean;
  multisigOrder(address: string): MultisigOrderRecord | undefined;
  dedustPool(address: string): DedustPoolRecord | undefined;
  /** The data cell of an account as a bag of cells. */
  dataOf(address: string): Buffer | undefined;
}
