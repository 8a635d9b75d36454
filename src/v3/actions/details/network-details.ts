import { addr, bool, type DetailFields, int, num, object, str } from '../detail-fields.ts';

const ENDS = { source: addr('source'), destination: addr('destination') };

const LAYERZERO_SEND = {
  layerzero_send_data: object({
    send_request_id: int('layerzero_send.send_request_id'),
    msglib_manager: str('layerzero_send.msglib_manager'),
    msglib: str('layerzero_send.msglib'),
    uln: addr('layerzero_send.uln'),
    native_fee: int('layerzero_send.native_fee'),
    zro_fee: int('layerzero_send.zro_fee'),
    endpoint: addr('layerzero_send.endpoint'),
    channel: addr('layerzero_send.channel'),
  }),
};

const LAYERZERO_PACKET = {
  layerzero_packet_data: object({
    src_oapp: str('layerzero_packet.src_oapp'),
    dst_oapp: str('layerzero_packet.dst_oapp'),
    src_eid: int('layerzero_packet.src_eid'),
    dst_eid: int('layerzero_packet.dst_eid'),
    nonce: int('layerzero_packet.nonce'),
    guid: str('layerzero_packet.guid'),
    message: str('layerzero_packet.message'),
  }),
};

/** Details of LayerZero and Cocoon. */
export const NETWORK_DETAILS: Readonly<Record<string, DetailFields>> = {
  layerzero_send: { initiator: addr('source'), ...LAYERZERO_SEND, ...LAYERZERO_PACKET },
  layerzero_send_tokens: {
    sender: addr('source'),
    sender_wallet: addr('source_secondary'),
    oapp: addr('destination'),
    oapp_wallet: addr('destination_secondary'),
    asset: addr('asset'),
    amount: num('amount'),
    ...LAYERZERO_SEND,
    ...LAYERZERO_PACKET,
  },
  layerzero_receive: {
    sender: addr('source'),
    oapp: addr('destination'),
    channel: addr('destination_secondary'),
    ...LAYERZERO_PACKET,
  },
  layerzero_commit_packet: {
    sender: addr('source'),
    endpoint: addr('source_secondary'),
    uln: addr('destination'),
    uln_connection: addr('destination_secondary'),
    channel: addr('asset'),
    msglib_connection: addr('asset_secondary'),
    ...LAYERZERO_PACKET,
  },
  layerzero_dvn_verify: {
    initiator: addr('source'),
    nonce: int('layerzero_dvn_verify.nonce'),
    status: str('layerzero_dvn_verify.status'),
    dvn: addr('layerzero_dvn_verify.dvn'),
    proxy: addr('layerzero_dvn_verify.proxy'),
    uln: addr('layerzero_dvn_verify.uln'),
    uln_connection: addr('layerzero_dvn_verify.uln_connection'),
  },
  cocoon_worker_payout: {
    payout_type: str('cocoon_worker_payout.payout_type'),
    query_id: num('cocoon_worker_payout.query_id'),
    new_tokens: num('cocoon_worker_payout.new_tokens'),
    worker_state: int('cocoon_worker_payout.worker_state'),
    worker_tokens: num('cocoon_worker_payout.worker_tokens'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_proxy_payout: { query_id: num('cocoon_proxy_payout.query_id'), ...ENDS },
  cocoon_proxy_charge: {
    query_id: num('cocoon_proxy_charge.query_id'),
    new_tokens_used: num('cocoon_proxy_charge.new_tokens_used'),
    expected_address: str('cocoon_proxy_charge.expected_address'),
    ...ENDS,
  },
  cocoon_client_top_up: {
    query_id: num('cocoon_client_top_up.query_id'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_register_proxy: {
    query_id: num('cocoon_register_proxy.query_id'),
    destination: addr('destination'),
  },
  cocoon_unregister_proxy: {
    query_id: num('cocoon_unregister_proxy.query_id'),
    seqno: int('cocoon_unregister_proxy.seqno'),
    destination: addr('destination'),
  },
  cocoon_client_register: {
    query_id: num('cocoon_client_register.query_id'),
    nonce: num('cocoon_client_register.nonce'),
    ...ENDS,
  },
  cocoon_client_change_secret_hash: {
    query_id: num('cocoon_client_change_secret_hash.query_id'),
    new_secret_hash: str('cocoon_client_change_secret_hash.new_secret_hash'),
    ...ENDS,
  },
  cocoon_client_request_refund: {
    query_id: num('cocoon_client_request_refund.query_id'),
    via_wallet: bool('cocoon_client_request_refund.via_wallet'),
    ...ENDS,
  },
  cocoon_grant_refund: {
    query_id: num('cocoon_grant_refund.query_id'),
    new_tokens_used: num('cocoon_grant_refund.new_tokens_used'),
    expected_address: str('cocoon_grant_refund.expected_address'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_client_increase_stake: {
    query_id: num('cocoon_client_increase_stake.query_id'),
    new_stake: num('cocoon_client_increase_stake.new_stake'),
    ...ENDS,
    amount: num('amount'),
  },
  cocoon_client_withdraw: {
    query_id: num('cocoon_client_withdraw.query_id'),
    withdraw_amount: num('cocoon_client_withdraw.withdraw_amount'),
    ...ENDS,
    amount: num('amount'),
  },
};
