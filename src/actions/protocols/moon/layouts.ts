import { messagesOf } from '../../rules/message-layouts.ts';

export const MOON = `
  2 1e8d79c4 moon_cancel_order = query_id u64;
  2 49f48ee9 moon_order_cancelled = query_id u64;
  2 96612e37 moon_order_payout = query_id u64;
  2 96aa1586 moon_boost_pool = query_id u64;
  2 983432e2 moon_deploy_order = query_id u64, order_fee u8, order_data @MoonOrderParams, pipes ^cell;
  2 99b49842 moon_fill_order = query_id u64, recipient addr, recipient_payload ^cell?, reject_address addr;
  2 b31db781 moon_deposit_liquidity = query_id u64, min_lp_out vu16;
  2 b37a900b moon_swap = query_id u64, amount vu16, swap_params @MoonSwapParams;
  2 b4fc3916 moon_vesting_payout = query_id u64;
  2 c47c1f57 moon_swap_failed = rest any;
  2 cb7f38d6 moon_swap_succeed = rest any;
  2 da067c19 moon_create_order = query_id u64, asset2_id addr, order_data @MoonOrderParams;
  13 96aa1586 moon_boost_pool_forward_payload = rest any;
  13 99b49842 moon_fill_order_forward_payload = recipient addr, recipient_payload ^cell?,
    reject_address addr;
  13 b31db781 moon_deposit_liquidity_forward_payload = min_lp_out vu16;
  13 b37a900b moon_swap_forward_payload = swap_params @MoonSwapParams;
  13 c47c1f57 moon_swap_failed_forward_payload = rest any;
  13 cb7f38d6 moon_swap_succeed_forward_payload = rest any;
  13 da067c19 moon_create_order_forward_payload = asset1_id addr, asset2_id addr,
    order_data @MoonOrderParams;

  MoonNextPayload next_payload = recipient addr, payload ^cell?;
  MoonOrderParams order_data = rate u256, lock u2, vesting_time u64;
  MoonSwapParams swap_params = min_out vu16, deadline u64, excess addr?, referral addr?,
    next_fulfill ^@MoonNextPayload?, next_reject ^@MoonNextPayload?;
`;

export const moon = messagesOf(MOON, 'moon_');
