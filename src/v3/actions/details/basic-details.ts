import {
  addr,
  addrs,
  amounts,
  bool,
  type DetailFields,
  int,
  num,
  object,
  opcode,
  optional,
  str,
} from '../detail-fields.ts';
import { dnsValue } from '../detail-rules.ts';

const ENDS = { source: addr('source'), destination: addr('destination') };

const DOMAIN = { source: addr('source'), asset: addr('destination'), nft_collection: addr('asset') };

const CALL = {
  opcode: optional(opcode('opcode')),
  source: optional(addr('source')),
  destination: optional(addr('destination')),
  value: optional(num('value')),
};

/** Details of calls, transfers, names, subscriptions, elections, multisigs and vestings. */
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
  change_dns: { key: str('change_dns_record.key'), value: object(dnsValue), ...DOMAIN },
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
    query_id: num('multisig_create_order.query_id'),
    order_seqno: num('multisig_create_order.order_seqno'),
    is_created_by_signer: bool('multisig_create_order.is_created_by_signer'),
    is_signed_by_creator: bool('multisig_create_order.is_signed_by_creator'),
    creator_index: int('multisig_create_order.creator_index'),
    expiration_date: int('multisig_create_order.expiration_date'),
    order_boc: str('multisig_create_order.order_boc'),
    ...ENDS,
    destination_order: addr('destination_secondary'),
  },
  multisig_approve: {
    signer_index: int('multisig_approve.signer_index'),
    exit_code: int('multisig_approve.exit_code'),
    ...ENDS,
  },
  multisig_execute: {
    query_id: num('multisig_execute.query_id'),
    order_seqno: num('multisig_execute.order_seqno'),
    expiration_date: int('multisig_execute.expiration_date'),
    approvals_num: int('multisig_execute.approvals_num'),
    signers_hash: str('multisig_execute.signers_hash'),
    order_boc: str('multisig_execute.order_boc'),
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
