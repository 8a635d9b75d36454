/** Signing key of imgproxy paths; without a key the imgproxy must accept unsigned ones. */
export interface ImgproxySettings {
  readonly key?: Buffer | undefined;
  readonly salt?: Buffer | undefined;
}

export interface MetadataSettings {
  /** Whether off-chain documents are fetched; on-chain content is used in any case. */
  readonly isOn: boolean;
  /** URL prefixes of IPFS files, in the order in which they are tried: `https://ipfs.io/ipfs/`. Images use the first. */
  readonly ipfsGateways: readonly string[];
  /** URL prefix of TON Storage bags; without it they are not fetched. */
  readonly tonStorageGateway?: string | undefined;
  /** Maximum concurrent fetches. */
  readonly concurrency: number;
  /** Maximum concurrent fetches per host; a gateway may take half of all. */
  readonly perHost: number;
  /** Left out when image variants are not wanted. */
  readonly imgproxy?: ImgproxySettings | undefined;
}

export const METADATA_SETTINGS: MetadataSettings = {
  isOn: true,
  ipfsGateways: ['https://ipfs.io/ipfs/'],
  concurrency: 16,
  perHost: 4,
};
