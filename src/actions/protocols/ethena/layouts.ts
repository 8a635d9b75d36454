import { messagesOf } from '../../rules/message-layouts.ts';

/** The transfer of tsUSDe after its cooldown, which is not shown decoded. */
const ETHENA = `
  0 b2583ed5 timelocked_transfer = query_id u64, amount coins;
`;

/** Messages of Ethena by name. */
export const ethena = messagesOf(ETHENA);
