import { messagesOf } from '../../rules/message-layouts.ts';

export const TGBTC = `
  12 27756729 tgbtc_new_key_event = amount coins, new_internal_pubkey u256, pegout_address addr;
  12 453443a6 tgbtc_dkg_completed_event = timestamp u64, internal_pubkey u256;
  12 77a80ef3 tgbtc_mint_event = amount coins, recipient_address addr, bitcoin_txid u256;
  12 ca444ce6 tgbtc_burn_event = amount coins, sender_address addr, pegout_address addr;
`;

export const tgbtcLog = messagesOf(TGBTC, 'tgbtc_');

export const tgbtc = messagesOf(`
  0 3f781d24 claim_mint;
  0 e42a879b mint;
  0 587643a2 burnt;
  0 690f357a new_key;
  0 be44e7a6 pegout;
  0 1a84c0e0 pegout_started;
`);
