export const PYTH = `
  5 00000001 pyth_update_guardian_set = ^{version u8, guardian_set_index u32, signatures_length u8,
    rest_signatures any};
  6 00000006 pyth_parse_unique_price_feed_updates = update_data ^cell, price_ids ^cell, publish_time u64,
    max_staleness u64, target_address addr, custom_payload ^cell;
  7 00000005 pyth_parse_price_feed_updates = update_data ^cell, price_ids ^cell, min_publish_time u64,
    max_publish_time u64, target_address addr, custom_payload ^cell;
  7 00000006 pyth_parse_unique_price_feed_updates = number_of_price_feeds u8, price_feeds ^cell,
    sender_address addr, custom_payload any;
  7 00010001 pyth_response_success = result ^cell, original_custom_payload ^cell;
  7 00010002 pyth_response_error = error_code u32, original_op_code u32, original_custom_payload ^cell;
`;
