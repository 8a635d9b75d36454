import { messagesOf } from '../../rules/message-layouts.ts';

export const JETTONS = `
  0 0f8a7ea5 jetton_transfer = query_id u64, amount vu16, destination addr, response_destination addr,
    custom_payload ^cell?, forward_ton_amount vu16, forward_payload either<cell, ^cell>;
  0 178d4519 jetton_internal_transfer = query_id u64, amount vu16, from addr, response_address addr,
    forward_ton_amount vu16, forward_payload either<cell, ^cell>;
  0 595f07bc jetton_burn = query_id u64, amount vu16, response_destination addr, custom_payload ^cell?;
  1 00000015 minter_jetton_mint = query_id u64, to_address addr, ton_amount coins, master_msg ^cell;
  1 178d4519 jetton_internal_transfer = query_id u64, amount vu16, from addr, response_address addr,
    forward_ton_amount vu16, forward_payload any;
  1 642b7d07 jetton_mint = query_id u64, to_address addrInt, ton_amount coins;
  1 6501f354 jetton_change_admin = query_id u64, new_admin_address addr;
  1 7362d09c jetton_notify = query_id u64, amount vu16, sender addr, forward_payload either<cell, ^cell>;
  1 7bdd97de jetton_burn_notification = query_id u64, amount vu16, sender addr, response_destination addr;
  1 eed236d3 jetton_set_status = query_id u64, status u4;
  12 ac392598 scaled_ui_display_multiplier_changed = numerator vu32, denominator vu32, comment snake?;
`;

export const jetton = messagesOf(JETTONS, 'jetton_');
