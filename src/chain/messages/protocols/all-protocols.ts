import { BIDASK } from './bidask.ts';
import { CHANNELS } from './channels.ts';
import { COCOON } from './cocoon.ts';
import { COFFEE } from './coffee.ts';
import { DEDUST } from './dedust.ts';
import { EVAA } from './evaa.ts';
import { EVAA_TYPES } from './evaa-types.ts';
import { GENERAL } from './general.ts';
import { JETTONS } from './jettons.ts';
import { MARKETS } from './markets.ts';
import { MESSAGE_TYPES } from './message-types.ts';
import { MOON } from './moon.ts';
import { MULTISIG } from './multisig.ts';
import { NAMES } from './names.ts';
import { NFTS } from './nfts.ts';
import { ORACLES } from './oracles.ts';
import { STAKING } from './staking.ts';
import { STONFI } from './stonfi.ts';
import { STORAGE } from './storage.ts';
import { STORM } from './storm.ts';
import { STORM_TYPES } from './storm-types.ts';
import { TELEMINT } from './telemint.ts';
import { TONCO } from './tonco.ts';
import { WALLETS } from './wallets.ts';

/** Every table of constructors. Their order does not count. */
export const ALL_PROTOCOLS: readonly string[] = [
  BIDASK,
  CHANNELS,
  COCOON,
  COFFEE,
  DEDUST,
  EVAA_TYPES,
  EVAA,
  GENERAL,
  JETTONS,
  MARKETS,
  MESSAGE_TYPES,
  MOON,
  MULTISIG,
  NAMES,
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
