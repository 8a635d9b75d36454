import { messagesOf } from '../../rules/message-layouts.ts';

export const MULTISIG = `
  2 75097f5d multisig_execute = query_id u64, order_seqno u256, expiration_date u48, approvals_num u8,
    signers_hash b256, order ^@MultisigOrder;
  2 82609bf6 multisig_approve_accepted = query_id u64;
  2 9c73fba2 multisig_order_init = query_id u64, threshold u8, signers ^tree<8, addrInt>,
    expiration_date u48, order ^@MultisigOrder, signer_index u8?;
  2 a32c59bf multisig_execute_internal = query_id u64, order ^@MultisigOrder;
  2 a762230f multisig_approve = query_id u64, signer_index u8;
  2 afaf283e multisig_approve_rejected = query_id u64, exit_code u32;
  2 f718510f mulisig_new_order = query_id u64, order_seqno u256, signer bool, index u8, expiration_date u48,
    order ^@MultisigOrder;

  MulisigAction send_message #f1381e5b = mode u8, message ^@MessageRelaxed<any>;
  MulisigAction update_multisig_param #1d0cfbd3 = threshold u8, signers ^tree<8, addrInt>, proposers dict<8,
    addrInt>;
  MultisigOrder _ = tree<8, ^@MulisigAction>;
`;

export const multisig = messagesOf(MULTISIG, 'multisig_');
