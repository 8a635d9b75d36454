import type { Detector } from './detector.ts';
import { DEX_POOL } from './detectors/dex-pool.ts';
import { DNS_ENTRY } from './detectors/dns-entry.ts';
import { JETTON_MASTER } from './detectors/jetton-master.ts';
import { JETTON_WALLET } from './detectors/jetton-wallet.ts';
import { MULTISIG } from './detectors/multisig.ts';
import { MULTISIG_ORDER } from './detectors/multisig-order.ts';
import { NFT_AUCTION } from './detectors/nft-auction.ts';
import { NFT_COLLECTION } from './detectors/nft-collection.ts';
import { NFT_ITEM } from './detectors/nft-item.ts';
import { NFT_SALE } from './detectors/nft-sale.ts';
import { NOMINATOR_POOL } from './detectors/nominator-pool.ts';
import { TELEMINT_ITEM } from './detectors/telemint-item.ts';
import { VESTING } from './detectors/vesting.ts';

/** All detectors: one for each table of contracts. A contract may be of several kinds. */
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
