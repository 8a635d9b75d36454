import { bidaskRules } from './protocols/bidask/rules.ts';
import { cocoonRules } from './protocols/cocoon/rules.ts';
import { coffeeRules } from './protocols/coffee/rules.ts';
import { dedustDeposit, dedustFirstDeposit, dedustSwap, dedustWithdraw } from './protocols/dedust/rules.ts';
import { dedustV2Rules } from './protocols/dedust/v2-rules.ts';
import { dnsPurchase, dnsRecords, dnsRelease } from './protocols/dns/rules.ts';
import { ethenaDeposit, ethenaWithdrawalRequest } from './protocols/ethena/rules.ts';
import { evaaRules } from './protocols/evaa/rules.ts';
import { invoiceRules } from './protocols/invoices/rules.ts';
import { flawedJettonTransfer } from './protocols/jettons/flawed-transfer.ts';
import {
  intendedJettonTransfer,
  jettonBurn,
  jettonMint,
  jettonTransfer,
  ptonTransfer,
} from './protocols/jettons/rules.ts';
import { jvaultRules } from './protocols/jvault/rules.ts';
import { launchpadRules } from './protocols/launchpads/rules.ts';
import { layerzeroRules } from './protocols/layerzero/rules.ts';
import { megatonSwap } from './protocols/megaton/rules.ts';
import { moonRules } from './protocols/moon/rules.ts';
import { multisigRules } from './protocols/multisig/rules.ts';
import {
  auctionBid,
  auctionOutbid,
  marketEnds,
  nftListing,
  nftPurchase,
  nftUpdateSale,
  teleitemRules,
} from './protocols/nfts/market.ts';
import { nftDiscovery, nftMint, nftOwnershipNotification, nftTransfer } from './protocols/nfts/rules.ts';
import {
  electionRules,
  liquidStakingDeposit,
  liquidStakingPayout,
  liquidStakingWithdrawal,
  nominatorRules,
} from './protocols/staking/rules.ts';
import { stonfiV1Swap, stonfiV2Liquidity, stonfiV2Swap } from './protocols/stonfi/rules.ts';
import { subscriptionRules } from './protocols/subscriptions/rules.ts';
import { tgbtcRules } from './protocols/tgbtc/rules.ts';
import { toncoPools, toncoSwap } from './protocols/tonco/rules.ts';
import { tradoorRules } from './protocols/tradoor/rules.ts';
import { vestingRules } from './protocols/vesting/rules.ts';
import { walletRules } from './protocols/wallets/rules.ts';
import type { AdditionalRule } from './rules/additional.ts';
import type { Rule } from './rules/rule.ts';

/**
 * The rules in order, each applied to the whole tree: later rules see blocks composed by earlier ones. The order is part
 * of the contract.
 */
export const RULES: readonly Rule[] = [
  // Rules that need the bare messages of jettons and NFTs.
  nftMint,
  liquidStakingPayout,
  dedustDeposit,
  dedustFirstDeposit,
  liquidStakingDeposit,
  liquidStakingWithdrawal,
  ...multisigRules,
  ...vestingRules,
  ...nominatorRules,
  // Jettons.
  jettonTransfer,
  ptonTransfer,
  dedustWithdraw,
  jettonBurn,
  // Swaps, and liquidity of DeDust v2.
  dedustSwap,
  ...dedustV2Rules,
  stonfiV1Swap,
  stonfiV2Swap,
  toncoSwap,
  // Domains, NFTs and their sales.
  dnsRelease,
  dnsPurchase,
  nftUpdateSale,
  nftTransfer,
  nftOwnershipNotification,
  nftPurchase,
  nftListing,
  ...teleitemRules,
  nftDiscovery,
  dnsRecords,
  // Elections, subscriptions, auctions.
  ...electionRules,
  ...subscriptionRules,
  auctionBid,
  auctionOutbid,
  ...marketEnds,
  // Mints.
  ethenaWithdrawalRequest,
  jettonMint,
  ethenaDeposit,
  // Liquidity of STON.fi v2.
  ...stonfiV2Liquidity,
  // JVault and EVAA.
  ...jvaultRules,
  ...evaaRules,
  // tgBTC, and its logs alone.
  ...tgbtcRules,
  // TONCO and swap.coffee.
  ...toncoPools,
  ...coffeeRules,
  // LayerZero.
  ...layerzeroRules,
  // Cocoon.
  ...cocoonRules,
];

/** Rules for the messages inside a rejected external message. */
export const RULES_FOR_REJECTED_EXTERNALS: readonly Rule[] = [intendedJettonTransfer];

/** Rules for actions that the reference does not have, in any order: clients ask for their types by name. */
export const ADDITIONAL_RULES: readonly AdditionalRule[] = [
  ...walletRules,
  ...invoiceRules,
  flawedJettonTransfer,
  ...launchpadRules,
  ...bidaskRules,
  ...moonRules,
  megatonSwap,
  ...tradoorRules,
];
