import { messagesOf } from '../../rules/message-layouts.ts';

export const VESTING = `
  6 7258a69b vesting_add_white_list = query_id u64, addresses_ref_snake any;
  6 a7733acd vesting_send_message = query_id u64, send_mode u8, message ^@MessageRelaxed<any>;
  6 f258a69b vesting_add_white_list_response = query_id u64;
  6 f7733acd vesting_send_message_response = query_id u64;
`;

export const vesting = messagesOf(VESTING, 'vesting_');
