import { messagesOf } from '../../rules/message-layouts.ts';

/** Messages of proxy TON (pTON), with which STON.fi and TONCO take TON. */
export const PTON = `
  3 01f3835d pton_ton_transfer = query_id u64, ton_amount coins, refund_address addr,
    forward_payload either<cell, ^cell>;
  3 29d22935 pton_reset_gas = query_id u64;
  3 4f5f4313 pton_deploy_wallet = query_id u64, owner_address addr, excesses_address addr;
  3 6540cf85 pton_internal_deploy = query_id u64, excesses_address addr;
  3 ae25d79e pton_ton_refund = query_id u64;
`;

export const pton = messagesOf(PTON, 'pton_');
