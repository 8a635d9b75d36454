import type { Detector } from './detection.ts';
import { DEX_POOL } from './detectors/dex-pools.ts';
import { DNS_ENTRY } from './detectors/dns-entry.ts';
import { NFT_AUCTION, NFT_SALE } from './detectors/nft-sales.ts';
import { NOMINATOR_POOL } from './detectors/pools.ts';
import { TELEMINT_ITEM } from './detectors/telemint-item.ts';
import { JETTON_MASTER, JETTON_WALLET, NFT_COLLECTION, NFT_ITEM } from './detectors/tokens.ts';
import { MULTISIG, MULTISIG_ORDER, VESTING } from './detectors/wallets.ts';

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
