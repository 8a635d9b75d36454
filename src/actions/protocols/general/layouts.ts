/** Comments and other messages that many contracts use. */
export const GENERAL = `
  0 3a86f1a0 lock_and_claim = query_id u64, proof ^cell?;
  0 4d696e65 gram_submit_proof_of_work = flags u8, expire u32, whom b256, rdata1 b256, rseed u128,
    rdata2 b256;
  0 7aa23eb5 invoice_payload = id b128, url @PaymentProviderUrl;
  1 00000000 text_comment = text snake;
  1 1690c604 credit = query_id u64, amount coins;
  1 2167da4b encrypted_text_comment = cipher_text @Bytes;
  1 7b4b42e6 approve = query_id u64;
  1 d372158c top_up = query_id u64;
  1 d53276db excess = query_id u64;
  1 e8a0abfe disapprove = query_id u64;
  1 ffffffff bounce = payload cell;
  2 00000000 text_comment = text ^snake;
  3 53f34cd6 update_pubkey = query_id u64, new_pubkey b256;
  12 ccc2c823 nerd_qr_verify = item_id u32, signature b512;
  13 2167da4b encrypted_text_comment_forward_payload = cipher_text @Bytes;
  13 7aa23eb5 invoice_payload_forward_payload = id b128, url @PaymentProviderUrl;

  Bytes _ = cell;
  PaymentProviderUrl none #00;
  PaymentProviderUrl tonsite #01 = address b256;
`;

/** Types of messages inside bodies: headers, states and actions. */
export const MESSAGE_TYPES = `
  CommonMsgInfoRelaxed int_msg_info $0 = ihr_disabled bool, bounce bool, bounced bool, src addr,
    dest addrInt, value @CurrencyCollection, ihr_fee grams, fwd_fee grams, created_lt u64, created_at u32;
  CommonMsgInfoRelaxed ext_out_msg_info $11 = src addr, dest addrExt, created_lt u64, created_at u32;
  CurrencyCollection currencies = grams grams, other @ExtraCurrencyCollection;
  ExtraCurrencyCollection extra_currencies = dict dict<32, vu32>;
  LibRef libref_hash $0 = lib_hash b256;
  LibRef libref_ref $1 = library ^cell;
  MessageRelaxed<X> message = info @CommonMsgInfoRelaxed, init either<@StateInit, ^@StateInit>?,
    body either<@X, ^@X>;
  ModeWithMessage _ = mode u8, msg ^@MessageRelaxed<any>;
  OutAction action_send_msg #0ec3c86d = mode u8, out_msg ^@MessageRelaxed<any>;
  OutAction action_set_code #ad4de08e = new_code ^cell;
  OutAction action_reserve_currency #36e6b809 = mode u8, currency @CurrencyCollection;
  OutAction action_change_library #26fa1dd4 = mode u7, libref @LibRef;
  OutList<0> out_list_empty;
  OutList<n+1> out_list = prev ^@OutList<n>, action @OutAction;
  StateInit _ = fixed_prefix_length u5?, special @TickTock?, code ^cell?, data ^cell?, library ^cell?;
  TickTock tick_tock = tick bool, tock bool;
`;
