import { auctionBid, auctionOutbid } from './protocols/auction-bid.ts';
import {
  cocoonClientChangeSecretHash,
  cocoonClientIncreaseStake,
  cocoonClientRegister,
  cocoonClientRequestRefund,
  cocoonClientTopUp,
  cocoonClientWithdraw,
} from './protocols/cocoon-client.ts';
import {
  cocoonGrantRefund,
  cocoonProxyCharge,
  cocoonProxyPayout,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonWorkerPayout,
} from './protocols/cocoon-proxy.ts';
import { coffeeCreatePool, coffeeCreatePoolCreator, coffeeCreateVault } from './protocols/coffee-create.ts';
import { coffeeDeposit } from './protocols/coffee-deposit.ts';
import { coffeeMevFailedSwap, coffeeMevHoldFunds } from './protocols/coffee-mev.ts';
import {
  coffeeStakingClaim,
  coffeeStakingDeposit,
  coffeeStakingWithdraw,
} from './protocols/coffee-staking.ts';
import { coffeeSwap } from './protocols/coffee-swap.ts';
import { coffeeWithdraw } from './protocols/coffee-withdraw.ts';
import { dedustDeposit } from './protocols/dedust-deposit.ts';
import { dedustFirstDeposit } from './protocols/dedust-first-deposit.ts';
import { dedustSwap } from './protocols/dedust-swap.ts';
import { dedustWithdraw } from './protocols/dedust-withdraw.ts';
import { dnsPurchase, dnsRelease } from './protocols/dns-market.ts';
import { dnsRecords } from './protocols/dns-records.ts';
import { electionDeposit, electionRecover } from './protocols/elections.ts';
import { ethenaDeposit, ethenaWithdrawalRequest } from './protocols/ethena.ts';
import { evaaLiquidate } from './protocols/evaa-liquidate.ts';
import { evaaSupply } from './protocols/evaa-supply.ts';
import { evaaWithdraw } from './protocols/evaa-withdraw.ts';
import { jettonBurn, jettonMint } from './protocols/jetton-supply.ts';
import { intendedJettonTransfer, jettonTransfer, ptonTransfer } from './protocols/jetton-transfer.ts';
import { jvaultClaim, jvaultStake } from './protocols/jvault-stake.ts';
import { jvaultUnstake, jvaultUnstakeRequest } from './protocols/jvault-unstake.ts';
import {
  layerzeroCommitPacket,
  layerzeroDvnVerify,
  layerzeroReceive,
} from './protocols/layerzero-receive.ts';
import { layerzeroSend, layerzeroSendTokens } from './protocols/layerzero-send.ts';
import {
  liquidStakingDeposit,
  liquidStakingPayout,
  liquidStakingWithdrawal,
} from './protocols/liquid-staking.ts';
import { multisigApprove, multisigCreateOrder, multisigExecute } from './protocols/multisig.ts';
import { nftAuctionReturned, nftAuctionSold, nftCancelSale } from './protocols/nft-delisting.ts';
import { nftDiscovery } from './protocols/nft-discovery.ts';
import { nftListing } from './protocols/nft-listing.ts';
import { nftMint } from './protocols/nft-mint.ts';
import { nftNotice } from './protocols/nft-notice.ts';
import { nftPurchase } from './protocols/nft-purchase.ts';
import { nftTransfer } from './protocols/nft-transfer.ts';
import { nftUpdateSale } from './protocols/nft-update-sale.ts';
import { nominatorDeposit, nominatorPayouts, nominatorWithdrawal } from './protocols/nominator-pool.ts';
import { stonfiV1Swap } from './protocols/stonfi-v1-swap.ts';
import { stonfiV2Deposit } from './protocols/stonfi-v2-deposit.ts';
import { stonfiV2Swap } from './protocols/stonfi-v2-swap.ts';
import { stonfiV2Withdraw } from './protocols/stonfi-v2-withdraw.ts';
import { subscribe, unsubscribe } from './protocols/subscriptions.ts';
import { teleitemCancelAuction, teleitemStartAuction } from './protocols/teleitem.ts';
import {
  tgbtcBurn,
  tgbtcBurnLog,
  tgbtcKeyMadeLog,
  tgbtcMint,
  tgbtcMintLog,
  tgbtcNewKey,
  tgbtcNewKeyLog,
} from './protocols/tgbtc.ts';
import { toncoDeployPool } from './protocols/tonco-deploy-pool.ts';
import { toncoDeposit } from './protocols/tonco-deposit.ts';
import { toncoSwap } from './protocols/tonco-swap.ts';
import { toncoWithdraw } from './protocols/tonco-withdraw.ts';
import { vestingSend, vestingWhitelist } from './protocols/vesting.ts';
import type { Rule } from './rule.ts';

/**
 * The order in which rules are tried, each on the whole tree: what an earlier one has put together, later ones see as one
 * block. The order is part of the contract.
 */
export const RULES: readonly Rule[] = [
  // 1 to 14: what must see the bare messages of jettons and NFTs.
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
  // 15 to 18: jettons.
  jettonTransfer,
  ptonTransfer,
  dedustWithdraw,
  jettonBurn,
  // 19 to 22: swaps.
  dedustSwap,
  stonfiV1Swap,
  stonfiV2Swap,
  toncoSwap,
  // 23 to 33: names, NFTs and their sales.
  dnsRelease,
  dnsPurchase,
  nftUpdateSale,
  nftTransfer,
  nftNotice,
  nftPurchase,
  nftListing,
  teleitemStartAuction,
  teleitemCancelAuction,
  nftDiscovery,
  dnsRecords,
  // 34 to 42: elections, subscriptions, auctions.
  electionDeposit,
  electionRecover,
  subscribe,
  unsubscribe,
  auctionBid,
  auctionOutbid,
  nftCancelSale,
  nftAuctionSold,
  nftAuctionReturned,
  // 43 to 45: mints.
  ethenaWithdrawalRequest,
  jettonMint,
  ethenaDeposit,
  // 46 and 47: liquidity of STON.fi v2.
  stonfiV2Deposit,
  stonfiV2Withdraw,
  // 48 to 54: JVault and EVAA.
  jvaultStake,
  jvaultUnstake,
  jvaultClaim,
  jvaultUnstakeRequest,
  evaaSupply,
  evaaWithdraw,
  evaaLiquidate,
  // 55 to 61: tgBTC, and its logs where nothing else is known.
  tgbtcMint,
  tgbtcBurn,
  tgbtcNewKey,
  tgbtcMintLog,
  tgbtcBurnLog,
  tgbtcNewKeyLog,
  tgbtcKeyMadeLog,
  // 62 to 75: TONCO and swap.coffee.
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
  // 76 to 80: LayerZero.
  layerzeroSend,
  layerzeroSendTokens,
  layerzeroReceive,
  layerzeroCommitPacket,
  layerzeroDvnVerify,
  // 81 to 92: Cocoon.
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

/** For the messages inside an external one that a wallet refused. */
export const RULES_OF_REFUSED: readonly Rule[] = [intendedJettonTransfer];
