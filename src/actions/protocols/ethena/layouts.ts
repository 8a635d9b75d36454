import { messagesOf } from '../../rules/message-layouts.ts';

/** The transfer of tsUSDe after its cooldown, which is not shown decoded. */
export const ethena = messagesOf(`
  0 b2583ed5 timelocked_transfer = query_id u64, amount coins;
`);
