import {
  addr,
  bool,
  type DetailFields,
  type DetailSource,
  described,
  detailTable,
  fields,
  int,
  list,
  object,
  onlyIf,
  optional,
  str,
} from './action-detail-fields.ts';
import {
  claimedRewards,
  dnsValue,
  evaaAsset,
  extraOr,
  isDex,
  isKnownEvaaAsset,
  isPurchase,
  marketplaceOf,
  nftComment,
  ofProvider,
  poolOrDeposit,
  stakingProvider,
} from './action-detail-rules.ts';

const CALL = 'opcode? source? destination? value?';
const DOMAIN = 'source asset=destination nft_collection=asset';
const SUBSCRIPTION = 'subscriber=source beneficiary=destination? subscription=destination_secondary';

const swapTransfer = (group: string) =>
  object(
    'ActionDetailsJettonSwapTransfer',
    fields(group, '.asset .source .destination .source_jetton_wallet .destination_jetton_wallet .amount'),
  );

const dexOf = (
  group: string,
  description = 'One of `stonfi`, `stonfi_v2`, `dedust`, `dedust_v2`, `tonco` and `coffee`.',
) => ({ dex: described(str(`${group}.dex`), description) });

const SWAP = [
  'sender=source asset_in=asset asset_out=asset2',
  {
    dex_incoming_transfer: swapTransfer('jetton_swap.dex_incoming_transfer'),
    dex_outgoing_transfer: swapTransfer('jetton_swap.dex_outgoing_transfer'),
    peer_swaps: list('ActionDetailsJettonSwapPeerSwap', 'jetton_swap.peer_swaps', {
      asset_in: addr,
      amount_in: str,
      asset_out: addr,
      amount_out: str,
    }),
  },
];

const PROVIDER = { provider: str(stakingProvider) };
const STAKE = 'stake_holder=source pool=destination';

const NFT = 'nft_item=asset_secondary nft_collection=asset';
const ITEM = 'nft_collection=asset nft_item=asset_secondary';
const OWNED_ITEM = `${ITEM} nft_listing.nft_item_index owner=source listing_address=source_secondary`;
const FEE_ADDRESSES = 'nft_listing.marketplace_fee_address nft_listing.royalty_address';
const LISTED_PRICES = 'nft_listing.full_price nft_listing.marketplace_fee nft_listing.royalty_amount';

const nameOfMarketplace = marketplaceOf('nft_transfer.marketplace_address');
const MARKETPLACE = { marketplace: str(nameOfMarketplace) };

const CANCELLED_AUCTION = [
  `owner=source ${NFT} auction_address=destination nft_transfer.marketplace_address`,
  MARKETPLACE,
];

const nftTransfer = (payout: DetailSource, royalty: DetailSource) => [
  fields(
    'nft_transfer',
    `${ITEM} .nft_item_index old_owner=source? new_owner=destination .is_purchase .price? .query_id ` +
      '.response_destination .custom_payload .forward_payload .forward_amount',
  ),
  {
    comment: str((row, context) => nftComment(row, context)?.text),
    is_encrypted_comment: bool((row, context) => nftComment(row, context)?.isEncrypted),
    marketplace: str((row, context) => (isPurchase(row) ? nameOfMarketplace(row, context) : null)),
  },
  fields('nft_transfer', 'real_old_owner=.real_prev_owner .marketplace_address .payout_amount'),
  { payout_address: addr(payout) },
  fields('nft_transfer', '.payout_comment .payout_comment_encrypted .payout_comment_encoded .royalty_amount'),
  { royalty_address: addr(royalty) },
];

const PUT_ON_AUCTION = [
  `${OWNED_ITEM} auction_address=destination marketplace_address=destination_secondary ` +
    'marketplace_fee_factor=nft_listing.mp_fee_factor marketplace_fee_base=nft_listing.mp_fee_base ' +
    `nft_listing.royalty_fee_base nft_listing.max_bid nft_listing.min_bid ${FEE_ADDRESSES}`,
  { marketplace: str(marketplaceOf('destination_secondary')) },
];

const JVAULT_UNSTAKE = [
  'source stake_wallet=source_secondary pool=destination amount',
  // Stored in the column `opcode`.
  { exit_code: int('opcode') },
  'asset staking_asset=asset2',
];

const TGBTC_MINT = [
  'source destination amount asset',
  { bitcoin_tx_id: str(extraOr('btc_txid', 'asset_secondary')) },
  'destination_wallet=destination_secondary',
];
const TGBTC_BURN = 'source source_wallet=source_secondary destination amount asset';
const TGBTC_NEW_KEY = [
  'source',
  { pubkey: str(extraOr('pubkey', 'source_secondary')) },
  'coordinator=destination pegout=destination_secondary amount asset',
];

const COFFEE_STAKE =
  'source source_jetton_wallet=source_secondary pool=destination pool_jetton_wallet=destination_secondary asset amount';

const DEDUST_V2_CLAIM = [
  { dex: str(() => 'dedust_v2') },
  'source pool=destination position=destination_secondary',
];
const claimed = (column: string) =>
  described(addr(`dex_withdraw_liquidity.${column}`), 'Null for TON, and if nothing was paid.');

const LAYERZERO_SEND = {
  layerzero_send_data: object(
    'ActionDetailsLayerZeroSendDetails',
    fields(
      'layerzero_send',
      '.send_request_id .msglib_manager .msglib .uln .native_fee .zro_fee .endpoint .channel',
    ),
  ),
};
const LAYERZERO_PACKET = {
  layerzero_packet_data: object(
    'ActionDetailsLayerZeroPacket',
    fields('layerzero_packet', '.src_oapp .dst_oapp .src_eid .dst_eid .nonce .guid .message'),
  ),
};

const EXTENSION = 'wallet=source extension=destination';

const LAUNCHPAD_TRADE: readonly (string | DetailFields)[] = [
  {
    launchpad: described(
      str('launchpad_trade.launchpad'),
      'One of `gaspump`, `blum`, `tonfun`, `memeslab` and `uranus`.',
    ),
  },
  'trader=source asset jetton_amount=amount ton_amount=value',
  { fee: described(str('launchpad_trade.fee'), 'In TON; null if the launchpad does not log it.') },
];

const tradoorOperation = (group: string) => ({
  op_type: described(
    int(`${group}.op_type`),
    'In version 3: 3 liquidation, 4 automatic deleveraging, 10 increase at the market, 11 increase at a limit, 12 decrease at the market, 13 take profit, 14 stop loss.',
  ),
});

/** The details of each action type: their keys and the columns that they come from. */
export const ACTION_DETAILS: Readonly<Record<string, DetailFields>> = detailTable({
  call_contract: `${CALL} extra_currencies=value_extra_currencies`,
  contract_deploy: CALL,
  ton_transfer: 'source destination value value_extra_currencies comment=.content .encrypted',
  tick_tock: [],
  change_dns: ['change_dns_record.key', { value: object('ActionDetailsChangeDnsValue', dnsValue) }, DOMAIN],
  delete_dns: `hash=change_dns_record.key ${DOMAIN}`,
  renew_dns: DOMAIN,
  election_deposit: 'stake_holder=source amount?',
  election_recover: 'stake_holder=source amount?',
  subscribe: `${SUBSCRIPTION} amount`,
  unsubscribe: `${SUBSCRIPTION} amount?`,
  multisig_create_order:
    '.query_id .order_seqno .is_created_by_signer .is_signed_by_creator .creator_index .expiration_date .order_boc ' +
    'source destination destination_order=destination_secondary',
  multisig_approve: '.signer_index .exit_code source destination',
  multisig_execute:
    '.query_id .order_seqno .expiration_date .approvals_num .signers_hash .order_boc source destination',
  vesting_send_message:
    '.query_id .message_boc source vesting=destination destination=destination_secondary amount',
  vesting_add_whitelist: '.query_id .accounts_added source vesting=destination',

  jetton_transfer:
    'asset sender=source receiver=destination sender_jetton_wallet=source_secondary ' +
    'receiver_jetton_wallet=destination_secondary amount .comment .is_encrypted_comment .query_id ' +
    '.response_destination .custom_payload .forward_payload .forward_amount',
  jetton_mint:
    'asset receiver=destination receiver_jetton_wallet=destination_secondary amount ton_amount=value',
  jetton_burn: 'owner=source owner_jetton_wallet=source_secondary asset amount',
  jetton_swap: [
    dexOf('jetton_swap'),
    ...SWAP,
    {
      min_out_amount: described(
        onlyIf(isDex('tonco', 'dedust_v2'), str('jetton_swap.min_out_amount')),
        'The least amount that the sender accepted; only for `tonco` and `dedust_v2`.',
      ),
    },
  ],
  dex_deposit_liquidity: [
    dexOf('dex_deposit_liquidity'),
    'amount_1=.amount1 amount_2=.amount2 asset_1=.asset1 asset_2=.asset2 .user_jetton_wallet_1 .user_jetton_wallet_2 ' +
      'source pool=destination',
    {
      destination_liquidity: described(
        addr(poolOrDeposit),
        'The pool; for `dedust` and `dedust_v2` the deposit contract in front of it.',
      ),
    },
    '.lp_tokens_minted .target_asset_1 .target_asset_2 .target_amount_1 .target_amount_2',
    {
      vault_excesses: list('ActionDetailsLiquidityVaultExcess', 'dex_deposit_liquidity.vault_excesses', {
        asset: addr,
        amount: str,
      }),
    },
    '.tick_lower .tick_upper .nft_index .nft_address',
  ],
  dex_withdraw_liquidity: [
    dexOf('dex_withdraw_liquidity'),
    'amount_1=.amount1 amount_2=.amount2 asset_1=.asset1_out asset_2=.asset2_out .user_jetton_wallet_1 ' +
      '.user_jetton_wallet_2 .lp_tokens_burnt',
    { is_refund: bool(() => null) },
    'source pool=destination destination_liquidity=destination burnt_nft_index=.burned_nft_index ' +
      'burnt_nft_address=.burned_nft_address .tick_lower .tick_upper',
  ],
  stake_deposit: [
    PROVIDER,
    `${STAKE} amount staking.tokens_minted asset`,
    { source_asset: optional(addr(ofProvider('ethena', 'asset2'))) },
  ],
  stake_withdrawal: [PROVIDER, `${STAKE} amount payout_nft=staking.ts_nft staking.tokens_burnt asset`],
  stake_withdrawal_request: [
    PROVIDER,
    `${STAKE} payout_nft=staking.ts_nft asset`,
    {
      tokens_burnt: str(ofProvider('liquid_staking', 'amount')),
      tokens_minted: optional(str(ofProvider('ethena', 'staking.tokens_minted'))),
    },
  ],

  nft_mint: `owner=source? ${NFT} .nft_item_index`,
  nft_transfer: nftTransfer('nft_listing.marketplace_fee_address', 'nft_listing.royalty_address'),
  nft_purchase: nftTransfer('nft_transfer.real_prev_owner', () => null),
  nft_discovery: `source ${NFT} nft_transfer.nft_item_index`,
  dns_purchase:
    `${ITEM} nft_transfer.nft_item_index new_owner=destination nft_transfer.price nft_transfer.query_id ` +
    'nft_transfer.payout_amount',
  dns_release:
    'nft_transfer.query_id source nft_item=destination nft_collection=asset nft_transfer.nft_item_index value',
  nft_put_on_sale: [
    `${OWNED_ITEM} sale_address=destination marketplace_address=destination_secondary ${LISTED_PRICES} ${FEE_ADDRESSES}`,
    MARKETPLACE,
  ],
  nft_put_on_auction: PUT_ON_AUCTION,
  teleitem_start_auction: PUT_ON_AUCTION,
  nft_cancel_sale: [
    `owner=source ${NFT} sale_address=destination nft_transfer.marketplace_address`,
    MARKETPLACE,
  ],
  nft_cancel_auction: CANCELLED_AUCTION,
  teleitem_cancel_auction: CANCELLED_AUCTION,
  nft_finish_auction: CANCELLED_AUCTION,
  nft_update_sale: [
    'source sale_contract=destination nft_address=asset_secondary nft_transfer.marketplace_address',
    MARKETPLACE,
    LISTED_PRICES,
  ],
  auction_bid: `amount=value bidder=source auction=destination ${NFT} nft_transfer.nft_item_index`,
  auction_outbid: [
    `auction_address=source bidder=destination new_bidder=source_secondary ${NFT} amount comment=ton_transfer.content?`,
    { marketplace: optional(MARKETPLACE.marketplace) },
  ],

  evaa_supply:
    '.sender_jetton_wallet .recipient_jetton_wallet .master_jetton_wallet .master .asset_id .is_ton source ' +
    'source_wallet=source_secondary recipient=destination recipient_contract=destination_secondary asset amount',
  evaa_withdraw:
    '.recipient_jetton_wallet .master_jetton_wallet .master .fail_reason .asset_id source recipient=destination ' +
    'owner_contract=destination_secondary asset amount',
  evaa_liquidate: [
    '.fail_reason .debt_amount source borrower=destination borrower_contract=destination_secondary',
    // The asset id, decimal.
    { collateral: str('asset') },
    '.asset_id',
    { asset: addr(evaaAsset), is_known_asset: bool(isKnownEvaaAsset) },
    'amount',
  ],
  jvault_claim: [
    { claimed_rewards: list('JettonAmountPair', claimedRewards, { jetton: addr, amount: str }) },
    'source stake_wallet=source_secondary pool=destination',
  ],
  jvault_stake:
    '.period .minted_stake_jettons .stake_wallet source source_jetton_wallet=source_secondary asset pool=destination ' +
    'amount',
  jvault_unstake: JVAULT_UNSTAKE,
  jvault_unstake_request: JVAULT_UNSTAKE,
  tgbtc_mint: TGBTC_MINT,
  tgbtc_mint_fallback: TGBTC_MINT,
  tgbtc_burn: TGBTC_BURN,
  tgbtc_burn_fallback: TGBTC_BURN,
  tgbtc_new_key: TGBTC_NEW_KEY,
  tgbtc_new_key_fallback: TGBTC_NEW_KEY,
  tgbtc_dkg_log_fallback: [
    'coordinator=source',
    { pubkey: str(extraOr('pubkey', 'asset')) },
    'timestamp=value',
  ],

  dedust_v2_claim_fees: [
    ...DEDUST_V2_CLAIM,
    { asset_1: claimed('asset1_out'), asset_2: claimed('asset2_out') },
    fields(
      'dex_withdraw_liquidity',
      'amount_1=.amount1 amount_2=.amount2 .user_jetton_wallet_1 .user_jetton_wallet_2 .dex_jetton_wallet_1 ' +
        '.dex_jetton_wallet_2',
    ),
  ],
  dedust_v2_claim_reward: [
    ...DEDUST_V2_CLAIM,
    { asset: claimed('asset1_out') },
    fields(
      'dex_withdraw_liquidity',
      'amount=.amount1 user_jetton_wallet=.user_jetton_wallet_1 dex_jetton_wallet=.dex_jetton_wallet_1',
    ),
  ],
  tonco_deploy_pool:
    'source pool=destination_secondary router=destination router_jetton_wallet_1=.jetton0_router_wallet ' +
    'router_jetton_wallet_2=.jetton1_router_wallet jetton_minter_1=.jetton0_minter jetton_minter_2=.jetton1_minter ' +
    '.tick_spacing .initial_price_x96 .protocol_fee .lp_fee_base .lp_fee_current .pool_active',
  coffee_create_vault: 'source vault=destination asset value',
  coffee_create_pool:
    'source source_jetton_wallet=source_secondary .initiator_1 .initiator_2 pool=destination .pool_creator_contract ' +
    '.provided_asset amount asset_1=asset asset_2=asset2 .amount_1 .amount_2 .lp_tokens_minted',
  coffee_create_pool_creator:
    'source source_jetton_wallet=source_secondary deposit_recipient=destination ' +
    'pool_creator_contract=destination_secondary coffee_create_pool.provided_asset asset_1=asset asset_2=asset2 amount',
  coffee_mev_protect_hold_funds:
    'source source_jetton_wallet=source_secondary mev_contract=destination ' +
    'mev_contract_jetton_wallet=destination_secondary asset amount',
  coffee_staking_deposit: `${COFFEE_STAKE} .minted_item_address .minted_item_index`,
  coffee_staking_withdraw: `${COFFEE_STAKE} .nft_address .nft_index .points`,
  coffee_staking_claim_rewards:
    'pool=source pool_jetton_wallet=source_secondary recipient=destination ' +
    'recipient_jetton_wallet=destination_secondary asset amount',

  layerzero_send: ['initiator=source', LAYERZERO_SEND, LAYERZERO_PACKET],
  layerzero_send_tokens: [
    'sender=source sender_wallet=source_secondary oapp=destination oapp_wallet=destination_secondary asset amount',
    LAYERZERO_SEND,
    LAYERZERO_PACKET,
  ],
  layerzero_receive: ['sender=source oapp=destination channel=destination_secondary', LAYERZERO_PACKET],
  layerzero_commit_packet: [
    'sender=source endpoint=source_secondary uln=destination uln_connection=destination_secondary channel=asset ' +
      'msglib_connection=asset_secondary',
    LAYERZERO_PACKET,
  ],
  layerzero_dvn_verify: 'initiator=source .nonce .status .dvn .proxy .uln .uln_connection',
  cocoon_worker_payout:
    '.payout_type .query_id .new_tokens .worker_state .worker_tokens source destination amount',
  cocoon_proxy_payout: '.query_id source destination',
  cocoon_proxy_charge: '.query_id .new_tokens_used .expected_address source destination',
  cocoon_client_top_up: '.query_id source destination amount',
  cocoon_register_proxy: '.query_id destination',
  cocoon_unregister_proxy: '.query_id .seqno destination',
  cocoon_client_register: '.query_id .nonce source destination',
  cocoon_client_change_secret_hash: '.query_id .new_secret_hash source destination',
  cocoon_client_request_refund: '.query_id .via_wallet source destination',
  cocoon_grant_refund: '.query_id .new_tokens_used .expected_address source destination amount',
  cocoon_client_increase_stake: '.query_id .new_stake source destination amount',
  cocoon_client_withdraw: '.query_id .withdraw_amount source destination amount',

  add_extension: EXTENSION,
  remove_extension: EXTENSION,
  set_signature_allowed: 'wallet=source .allowed',
  gas_relay: 'relayer=source target=destination amount',
  purchase: [
    'source destination',
    { asset: described(addr('asset'), 'Null for TON.') },
    'amount value_extra_currencies',
    { invoice_id: described(str('purchase.invoice_id'), 'A UUID.') },
  ],
  flawed_jetton_transfer: [
    'asset sender=source receiver=destination sender_jetton_wallet=source_secondary ' +
      'receiver_jetton_wallet=destination_secondary .sent_amount received_amount=amount',
    fields(
      'jetton_transfer',
      '.comment .is_encrypted_comment .query_id .response_destination .custom_payload .forward_payload ' +
        '.forward_amount',
    ),
  ],
  dex_swap: [
    dexOf('jetton_swap', 'One of `bidask`, `megaton` and `moon`.'),
    ...SWAP,
    {
      min_out_amount: described(
        str('jetton_swap.min_out_amount'),
        'The least amount that the sender accepted; null if the exchange does not say it.',
      ),
    },
  ],
  launchpad_buy: LAUNCHPAD_TRADE,
  launchpad_sell: LAUNCHPAD_TRADE,
  tradoor_order: [
    'trader=source pool=destination',
    tradoorOperation('tradoor_order'),
    '.token_id .is_long .margin_delta .size_delta .trigger_price .trigger_above .execution_fee .order_id',
  ],
  tradoor_position: [
    'trader=source pool=destination .is_increase',
    tradoorOperation('tradoor_position'),
    '.token_id .is_long .position_id .order_id .margin_delta .margin_after .size_delta .size_after .trade_price ' +
      '.entry_price',
  ],
});
