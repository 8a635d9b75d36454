import { messagesOf } from '../../rules/message-layouts.ts';

/** Logs of a pool of perpetual futures, as far as rules read them. TON Center's decoder does not know them. */
const TRADOOR = `
  0 2353464c decreased = trx_id u64, order_id u64, op_type u8, position_id u64, account addr, token_id u16,
    is_long bool, margin_delta i128, margin_after coins, size_delta i128, size_after coins,
    prices ^@TradoorPrices;
  0 47596abe increased = trx_id u64, order_id u64, op_type u8, position_id u64, account addr, token_id u16,
    is_long bool, margin_delta i128, margin_after coins, size_delta i128, size_after coins,
    prices ^@TradoorPrices;
  0 ad8e31ef order_created = op_type u8, token_id u16, account addr, is_long bool, margin_delta coins,
    size_delta coins, trigger_price u128, trigger_above bool, execution_fee coins, order_id u64;

  TradoorPrices _ = trade_price u128, entry_price u128;
`;

export const tradoor = messagesOf(TRADOOR);
