/** The states of an account as transactions name them. */
export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist';

/** A message of a trace. Addresses are raw with upper-case digits, hashes base64. */
export interface MessageFacts {
  readonly hash: string;
  /** Null for one from outside the chain. */
  readonly source: string | null;
  /** Null for one that leaves the chain. */
  readonly destination: string | null;
  readonly value: bigint | null;
  /** Amounts by the decimal number of the currency. */
  readonly extraCurrencies: Readonly<Record<string, string>>;
  readonly createdLt: bigint | null;
  readonly createdAt: number | null;
  /** The first 32 bits of the body, unsigned; null when it has fewer. */
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  /** A bag of cells; undefined when the index does not have it. */
  readonly body: Buffer | undefined;
  /** The state init as a bag of cells. */
  readonly init: Buffer | undefined;
}

/** A transaction of a trace. */
export interface TransactionFacts {
  readonly hash: string;
  readonly account: string;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly origStatus: AccountStatus;
  readonly endStatus: AccountStatus;
  readonly tickTock: boolean;
  readonly aborted: boolean;
  /** Why the contract did not run: `no_state`, `bad_state`, `no_gas` or `suspended`. */
  readonly skippedReason: string | null;
  readonly exitCode: number | null;
  readonly inMessage: MessageFacts | undefined;
  /** In the order in which they were sent. */
  readonly outMessages: readonly MessageFacts[];
}

/** A complete trace: all that a classification reads of the chain itself. */
export interface TraceFacts {
  readonly traceId: string;
  readonly externalHash: string | null;
  readonly externalHashNorm: string | null;
  readonly mcSeqnoEnd: number;
  readonly startLt: bigint;
  readonly endLt: bigint;
  readonly startUtime: number;
  readonly endUtime: number;
  readonly transactions: readonly TransactionFacts[];
}

/** What a classification is made of. */
export interface ClassifierInput {
  readonly trace: TraceFacts;
  readonly interfaces: Interfaces;
}

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
