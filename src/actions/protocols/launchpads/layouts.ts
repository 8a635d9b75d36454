import { messagesOf } from '../../rules/message-layouts.ts';

/** Logs of the trades of launchpads, as far as rules read them. Those of TON Center's decoder are with the smaller exchanges. */
const GASPUMP = `
  0 67617301 deploy_and_buy = trader addr, input_ton_amount coins, ton_amount coins, jetton_amount coins,
    fee coins;
  0 67617302 buy = trader addr, input_ton_amount coins, ton_amount coins, jetton_amount coins, fee coins;
  0 67617303 sell = trader addr, ton_amount coins, jetton_amount coins, fee coins;
`;

const BLUM = `
  0 ceac8af4 buy = trader addr, ton_amount coins, jetton_amount coins;
  0 ef2e2def sell = trader addr, ton_amount coins, jetton_amount coins;
`;

const TONFUN = `
  0 cd78325d buy = trader addr, ton_amount coins, jetton_amount coins;
  0 5e97d116 sell = trader addr, ton_amount coins, jetton_amount coins;
`;

const MEMESLAB = `
  0 ace8e777 buy = query_id u64, base_reserve u64, quote_reserve u64, ton_amount u64, jetton_amount u64,
    trader addr;
  0 ace8e778 sell = query_id u64, base_reserve u64, quote_reserve u64, ton_amount u64, jetton_amount u64,
    trader addr;
`;

const URANUS = `
  0 a0aa6bc2 buy = trader addr, amount_in coins, amount_out coins;
  0 3ab0fccc sell = trader addr, amount_in coins, amount_out coins;
`;

export const gaspump = messagesOf(GASPUMP);
export const blum = messagesOf(BLUM);
export const tonfun = messagesOf(TONFUN);
export const memeslab = messagesOf(MEMESLAB);
export const uranus = messagesOf(URANUS);
