/** Account statuses in transactions. */
export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist';

/** A message of a trace. Addresses are raw with upper-case digits, hashes are base64. */
export interface MessageFacts {
  readonly hash: string;
  /** Null for an external in message. */
  readonly source: string | null;
  /** Null for an external out message. */
  readonly destination: string | null;
  readonly value: bigint | null;
  /** Amounts by decimal currency id. */
  readonly extraCurrencies: Readonly<Record<string, string>>;
  readonly createdLt: bigint | null;
  readonly createdAt: number | null;
  /** The first 32 bits of the body, unsigned; null if it is shorter. */
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  /** A bag of cells; undefined if it is not in the index. */
  readonly body: Buffer | undefined;
  /** The state init as a bag of cells. */
  readonly init: Buffer | undefined;
}

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
  /** Why the compute phase was skipped: `no_state`, `bad_state`, `no_gas` or `suspended`. */
  readonly skippedReason: string | null;
  readonly exitCode: number | null;
  readonly inMessage: MessageFacts | undefined;
  /** In sending order. */
  readonly outMessages: readonly MessageFacts[];
}

/** A complete trace: the on-chain input of classification. */
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

export interface ClassifierInput {
  readonly trace: TraceFacts;
  readonly interfaces: Interfaces;
}

/** A jetton wallet. All addresses here are raw with upper-case digits. */
export interface JettonWalletRecord {
  readonly address: string;
  readonly owner: string;
  readonly jetton: string;
}

export interface NftItemRecord {
  readonly address: string;
  readonly index: bigint;
  readonly collection: string | null;
  readonly content: Readonly<Record<string, unknown>> | null;
  /** Base64; null if unknown. */
  readonly codeHash: string | null;
}

interface NftMarketRecord {
  readonly marketplace: string | null;
  readonly nft: string;
  readonly nftOwner: string | null;
  readonly codeHash: string | null;
}

export interface NftSaleRecord extends NftMarketRecord {
  readonly fullPrice: bigint;
}

export interface NftAuctionRecord extends NftMarketRecord {
  readonly lastBid: bigint;
}

export interface MultisigOrderRecord {
  readonly address: string;
  readonly multisig: string;
  readonly signers: readonly string[];
}

/** One asset of a pool: TON, or a jetton master. */
export interface PoolAsset {
  readonly isTon: boolean;
  readonly address: string | null;
}

/** A DeDust pool with its two assets in pool order. */
export interface DedustPoolRecord {
  readonly assets: readonly [PoolAsset, PoolAsset];
}

/** Known contracts during classification; undefined if an account does not have the interface. */
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
  /** The hash of the code of an account, base64. */
  codeHashOf(address: string): string | undefined;
  /** The hash of the code of the wallets of a jetton, base64. */
  walletCodeHashOf(jetton: string): string | undefined;
}
