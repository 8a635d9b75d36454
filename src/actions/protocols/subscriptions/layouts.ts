import { messagesOf } from '../../rules/message-layouts.ts';

export const SUBSCRIPTIONS = `
  4 508238ec subscription_reduce_payment = query_id u64, new_payment grams;
  4 73756273 subscription_payment = rest any;
  4 756e6b77 subscription_fallback = rest any;
  4 f71783cb subscription_deploy = query_id u64, first_charging_date u32, payment_per_period grams,
    period u32, grace_period u32, caller_fee grams, withdraw_address addrInt, withdraw_msg_body ^cell,
    metadata ^cell;
  5 64737472 wallet_plugin_destruct = query_id u64;
  5 6e6f7465 wallet_plugin_installation_notification = query_id u64;
  5 706c7567 payment_request = query_id u64, amount @CurrencyCollection;
  5 e4737472 wallet_plugin_destruct_response = query_id u64;
  5 f06c7567 payment_confirmed = query_id u64;
`;

export const subscription = messagesOf(SUBSCRIPTIONS, 'subscription_');
