import { BIDASK } from './bidask.ts';
import { COFFEE } from './coffee.ts';
import { DEDUST, DEDUST_V2 } from './dedust.ts';
import { EVAA, EVAA_TYPES } from './evaa.ts';
import { GENERAL, MESSAGE_TYPES } from './general.ts';
import { MOON } from './moon.ts';
import { COCOON, ORACLES, STORAGE } from './services.ts';
import { STAKING } from './staking.ts';
import { STONFI } from './stonfi.ts';
import { STORM, STORM_TYPES } from './storm.ts';
import { DNS, JETTONS, NFT_MARKETS, NFTS, TELEMINT } from './tokens.ts';
import { TONCO } from './tonco.ts';
import { MULTISIG, PAYMENT_CHANNELS, WALLETS } from './wallets.ts';

/** All tables of constructors, in the notation of `notation.ts`. Their order does not matter. */
export const ALL_PROTOCOLS: readonly string[] = [
  BIDASK,
  PAYMENT_CHANNELS,
  COCOON,
  COFFEE,
  DEDUST,
  DEDUST_V2,
  EVAA_TYPES,
  EVAA,
  GENERAL,
  JETTONS,
  NFT_MARKETS,
  MESSAGE_TYPES,
  MOON,
  MULTISIG,
  DNS,
  NFTS,
  ORACLES,
  STAKING,
  STONFI,
  STORAGE,
  STORM_TYPES,
  STORM,
  TELEMINT,
  TONCO,
  WALLETS,
];
