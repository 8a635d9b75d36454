import {
  addr,
  addrs,
  amounts,
  bool,
  columns,
  type DetailFields,
  type DetailSource,
  described,
  int,
  list,
  num,
  object,
  onlyIf,
  opcode,
  optional,
  str,
} from './action-detail-fields.ts';
import {
  dnsValue,
  isDex,
  isPurchase,
  marketplaceOf,
  nftComment,
  ofProvider,
  poolOrDeposit,
  stakingProvider,
} from './action-detail-rules.ts';

const ENDS = { source: addr('source'), destination: addr('destination') };

const DOMAIN = { source: addr('source'), asset: addr('destination'), nft_collection: addr('asset') };

const CALL = {
  opcode: optional(opcode('opcode')),
  source: optional(addr('source')),
  destination: optional(addr('destination')),
  value: optional(num('value')),
};

/** Details of calls, transfers, domains, subscriptions, elections, multisigs and vestings. */
export const BASIC_DETAILS: Readonly<Record<string, DetailFields>> = {
  call_contract: { ...CALL, extra_currencies: amounts('value_extra_currencies') },
  contract_deploy: CALL,
  ton_transfer: {
    ...ENDS,
    value: num('value'),
    value_extra_currencies: amounts('value_extra_currencies'),
    comment: str('ton_transfer.content'),
    encrypted: bool('ton_transfer.encrypted'),
  },
  tick_tock: {},
  change_dns: {
    key: str('change_dns_record.key'),
    value: object('ActionDetailsChangeDnsValue', dnsValue),
    ...DOMAIN,
  },
  delete_dns: { hash: str('change_dns_record.key'), ...DOMAIN },
  renew_dns: DOMAIN,
  election_deposit: { stake_holder: addr('source'), amount: optional(num('amount')) },
  election_recover: { stake_holder: addr('source'), amount: optional(num('amount')) },
  subscribe: {
    subscriber: addr('source'),
    beneficiary: optional(addr('destination')),
    subscription: addr('destination_secondary'),
    amount: num('amount'),
  },
  unsubscribe: {
    subscriber: addr('source'),
    beneficiary: optional(addr('destination')),
    subscription: addr('destination_secondary'),
    amount: optional(num('amount')),
  },
  multisig_create_order: {
    ...columns(num, 'multisig_create_order', 'query_id', 'order_seqno'),
    ...columns(bool, 'multisig_create_order', 'is_created_by_signer', 'is_signed_by_creator'),
    ...columns(int, 'multisig_create_order', 'creator_index', 'expiration_date'),
    order_boc: str('multisig_create_order.order_boc'),
    ...ENDS,
    destination_order: addr('destination_secondary'),
  },
  multisig_approve: {
    ...columns(int, 'multisig_approve', 'signer_index', 'exit_code'),
    ...ENDS,
  },
  multisig_execute: {
    ...columns(num, 'multisig_execute', 'query_id', 'order_seqno'),
    ...columns(int, 'multisig_execute', 'expiration_date', 'approvals_num'),
    ...columns(str, 'multisig_execute', 'signers_hash', 'order_boc'),
    ...ENDS,
  },
  vesting_send_message: {
    query_id: num('vesting_send_message.query_id'),
    message_boc: str('vesting_send_message.message_boc'),
    source: addr('source'),
    vesting: addr('destination'),
    destination: addr('destination_secondary'),
    amount: num('amount'),
  },
  vesting_add_whitelist: {
    query_id: num('vesting_add_whitelist.query_id'),
    accounts_added: addrs('vesting_add_whitelist.accounts_added'),
    source: addr('source'),
    vesting: addr('destination'),
  },
};

const swapTransfer = (path: string) =>
  object('ActionDetailsJettonSwapTransfer', {
    asset: addr(`${path}.asset`),
    source: addr(`${path}.source`),
    destination: addr(`${path}.destination`),
    source_jetton_wallet: addr(`${path}.source_jetton_wallet`),
    destination_jetton_wallet: addr(`${path}.destination_jetton_wallet`),
    amount: num(`${path}.amount`),
  });

const DEX = 'One of `stonfi`, `stonfi_v2`, `dedust`, `dedust_v2`, `tonco` and `coffee`.';

const STAKE = {
  provider: str(stakingProvider),
  stake_holder: addr('source'),
  pool: addr('destination'),
};

/** Details of jetton, DEX and staking actions. */
export const TOKEN_DETAILS: Readonly<Record<string, DetailFields>> = {
  jetton_transfer: {
    asset: addr('asset'),
    sender: addr('source'),
    receiver: addr('destination'),
    sender_jetton_wallet: addr('source_secondary'),
    receiver_jetton_wallet: addr('destination_secondary'),
    amount: num('amount'),
    comment: str('jetton_transfer.comment'),
    is_encrypted_comment: bool('jetton_transfer.is_encrypted_comment'),
    query_id: num('jetton_transfer.query_id'),
    response_destination: addr('jetton_transfer.response_destination'),
    ...columns(str, 'jetton_transfer', 'custom_payload', 'forward_payload'),
    forward_amount: num('jetton_transfer.forward_amount'),
  },
  jetton_mint: {
    asset: addr('asset'),
    receiver: addr('destination'),
    receiver_jetton_wallet: addr('destination_secondary'),
    amount: num('amount'),
    ton_amount: num('value'),
  },
  jetton_burn: {
    owner: addr('source'),
    owner_jetton_wallet: addr('source_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
  },
  jetton_swap: {
    dex: described(str('jetton_swap.dex'), DEX),
    sender: addr('source'),
    asset_in: addr('asset'),
    asset_out: addr('asset2'),
    dex_incoming_transfer: swapTransfer('jetton_swap.dex_incoming_transfer'),
    dex_outgoing_transfer: swapTransfer('jetton_swap.dex_outgoing_transfer'),
    peer_swaps: list('ActionDetailsJettonSwapPeerSwap', 'jetton_swap.peer_swaps', {
      asset_in: addr,
      amount_in: num,
      asset_out: addr,
      amount_out: num,
    }),
    min_out_amount: described(
      onlyIf(isDex('tonco', 'dedust_v2'), num('jetton_swap.min_out_amount')),
      'The least amount that the sender accepted; only for `tonco` and `dedust_v2`.',
    ),
  },
  dex_deposit_liquidity: {
    dex: described(str('dex_deposit_liquidity.dex'), DEX),
    amount_1: num('dex_deposit_liquidity.amount1'),
    amount_2: num('dex_deposit_liquidity.amount2'),
    asset_1: addr('dex_deposit_liquidity.asset1'),
    asset_2: addr('dex_deposit_liquidity.asset2'),
    ...columns(addr, 'dex_deposit_liquidity', 'user_jetton_wallet_1', 'user_jetton_wallet_2'),
    source: addr('source'),
    pool: addr('destination'),
    destination_liquidity: described(
      addr(poolOrDeposit),
      'The pool; for `dedust` and `dedust_v2` the deposit contract in front of it.',
    ),
    lp_tokens_minted: num('dex_deposit_liquidity.lp_tokens_minted'),
    ...columns(addr, 'dex_deposit_liquidity', 'target_asset_1', 'target_asset_2'),
    ...columns(num, 'dex_deposit_liquidity', 'target_amount_1', 'target_amount_2'),
    vault_excesses: list('ActionDetailsLiquidityVaultExcess', 'dex_deposit_liquidity.vault_excesses', {
      asset: addr,
      amount: num,
    }),
    ...columns(num, 'dex_deposit_liquidity', 'tick_lower', 'tick_upper', 'nft_index'),
    nft_address: addr('dex_deposit_liquidity.nft_address'),
  },
  dex_withdraw_liquidity: {
    dex: described(str('dex_withdraw_liquidity.dex'), DEX),
    amount_1: num('dex_withdraw_liquidity.amount1'),
    amount_2: num('dex_withdraw_liquidity.amount2'),
    asset_1: addr('dex_withdraw_liquidity.asset1_out'),
    asset_2: addr('dex_withdraw_liquidity.asset2_out'),
    ...columns(addr, 'dex_withdraw_liquidity', 'user_jetton_wallet_1', 'user_jetton_wallet_2'),
    lp_tokens_burnt: num('dex_withdraw_liquidity.lp_tokens_burnt'),
    is_refund: bool(() => null),
    source: addr('source'),
    pool: addr('destination'),
    destination_liquidity: addr('destination'),
    burnt_nft_index: num('dex_withdraw_liquidity.burned_nft_index'),
    burnt_nft_address: addr('dex_withdraw_liquidity.burned_nft_address'),
    ...columns(num, 'dex_withdraw_liquidity', 'tick_lower', 'tick_upper'),
  },
  stake_deposit: {
    ...STAKE,
    amount: num('amount'),
    tokens_minted: num('staking.tokens_minted'),
    asset: addr('asset'),
    source_asset: optional(addr(ofProvider('ethena', 'asset2'))),
  },
  stake_withdrawal: {
    ...STAKE,
    amount: num('amount'),
    payout_nft: addr('staking.ts_nft'),
    tokens_burnt: num('staking.tokens_burnt'),
    asset: addr('asset'),
  },
  stake_withdrawal_request: {
    ...STAKE,
    payout_nft: addr('staking.ts_nft'),
    asset: addr('asset'),
    tokens_burnt: num(ofProvider('liquid_staking', 'amount')),
    tokens_minted: optional(num(ofProvider('ethena', 'staking.tokens_minted'))),
  },
};

const NFT = { nft_item: addr('asset_secondary'), nft_collection: addr('asset') };

const ITEM = { nft_collection: addr('asset'), nft_item: addr('asset_secondary') };

const nameOfMarketplace = marketplaceOf('nft_transfer.marketplace_address');

const MARKETPLACE = { marketplace: str(nameOfMarketplace) };

const UNLISTED = { marketplace_address: addr('nft_transfer.marketplace_address'), ...MARKETPLACE };

const CANCELLED_AUCTION = {
  owner: addr('source'),
  ...NFT,
  auction_address: addr('destination'),
  ...UNLISTED,
};

const nftTransfer = (payout: DetailSource, royalty: DetailSource): DetailFields => ({
  ...ITEM,
  nft_item_index: num('nft_transfer.nft_item_index'),
  old_owner: optional(addr('source')),
  new_owner: addr('destination'),
  is_purchase: bool('nft_transfer.is_purchase'),
  price: optional(num('nft_transfer.price')),
  query_id: num('nft_transfer.query_id'),
  response_destination: addr('nft_transfer.response_destination'),
  ...columns(str, 'nft_transfer', 'custom_payload', 'forward_payload'),
  forward_amount: num('nft_transfer.forward_amount'),
  comment: str((row, context) => nftComment(row, context)?.text),
  is_encrypted_comment: bool((row, context) => nftComment(row, context)?.isEncrypted),
  marketplace: str((row, context) => (isPurchase(row) ? nameOfMarketplace(row, context) : null)),
  real_old_owner: addr('nft_transfer.real_prev_owner'),
  marketplace_address: addr('nft_transfer.marketplace_address'),
  payout_amount: num('nft_transfer.payout_amount'),
  payout_address: addr(payout),
  payout_comment: str('nft_transfer.payout_comment'),
  ...columns(bool, 'nft_transfer', 'payout_comment_encrypted', 'payout_comment_encoded'),
  royalty_amount: num('nft_transfer.royalty_amount'),
  royalty_address: addr(royalty),
});

const PUT_ON_AUCTION = {
  ...ITEM,
  nft_item_index: num('nft_listing.nft_item_index'),
  owner: addr('source'),
  listing_address: addr('source_secondary'),
  auction_address: addr('destination'),
  marketplace_address: addr('destination_secondary'),
  marketplace_fee_factor: num('nft_listing.mp_fee_factor'),
  marketplace_fee_base: num('nft_listing.mp_fee_base'),
  ...columns(num, 'nft_listing', 'royalty_fee_base', 'max_bid', 'min_bid'),
  ...columns(addr, 'nft_listing', 'marketplace_fee_address', 'royalty_address'),
  marketplace: str(marketplaceOf('destination_secondary')),
};

/** Details of NFT actions. */
export const NFT_DETAILS: Readonly<Record<string, DetailFields>> = {
  nft_mint: { owner: optional(addr('source')), ...NFT, nft_item_index: num('nft_mint.nft_item_index') },
  nft_transfer: nftTransfer('nft_listing.marketplace_fee_address', 'nft_listing.royalty_address'),
  nft_purchase: nftTransfer('nft_transfer.real_prev_owner', () => null),
  nft_discovery: { source: addr('source'), ...NFT, nft_item_index: num('nft_transfer.nft_item_index') },
  dns_purchase: {
    ...ITEM,
    nft_item_index: num('nft_transfer.nft_item_index'),
    new_owner: addr('destination'),
    ...columns(num, 'nft_transfer', 'price', 'query_id', 'payout_amount'),
  },
  dns_release: {
    query_id: num('nft_transfer.query_id'),
    source: addr('source'),
    nft_item: addr('destination'),
    nft_collection: addr('asset'),
    nft_item_index: num('nft_transfer.nft_item_index'),
    value: num('value'),
  },
  nft_put_on_sale: {
    ...ITEM,
    nft_item_index: num('nft_listing.nft_item_index'),
    owner: addr('source'),
    listing_address: addr('source_secondary'),
    sale_address: addr('destination'),
    marketplace_address: addr('destination_secondary'),
    ...columns(num, 'nft_listing', 'full_price', 'marketplace_fee', 'royalty_amount'),
    ...columns(addr, 'nft_listing', 'marketplace_fee_address', 'royalty_address'),
    ...MARKETPLACE,
  },
  nft_put_on_auction: PUT_ON_AUCTION,
  teleitem_start_auction: PUT_ON_AUCTION,
  nft_cancel_sale: { owner: addr('source'), ...NFT, sale_address: addr('destination'), ...UNLISTED },
  nft_cancel_auction: CANCELLED_AUCTION,
  teleitem_cancel_auction: CANCELLED_AUCTION,
  nft_finish_auction: CANCELLED_AUCTION,
  nft_update_sale: {
    source: addr('source'),
    sale_contract: addr('destination'),
    nft_address: addr('asset_secondary'),
    ...UNLISTED,
    ...columns(num, 'nft_listing', 'full_price', 'marketplace_fee', 'royalty_amount'),
  },
  auction_bid: {
    amount: num('value'),
    bidder: addr('source'),
    auction: addr('destination'),
    ...NFT,
    nft_item_index: num('nft_transfer.nft_item_index'),
  },
  auction_outbid: {
    auction_address: addr('source'),
    bidder: addr('destination'),
    new_bidder: addr('source_secondary'),
    ...NFT,
    amount: num('amount'),
    comment: optional(str('ton_transfer.content')),
    marketplace: optional(MARKETPLACE.marketplace),
  },
};
