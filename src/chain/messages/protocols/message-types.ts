/** What messages in bodies are made of: their headers, states and actions. */
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
