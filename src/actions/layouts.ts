import { type BodyDecoder, createBodyDecoder } from '../chain/messages/body-decoder.ts';
import { parseScheme } from '../chain/messages/notation.ts';
import { BIDASK } from './protocols/bidask/layouts.ts';
import { COCOON } from './protocols/cocoon/layouts.ts';
import { COFFEE } from './protocols/coffee/layouts.ts';
import { DEDUST, DEDUST_V2 } from './protocols/dedust/layouts.ts';
import { DNS } from './protocols/dns/layouts.ts';
import { EVAA } from './protocols/evaa/layouts.ts';
import { GENERAL, MESSAGE_TYPES } from './protocols/general/layouts.ts';
import { JETTONS } from './protocols/jettons/layouts.ts';
import { JVAULT } from './protocols/jvault/layouts.ts';
import { MOON } from './protocols/moon/layouts.ts';
import { MULTISIG } from './protocols/multisig/layouts.ts';
import { NFTS, TELEMINT } from './protocols/nfts/layouts.ts';
import { PAYMENT_CHANNELS } from './protocols/payment-channels/layouts.ts';
import { PTON } from './protocols/pton/layouts.ts';
import { PYTH } from './protocols/pyth/layouts.ts';
import { SMALLER_EXCHANGES } from './protocols/smaller-exchanges/layouts.ts';
import { STAKING } from './protocols/staking/layouts.ts';
import { STONFI } from './protocols/stonfi/layouts.ts';
import { STORAGE } from './protocols/storage/layouts.ts';
import { STORM, STORM_TYPES } from './protocols/storm/layouts.ts';
import { SUBSCRIPTIONS } from './protocols/subscriptions/layouts.ts';
import { TGBTC } from './protocols/tgbtc/layouts.ts';
import { TONCO } from './protocols/tonco/layouts.ts';
import { VESTING } from './protocols/vesting/layouts.ts';
import { WALLETS } from './protocols/wallets/layouts.ts';

/** The layouts of all bodies that are shown decoded, in the notation of `chain/messages/notation.ts`. Their order does not matter. */
export const ALL_LAYOUTS: readonly string[] = [
  BIDASK,
  COCOON,
  COFFEE,
  DEDUST,
  DEDUST_V2,
  DNS,
  EVAA,
  GENERAL,
  JETTONS,
  JVAULT,
  MESSAGE_TYPES,
  MOON,
  MULTISIG,
  NFTS,
  PAYMENT_CHANNELS,
  PTON,
  PYTH,
  SMALLER_EXCHANGES,
  STAKING,
  STONFI,
  STORAGE,
  STORM,
  STORM_TYPES,
  SUBSCRIPTIONS,
  TELEMINT,
  TGBTC,
  TONCO,
  VESTING,
  WALLETS,
];

/** Creates a decoder of all protocols. The layouts are parsed on first use. */
export function createProtocolDecoder(): BodyDecoder {
  return createBodyDecoder(() => parseScheme(ALL_LAYOUTS));
}
