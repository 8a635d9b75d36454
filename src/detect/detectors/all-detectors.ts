import type { Detector } from '../detection.ts';
import { DNS_ENTRY } from './dns-entry.ts';
import { NFT_AUCTION, NFT_SALE, TELEMINT_ITEM } from './nft-sales.ts';
import { DEX_POOL, NOMINATOR_POOL } from './pools.ts';
import { JETTON_MASTER, JETTON_WALLET, NFT_COLLECTION, NFT_ITEM } from './tokens.ts';
import { MULTISIG, MULTISIG_ORDER, VESTING } from './wallets.ts';

/** All detectors, one per contract table. A contract may have several interfaces. */
export const DETECTORS: readonly Detector[] = [
  JETTON_MASTER,
  JETTON_WALLET,
  NFT_COLLECTION,
  NFT_ITEM,
  NFT_SALE,
  NFT_AUCTION,
  TELEMINT_ITEM,
  DNS_ENTRY,
  MULTISIG,
  MULTISIG_ORDER,
  VESTING,
  NOMINATOR_POOL,
  DEX_POOL,
];
