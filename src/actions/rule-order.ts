import {
  cocoonClientChangeSecretHash,
  cocoonClientIncreaseStake,
  cocoonClientRegister,
  cocoonClientRequestRefund,
  cocoonClientTopUp,
  cocoonClientWithdraw,
  cocoonGrantRefund,
  cocoonProxyCharge,
  cocoonProxyPayout,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonWorkerPayout,
} from './protocols/cocoon/rules.ts';
import {
  coffeeCreatePool,
  coffeeCreatePoolCreator,
  coffeeCreateVault,
  coffeeDeposit,
  coffeeMevFailedSwap,
  coffeeMevHoldFunds,
  coffeeSwap,
  coffeeWithdraw,
} from './protocols/coffee/rules.ts';
import {
  coffeeStakingClaim,
  coffeeStakingDeposit,
  coffeeStakingWithdraw,
} from './protocols/coffee/staking.ts';
import { dedustDeposit, dedustFirstDeposit, dedustSwap, dedustWithdraw } from './protocols/dedust/rules.ts';
import {
  dedustV2ClaimFees,
  dedustV2ClaimReward,
  dedustV2Deposit,
  dedustV2FirstDeposit,
  dedustV2Withdraw,
} from './protocols/dedust/v2-liquidity.ts';
import { dedustV2FailedSwap, dedustV2Swap } from './protocols/dedust/v2-swaps.ts';
import { dnsPurchase, dnsRecords, dnsRelease } from './protocols/dns/rules.ts';
import { ethenaDeposit, ethenaWithdrawalRequest } from './protocols/ethena/rules.ts';
import { evaaLiquidate, evaaSupply, evaaWithdraw } from './protocols/evaa/rules.ts';
import {
  intendedJettonTransfer,
  jettonBurn,
  jettonMint,
  jettonTransfer,
  ptonTransfer,
} from './protocols/jettons/rules.ts';
import { jvaultClaim, jvaultStake, jvaultUnstake, jvaultUnstakeRequest } from './protocols/jvault/rules.ts';
import {
  layerzeroCommitPacket,
  layerzeroDvnVerify,
  layerzeroReceive,
  layerzeroSend,
  layerzeroSendTokens,
} from './protocols/layerzero/rules.ts';
import { multisigApprove, multisigCreateOrder, multisigExecute } from './protocols/multisig/rules.ts';
import {
  auctionBid,
  auctionOutbid,
  nftAuctionReturned,
  nftAuctionSold,
  nftCancelSale,
  nftListing,
  nftPurchase,
  nftUpdateSale,
} from './protocols/nfts/market.ts';
import { nftDiscovery, nftMint, nftOwnershipNotification, nftTransfer } from './protocols/nfts/rules.ts';
import { teleitemCancelAuction, teleitemStartAuction } from './protocols/nfts/teleitem.ts';
import {
  electionDeposit,
  electionRecover,
  liquidStakingDeposit,
  liquidStakingPayout,
  liquidStakingWithdrawal,
  nominatorDeposit,
  nominatorPayouts,
  nominatorWithdrawal,
} from './protocols/staking/rules.ts';
import { stonfiV1Swap, stonfiV2Deposit, stonfiV2Swap, stonfiV2Withdraw } from './protocols/stonfi/rules.ts';
import { subscribe, unsubscribe } from './protocols/subscriptions/rules.ts';
import {
  tgbtcBurn,
  tgbtcBurnLog,
  tgbtcKeyMadeLog,
  tgbtcMint,
  tgbtcMintLog,
  tgbtcNewKey,
  tgbtcNewKeyLog,
} from './protocols/tgbtc/rules.ts';
import { toncoDeployPool, toncoDeposit, toncoSwap, toncoWithdraw } from './protocols/tonco/rules.ts';
import { vestingSend, vestingWhitelist } from './protocols/vesting/rules.ts';
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
  multisigCreateOrder,
  multisigApprove,
  multisigExecute,
  vestingSend,
  vestingWhitelist,
  nominatorDeposit,
  nominatorWithdrawal,
  nominatorPayouts,
  // Jettons.
  jettonTransfer,
  ptonTransfer,
  dedustWithdraw,
  jettonBurn,
  // Swaps, and liquidity of DeDust v2.
  dedustSwap,
  dedustV2Swap,
  dedustV2FailedSwap,
  dedustV2Withdraw,
  dedustV2Deposit,
  dedustV2FirstDeposit,
  dedustV2ClaimFees,
  dedustV2ClaimReward,
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
  teleitemStartAuction,
  teleitemCancelAuction,
  nftDiscovery,
  dnsRecords,
  // Elections, subscriptions, auctions.
  electionDeposit,
  electionRecover,
  subscribe,
  unsubscribe,
  auctionBid,
  auctionOutbid,
  nftCancelSale,
  nftAuctionSold,
  nftAuctionReturned,
  // Mints.
  ethenaWithdrawalRequest,
  jettonMint,
  ethenaDeposit,
  // Liquidity of STON.fi v2.
  stonfiV2Deposit,
  stonfiV2Withdraw,
  // JVault and EVAA.
  jvaultStake,
  jvaultUnstake,
  jvaultClaim,
  jvaultUnstakeRequest,
  evaaSupply,
  evaaWithdraw,
  evaaLiquidate,
  // tgBTC, and its logs alone.
  tgbtcMint,
  tgbtcBurn,
  tgbtcNewKey,
  tgbtcMintLog,
  tgbtcBurnLog,
  tgbtcNewKeyLog,
  tgbtcKeyMadeLog,
  // TONCO and swap.coffee.
  toncoDeposit,
  toncoDeployPool,
  toncoWithdraw,
  coffeeDeposit,
  coffeeSwap,
  coffeeWithdraw,
  coffeeCreateVault,
  coffeeCreatePoolCreator,
  coffeeCreatePool,
  coffeeMevHoldFunds,
  coffeeMevFailedSwap,
  coffeeStakingDeposit,
  coffeeStakingWithdraw,
  coffeeStakingClaim,
  // LayerZero.
  layerzeroSend,
  layerzeroSendTokens,
  layerzeroReceive,
  layerzeroCommitPacket,
  layerzeroDvnVerify,
  // Cocoon.
  cocoonWorkerPayout,
  cocoonProxyPayout,
  cocoonProxyCharge,
  cocoonClientTopUp,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonClientRegister,
  cocoonClientChangeSecretHash,
  cocoonClientRequestRefund,
  cocoonGrantRefund,
  cocoonClientIncreaseStake,
  cocoonClientWithdraw,
];

/** Rules for the messages inside a rejected external message. */
export const RULES_FOR_REJECTED_EXTERNALS: readonly Rule[] = [intendedJettonTransfer];
