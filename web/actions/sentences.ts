/**
 * Each type of action in words, as a wallet would say it. In braces: how a detail is shown and its name. A part in
 * brackets is left out where one of its details is missing.
 *
 * account  an account            ton    an amount in nanotons
 * token    an amount and its jetton, TON where there is no jetton
 * nft      an item or collection text   a comment        plain  a short text or number
 * operation  an opcode between source and destination
 */
export const sentences: Readonly<Record<string, string>> = {
  ton_transfer: '{account source} sent {ton value} to {account destination}[: {text comment}]',
  extra_currency_transfer:
    '{account source} sent extra currencies[ and {ton value}] to {account destination}[: {text comment}]',
  call_contract: '{account source} called {account destination}[ with {ton value}][: {operation opcode}]',
  // A call that is a message sent back.
  bounce: '{account source} sent back {ton value} to {account destination}: the message was not accepted',
  contract_deploy: '{account destination} was deployed[ by {account source}][ with {ton value}]',
  tick_tock: 'A contract of the masterchain ran by the clock',

  jetton_transfer: '{account sender} sent {token amount asset} to {account receiver}[: {text comment}]',
  jetton_mint: '{account receiver} received {token amount asset}, newly minted',
  jetton_burn: '{account owner} burned {token amount asset}',
  jetton_swap:
    '{account sender} swapped {token dex_incoming_transfer.amount dex_incoming_transfer.asset} for {token dex_outgoing_transfer.amount dex_outgoing_transfer.asset}[ on {plain dex}]',
  dex_deposit_liquidity:
    '{account source} added liquidity[: {token amount_1 asset_1}][ and {token amount_2 asset_2}][ to {account pool}][ on {plain dex}]',
  dex_withdraw_liquidity:
    '{account source} withdrew liquidity[: {token amount_1 asset_1}][ and {token amount_2 asset_2}][ from {account pool}][ on {plain dex}]',

  stake_deposit:
    '{account stake_holder} staked {token amount source_asset}[ in {account pool}][ with {plain provider}]',
  stake_withdrawal:
    '{account stake_holder} withdrew a stake[ of {ton amount}][ from {account pool}][ with {plain provider}]',
  stake_withdrawal_request:
    '{account stake_holder} asked to withdraw a stake[ of {token tokens_burnt asset}][ from {account pool}][ with {plain provider}]',
  election_deposit: '{account stake_holder} put {ton amount} at stake in the validator elections',
  election_recover: '{account stake_holder} took back a stake[ of {ton amount}] from the validator elections',

  nft_mint: '{nft nft_item} was minted[ in {nft nft_collection}][ by {account owner}]',
  nft_transfer: '[{account old_owner} ]gave {nft nft_item} to {account new_owner}[: {text comment}]',
  nft_purchase: '{account new_owner} bought {nft nft_item}[ for {ton price}][ from {account old_owner}]',
  nft_discovery: '{account source} asked {nft nft_item} who owns it',
  nft_put_on_sale:
    '{account owner} put {nft nft_item} on sale[ for {ton full_price}][ on {plain marketplace}]',
  nft_cancel_sale: '{account owner} took {nft nft_item} off sale',
  nft_update_sale: '{account source} changed the price of {nft nft_address}[ to {ton full_price}]',
  nft_put_on_auction: '{account owner} put {nft nft_item} up for auction[ from {ton min_bid}]',
  nft_cancel_auction: '{account owner} cancelled the auction of {nft nft_item}',
  nft_finish_auction: 'The auction of {nft nft_item} ended[, started by {account owner}]',
  teleitem_start_auction: '{account owner} started an auction of {nft nft_item}[ from {ton min_bid}]',
  teleitem_cancel_auction: '{account owner} cancelled the auction of {nft nft_item}',
  auction_bid: '{account bidder} bid {ton amount}[ for {nft nft_item}]',
  auction_outbid: '{account bidder} was outbid[ by {account new_bidder}] and got back {ton amount}',

  change_dns: '{account source} changed a record of the domain {nft asset}',
  delete_dns: '{account source} deleted a record of the domain {nft asset}',
  renew_dns: '{account source} renewed the domain {nft asset}',
  dns_purchase: '{account new_owner} bought the domain {nft nft_item}[ for {ton price}]',
  dns_release: '{account source} released the domain {nft nft_item}',

  subscribe: '{account subscriber} subscribed to {account beneficiary}[ for {ton amount}]',
  unsubscribe: '{account subscriber} ended the subscription to {account beneficiary}',

  multisig_create_order:
    '{account source} created order[ {plain order_seqno}] of the multisig {account destination}',
  multisig_approve: '{account source} approved the multisig order {account destination}',
  multisig_execute: 'The multisig {account destination} executed order[ {plain order_seqno}]',
  vesting_send_message:
    '{account source} sent[ {ton amount}] from the vesting contract {account vesting}[ to {account destination}]',
  vesting_add_whitelist: '{account source} added receivers to the vesting contract {account vesting}',

  evaa_supply: '{account source} supplied {token amount asset} to EVAA',
  evaa_withdraw: '{account source} withdrew {token amount asset} from EVAA',
  evaa_liquidate: '{account source} liquidated {account borrower} on EVAA[, {token amount asset}]',
  jvault_stake: '{account source} staked {token amount asset} in the JVault pool {account pool}',
  jvault_unstake: '{account source} unstaked {token amount asset} from the JVault pool {account pool}',
  jvault_unstake_request:
    '{account source} asked to unstake {token amount asset} from the JVault pool {account pool}',
  dedust_v2_claim_fees:
    '{account source} claimed fees of the DeDust pool {account pool}[: {token amount_1 asset_1}][ and {token amount_2 asset_2}]',
  dedust_v2_claim_reward:
    '{account source} claimed {token amount asset} as a reward of the DeDust pool {account pool}',

  jvault_claim: '{account source} claimed rewards of the JVault pool {account pool}',

  tgbtc_mint: '{account destination} received {token amount asset}, minted for bitcoins',
  tgbtc_mint_fallback: 'Minting of {token amount asset} for {account destination} failed',
  tgbtc_burn: '{account source} burned {token amount asset} for bitcoins',
  tgbtc_burn_fallback: 'Burning of {token amount asset} by {account source} failed',
  tgbtc_new_key: '{account coordinator} has a new tgBTC key',
  tgbtc_new_key_fallback: 'A new tgBTC key of {account coordinator} failed',
  tgbtc_dkg_log_fallback: '{account coordinator} logged a failed generation of tgBTC keys',

  tonco_deploy_pool: '{account source} created the TONCO pool {account pool}',
  coffee_create_vault: '{account source} created the Coffee vault {account vault}',
  coffee_create_pool: '{account source} created the Coffee pool {account pool}',
  coffee_create_pool_creator: '{account source} prepared a Coffee pool[ with {token amount provided_asset}]',
  coffee_mev_protect_hold_funds: '{account source} put {token amount asset} into Coffee’s MEV protection',
  coffee_mev_protect_failed_swap: 'A swap protected by Coffee failed',
  coffee_staking_deposit: '{account source} staked {token amount asset} in Coffee[ pool {account pool}]',
  coffee_staking_withdraw: '{account source} withdrew {token amount asset} from Coffee staking',
  coffee_staking_claim_rewards: '{account recipient} claimed {token amount asset} of Coffee staking rewards',

  layerzero_send: '{account initiator} sent a LayerZero message',
  layerzero_send_tokens: '{account sender} sent {token amount asset} through LayerZero',
  layerzero_receive: '{account oapp} received a LayerZero message[ from {account sender}]',
  layerzero_commit_packet: '{account sender} committed a LayerZero packet',
  layerzero_dvn_verify: '{account initiator} verified a LayerZero packet[: {plain status}]',

  cocoon_worker_payout: 'Cocoon paid[ {ton amount}] to the worker {account destination}',
  cocoon_proxy_payout: 'Cocoon paid the proxy {account destination}',
  cocoon_proxy_charge: 'The Cocoon proxy {account source} charged {account destination}',
  cocoon_client_top_up:
    '{account source} topped up the Cocoon client {account destination}[ with {ton amount}]',
  cocoon_register_proxy: 'A proxy was registered with Cocoon at {account destination}',
  cocoon_unregister_proxy: 'A proxy was removed from Cocoon at {account destination}',
  cocoon_client_register: '{account source} registered with the Cocoon client {account destination}',
  cocoon_client_change_secret_hash:
    '{account source} changed the secret of the Cocoon client {account destination}',
  cocoon_client_request_refund: '{account source} asked the Cocoon client {account destination} for a refund',
  cocoon_grant_refund:
    'The Cocoon client {account source} got a refund[ of {ton amount}] from {account destination}',
  cocoon_client_increase_stake:
    '{account source} raised the stake of the Cocoon client {account destination}[ to {ton new_stake}]',
  cocoon_client_withdraw:
    '{account source} withdrew[ {ton withdraw_amount}] from the Cocoon client {account destination}',

  add_extension: '{account wallet} got the extension {account extension}',
  remove_extension: '{account wallet} lost the extension {account extension}',
  set_signature_allowed: '{account wallet} changed whether its key may sign',
  gas_relay: '{account relayer} brought a signed request to {account target} with {ton amount} for its gas',
  purchase: '{account source} paid an invoice of {account destination}[: {token amount asset}]',
  flawed_jetton_transfer:
    '{account sender} sent {token sent_amount asset} to {account receiver}, who received {token received_amount asset}[: {text comment}]',
  dex_swap:
    '{account sender} swapped {token dex_incoming_transfer.amount dex_incoming_transfer.asset}[ for {token dex_outgoing_transfer.amount dex_outgoing_transfer.asset}][ on {plain dex}]',
  launchpad_buy:
    '{account trader} bought {token jetton_amount asset} for {ton ton_amount}[ on {plain launchpad}]',
  launchpad_sell:
    '{account trader} sold {token jetton_amount asset} for {ton ton_amount}[ on {plain launchpad}]',

  tradoor_order: '{account trader} placed order[ {plain order_id}] on Tradoor',
  tradoor_position: '{account trader} changed position[ {plain position_id}] on Tradoor',

  unknown: 'Something that is not recognised',
};

/** A part of a sentence: plain words, a detail to show, or parts that stand or fall together. */
export type SentencePart =
  | { readonly words: string }
  | { readonly show: string; readonly names: readonly string[] }
  | { readonly optional: readonly SentencePart[] };

export function readSentence(text: string): readonly SentencePart[] {
  const parts: SentencePart[] = [];
  for (const [whole, optional, detail] of text.matchAll(/\[([^\]]*)\]|\{([^}]*)\}|[^[{]+/g)) {
    if (optional !== undefined) parts.push({ optional: readSentence(optional) });
    else if (detail !== undefined) {
      const [show = '', ...names] = detail.split(' ');
      parts.push({ show, names });
    } else parts.push({ words: whole });
  }
  return parts;
}

/** A detail by its name; dots lead into objects. */
export function detailOf(details: unknown, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      details,
    );
}

/** Whether a part can be shown: its first detail is there. Of an amount of tokens, no asset means TON. */
export function isPresent(part: SentencePart, details: unknown): boolean {
  if ('words' in part) return true;
  if ('optional' in part) return part.optional.every((one) => isPresent(one, details));
  const value = detailOf(details, part.names[0]!);
  return value !== undefined && value !== null && value !== '';
}
