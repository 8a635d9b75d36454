export const PAYMENT_CHANNELS = `
  2 088eaa32 challenge_quarantined_channel_state = challenged_by_A bool, signature b512, tag u32,
    channel_id u128, sch_A ^@SignedSemiChannel, sch_B ^@SignedSemiChannel;
  2 0e0620c2 init_payment_channel = is_A bool, signature b512, tag u32, channel_id u128, balance_A coins,
    balance_B coins;
  2 1f151acf start_uncooperative_channel_close = signed_by_A bool, signature b512, tag u32, channel_id u128,
    sch_A ^@SignedSemiChannel, sch_B ^@SignedSemiChannel;
  2 25432a91 finish_uncooperative_channel_close = rest any;
  2 5577587e channel_cooperative_close = sig_A ^b512, sig_B ^b512, tag u32, channel_id u128,
    balance_A coins, balance_B coins, seqno_A u64, seqno_B u64;
  2 66f6f069 settle_channel_conditionals = from_A bool, signature b512, tag u32, channel_id u128,
    conditionals_to_settle dict<32, cell>;
  2 67c7d281 top_up_channel_balance = add_A coins, add_B coins;
  2 79a126ef channel_cooperative_commit = sig_A ^b512, sig_B ^b512, tag u32, channel_id u128, seqno_A u64,
    seqno_B u64;
  2 dddc88ba channel_closed = channel_id u128;

  ConditionalPayment cp = amount coins, condition cell;
  SemiChannel semichannel_state #43685374 = channel_id u128, data @SemiChannelBody,
    counterparty_data ^@SemiChannelBody?;
  SemiChannelBody sc_body = seqno u64, sent coins, conditionals dict<32, @ConditionalPayment>;
  SignedSemiChannel signed_schs = signature b512, state @SemiChannel;
`;
