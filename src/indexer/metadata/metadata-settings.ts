/** Signs the paths of an imgproxy; without a key it must take unsigned ones. */
export interface ImgproxySettings {
  readonly key?: Buffer | undefined;
  readonly salt?: Buffer | undefined;
}

/** How what is shown of tokens is gathered. */
export interface MetadataSettings {
  /** Whether anything is fetched from elsewhere; what the chain says is shown in any case. */
  readonly isOn: boolean;
  /** What stands before the name of a file of IPFS: `https://ipfs.io/ipfs/`. */
  readonly ipfsGateway: string;
  /** The same for bags of TON Storage; without it they cannot be fetched. */
  readonly tonStorageGateway?: string | undefined;
  /** Documents that are fetched at once. */
  readonly concurrency: number;
  /** Those of them from one host, at most; gateways may take half of all. */
  readonly perHost: number;
  /** Left out when images come in one size only. */
  readonly imgproxy?: ImgproxySettings | undefined;
}

/** The settings of who says nothing else. */
export const METADATA_SETTINGS: MetadataSettings = {
  isOn: true,
  ipfsGateway: 'https://ipfs.io/ipfs/',
  concurrency: 16,
  perHost: 4,
};
