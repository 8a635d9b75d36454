import type { DetailFields } from './detail-fields.ts';
import { BASIC_DETAILS } from './details/basic-details.ts';
import { LENDING_DETAILS } from './details/lending-details.ts';
import { NETWORK_DETAILS } from './details/network-details.ts';
import { NFT_DETAILS } from './details/nft-details.ts';
import { POOL_DETAILS } from './details/pool-details.ts';
import { TOKEN_DETAILS } from './details/token-details.ts';

/** What is shown of each type of actions: its keys, and the columns that they come from. */
export const ACTION_DETAILS: Readonly<Record<string, DetailFields>> = {
  ...BASIC_DETAILS,
  ...TOKEN_DETAILS,
  ...NFT_DETAILS,
  ...LENDING_DETAILS,
  ...POOL_DETAILS,
  ...NETWORK_DETAILS,
};
