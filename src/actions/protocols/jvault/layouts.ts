import { messagesOf, recordReader } from '../../rules/message-layouts.ts';

export const JVAULT = `
  6 0168d4b7 jvault_unstake_request = query_id u64, jettons_to_unstake coins;
  6 076ee4e0 jvault_update_referrer = rest any;
  6 383411ea jvault_set_data = rest any;
  6 44bc1fe3 jvault_send_claimed_rewards = rest any;
  6 499a9262 jvault_unstake_jettons = query_id u64, jettons_to_unstake coins, force_unstake bool;
  6 55c35b40 jvault_request_update_referrer = rest any;
  6 78d9f109 jvault_claim_rewards_msg = query_id u64, jettons_to_claim dict<267, bit>;
  6 ae9307ce jvault_update_rewards = rest any;
  6 d68a4ac1 jvault_receive_jettons = query_id u64, min_deposit coins, max_deposit coins,
    unstake_commission u16, unstake_fee coins, whitelist dict<267, bit>, received_jettons coins;
  6 f5c5baa3 jvault_request_update_rewards = rest any;
`;

/** Messages and contract data of JVault that are not shown decoded. */
const JVAULT_OTHERS = `
  0 9eada1d9 cancel;
  0 c89a3ee4 stake = period u32;

  StakerData _ = pool addr, stake_jetton addr;
  PoolData _ = is_active bool, created_at u32, admin addr, creator addr, lock_wallet addr;
`;

export const jvault = messagesOf(JVAULT, 'jvault_');

export const jvaultOther = messagesOf(JVAULT_OTHERS);

export const stakerDataAt = recordReader(JVAULT_OTHERS, 'StakerData');

export const poolDataAt = recordReader(JVAULT_OTHERS, 'PoolData');
