import type { OperationExample } from '../http/operation.ts';
import accounts from './examples/accounts.json' with { type: 'json' };
import blocks from './examples/blocks.json' with { type: 'json' };
import contracts from './examples/contracts.json' with { type: 'json' };
import decoding from './examples/decoding.json' with { type: 'json' };
import emulate from './examples/emulate.json' with { type: 'json' };
import live from './examples/live.json' with { type: 'json' };
import pending from './examples/pending.json' with { type: 'json' };
import staking from './examples/staking.json' with { type: 'json' };
import tokens from './examples/tokens.json' with { type: 'json' };
import traces from './examples/traces.json' with { type: 'json' };
import transactions from './examples/transactions.json' with { type: 'json' };
import validators from './examples/validators.json' with { type: 'json' };

/** One file per family; `npm run examples` records the results that vary anew, from a chain with the demo. */
const EXAMPLES = {
  ...accounts,
  ...blocks,
  ...contracts,
  ...emulate,
  ...live,
  ...pending,
  ...staking,
  ...tokens,
  ...traces,
  ...transactions,
  ...decoding,
  ...validators,
};

/** The examples of an operation. JSON has no literal types; a test checks them against the schema of the result. */
export function examplesOf(operation: keyof typeof EXAMPLES): readonly OperationExample<never>[] {
  return EXAMPLES[operation] as unknown as readonly OperationExample<never>[];
}

const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

/** Parameters that the shown requests do not have. Those of a list all match one transaction or one token. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  // Blocks and transactions.
  workchain: 0,
  shard: '{transaction block shard}',
  seqno: '{transaction block seqno}',
  mc_seqno: '{transaction mc_seqno}',
  root_hash: '{transaction block root hash}',
  file_hash: '{transaction block file hash}',
  account: '{probe}',
  exclude_account: '{alice}',
  hash: '{transaction hash}',
  tx_hash: '{transaction hash}',
  lt: '{transaction lt}',
  start_lt: '{transaction lt}',
  end_lt: '{transaction lt}',
  start_utime: '{transaction time}',
  end_utime: '{transaction time}',
  // Messages, traces and actions.
  msg_hash: '{message hash}',
  body_hash: '{message body hash}',
  opcode: '{message opcode}',
  source: '{judy}',
  destination: '{probe}',
  direction: 'in',
  exclude_externals: false,
  only_externals: false,
  trace_id: '{trace id}',
  action_id: '{action id}',
  ext_msg_hash: '{message hash}',
  action_type: 'call_contract',
  exclude_action_type: 'tick_tock',
  supported_action_types: 'latest',
  // Accounts and contracts.
  address: '{alice}',
  code_hash: '{library hash}',
  owner_address: '{alice}',
  admin_address: '{alice}',
  jetton_address: '{jetton minter}',
  jetton_master: '{jetton minter}',
  jetton_wallet: '{jetton wallet of alice}',
  collection_address: '{NFT collection}',
  item_address: '{NFT that was given away}',
  index: '0',
  wallet: '{alice}',
  wallet_address: '{alice}',
  contract_address: '{vesting wallet}',
  multisig_address: '{multisig}',
  // Validators.
  stake_holder_address: `-1:${'6'.repeat(64)}`,
  adnl_address: 'CD'.repeat(32),
  validator_pubkey: 'AB'.repeat(32),
  election_id: 1_790_010_000,
  cycle_start: 1_790_010_000,
  finished: true,
  'validators/events.type': 'stake_accepted',
  // Auctions and nominator pools.
  bidder: '{nora}',
  state: 'all',
  pool: '{nominator pool}',
  nominator: '{nick}',
  validator: '{wanda}',
  type: 'reward',
  // Pages.
  cursor: 'WyJiaWdpbnQgZGVzYyIsIjYwMDAwMDAwMDAwMDAzIl0',
  after: 'MDAwMDAwMDAwMDE3MDAwMDAwMDA6MA',
  sort: 'desc',
  min_seqno: '{transaction mc_seqno}',
  // Messages to send or to emulate.
  init_code: EMPTY_CELL,
  init_data: EMPTY_CELL,
  bodies: EMPTY_CELL,
  valid_until: '{soon}',
  mc_block_seqno: '{block seqno}',
};
