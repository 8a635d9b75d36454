/** The form of the values of a parameter. */
export interface ValueForm {
  /** Texts that are malformed by the contract. */
  readonly bad: readonly string[];
  /** Values that are malformed in a JSON body. */
  readonly badJson?: readonly unknown[];
  /** How errors name it, if not by its name. */
  readonly errorName?: string;
}

const RAW = `0:${'ab'.repeat(32)}`;
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const INT32_BOUNDS = ['2147483648', '-2147483649', '9'.repeat(30)];
const NO_NUMBERS = ['x', '1x', '0x10', '1.5', '1e3', '1,2', '[]', '{}', 'NaN', 'é', '１', ' 1', '\0', 'null'];
const NO_TEXTS = [1, true, {}, ['x'], [[]], { text: 'x' }];

const address: ValueForm = {
  bad: [
    'x',
    '0:',
    `0:${'ab'.repeat(31)}`,
    `0:${'zz'.repeat(32)}`,
    `128:${'ab'.repeat(32)}`,
    'ab'.repeat(32),
    `${FRIENDLY}A`,
    FRIENDLY.slice(1),
    `${FRIENDLY.slice(0, -1)}M`,
    `${RAW} x`,
    `${RAW}\0`,
    '\0',
    'é',
    'A'.repeat(5000),
    "'; drop table blocks; --",
    `${RAW};${RAW}`,
    '[]',
    '💎'.repeat(12),
  ],
  badJson: NO_TEXTS,
};

/** Forms by their names in the contract. */
const FORMS = {
  address,
  /** As in v2. */
  anyAddress: {
    bad: ['x', '0:', `0:${'ab'.repeat(31)}`, '\0', 'é', 'A'.repeat(5000), '💎'],
    badJson: NO_TEXTS,
  },
  addressOrNull: { bad: [...address.bad, 'NULL'] },
  hash: {
    bad: [
      'x',
      'ab'.repeat(31),
      'ab'.repeat(33),
      '0x',
      'zz'.repeat(32),
      `0X${'ab'.repeat(31)}`,
      'A'.repeat(42),
      'A'.repeat(5000),
      '\0',
      `${'ab'.repeat(32)}\0`,
      'é',
      '-1',
      '[]',
      '💎'.repeat(11),
    ],
  },
  int32: { bad: [...NO_NUMBERS, ...INT32_BOUNDS] },
  limit: { bad: [...NO_NUMBERS, ...INT32_BOUNDS, '0', '-1', '1001'] },
  offset: { bad: [...NO_NUMBERS, ...INT32_BOUNDS, '-1'] },
  uint64: { bad: [...NO_NUMBERS, '-1', '+1', `${2n ** 64n}`, '9'.repeat(500)] },
  utime: {
    bad: [
      'x',
      '-1',
      '4294967296',
      '1e400',
      '0x10',
      '1e',
      '.',
      '1,2',
      'NaN',
      'Infinity',
      '\0',
      'é',
      '1'.repeat(500),
    ],
  },
  flag: {
    bad: ['x', '2', 'yes', 'tRUE', 'off', ' true', '\0', 'é', '[]'],
    badJson: [1, 'x', [], {}, [true]],
  },
  sort: { bad: ['x', 'up', 'ascending', 'asc,desc', '\0', 'é', '1', 'a'.repeat(5000)] },
  auctionState: { bad: ['x', 'Won', 'all,won', ' all', '\0', 'é', '1', 'lost'] },
  nominatorEvent: { bad: ['x', 'Reward', 'reward,deposit', 'penalty', '\0', 'é', '1'] },
  role: { bad: ['x', 'SENDER', 'sender,receiver', ' sender', '\0', 'é', '1'] },
  direction: { bad: ['x', 'IN', 'in,out', ' in', '\0', 'é', '1', 'inout'] },
  shard: {
    bad: ['x', '0x', '-9223372036854775809', `${'f'.repeat(17)}`, '1.5', '\0', 'é', '[]', '9'.repeat(500)],
  },
  opcode: {
    bad: ['x', '0x', '0x100000000', '-2147483649', '4294967296000', '1.5', '\0', 'é', '[]', 'f'.repeat(500)],
  },
  opcodes: {
    bad: [
      'x',
      '0x',
      '0x10000000000',
      '-2147483649',
      '4294967296000',
      '1.5',
      '\0',
      'é',
      '[]',
      '1,2',
      '0X1',
      '',
    ],
    badJson: [1, true, {}, [1], [[]], [null], { text: 'x' }],
    errorName: 'opcode',
  },
  /** Any text is accepted: it is decoded, or the result is an error. */
  bodies: { bad: [], badJson: [1, true, {}, [1], [[]], [null], { text: 'x' }] },
  digits: { bad: ['x', '-1', '1.5', '+1', '0x1', '\0', 'é', '١', ' 1', '1,2x'] },
  text: { bad: ['\0', 'a\0b'], badJson: NO_TEXTS },
  typeName: { bad: ['\0', 'ton transfer', 'é', '-', 'a;b', '[]', '💎', 'ton_transfer, tick_tock'] },
  cursor: {
    bad: ['x', 'W10', 'bnVsbA', 'e30', 'WyJpbnRlZ2VyIGFzYyIsIjEiXQ', '\0', 'é', 'A'.repeat(5000), '💎'],
  },
  bag: { bad: ['x', 'AAAA', 'te6', '\0', 'é', '💎'], badJson: NO_TEXTS },
  stack: {
    bad: ['x', '{}', '1'],
    badJson: ['x', 1, {}, [1], [[]], [{}], [{ type: 'num' }], [{ type: 'tuple', value: [] }]],
  },
} as const satisfies Record<string, ValueForm>;

const FORM_OF_NAME: Readonly<Record<string, keyof typeof FORMS>> = {
  account: 'address',
  bidder: 'address',
  pool: 'address',
  nominator: 'address',
  validator: 'address',
  state: 'auctionState',
  include_nft_items: 'flag',
  after: 'cursor',
  exclude_account: 'address',
  address: 'address',
  owner_address: 'address',
  admin_address: 'address',
  collection_address: 'address',
  item_address: 'address',
  jetton_address: 'address',
  jetton_wallet: 'address',
  jetton_master: 'address',
  wallet: 'address',
  contract_address: 'address',
  wallet_address: 'address',
  multisig_address: 'address',
  my_addr: 'address',
  source: 'addressOrNull',
  destination: 'addressOrNull',
  hash: 'hash',
  root_hash: 'hash',
  file_hash: 'hash',
  msg_hash: 'hash',
  body_hash: 'hash',
  tx_hash: 'hash',
  trace_id: 'hash',
  action_id: 'hash',
  ext_msg_hash: 'hash',
  code_hash: 'hash',
  my_hash: 'hash',
  action_type: 'typeName',
  exclude_action_type: 'typeName',
  include_accounts: 'flag',
  include_transactions: 'flag',
  workchain: 'int32',
  seqno: 'int32',
  mc_seqno: 'int32',
  limit: 'limit',
  offset: 'offset',
  lt: 'uint64',
  start_lt: 'uint64',
  end_lt: 'uint64',
  start_utime: 'utime',
  end_utime: 'utime',
  exclude_externals: 'flag',
  only_externals: 'flag',
  include_boc: 'flag',
  use_v2: 'flag',
  include_actions: 'flag',
  check_whitelist: 'flag',
  include_on_sale: 'flag',
  include_orders: 'flag',
  sort_by_last_transaction_lt: 'flag',
  exclude_zero_balance: 'flag',
  parse_actions: 'flag',
  ignore_chksig: 'flag',
  stake_holder_address: 'address',
  adnl_address: 'hash',
  validator_pubkey: 'hash',
  election_id: 'int32',
  cycle_start: 'int32',
  finished: 'flag',
  return_participants: 'flag',
  return_validators: 'flag',
  type: 'text',
  sort: 'sort',
  direction: 'direction',
  role: 'role',
  shard: 'shard',
  my_shard: 'shard',
  opcodes: 'opcodes',
  bodies: 'bodies',
  opcode: 'opcode',
  index: 'digits',
  domain: 'text',
  supported_action_types: 'text',
  method: 'text',
  cursor: 'cursor',
  body: 'bag',
  init_code: 'bag',
  init_data: 'bag',
  boc: 'bag',
  stack: 'stack',
};

/** Operations whose addresses may be any text: a malformed one has an empty entry. */
const ANY_TEXT = /^(?:addressBook|metadata)$/;
/** Operations that parse addresses like v2. */
const AS_IN_V2 = /^(?:runGetMethod|estimateFee)$/;

/** The form of a parameter; undefined if none is registered. */
export function formOf(operation: string, parameter: string): ValueForm | undefined {
  if (parameter === 'type') return operation.endsWith('/nominatorEvents') ? FORMS.nominatorEvent : FORMS.text;
  if (parameter === 'address' && ANY_TEXT.test(operation)) return FORMS.text;
  if (parameter === 'address' && AS_IN_V2.test(operation)) return FORMS.anyAddress;
  const form = FORM_OF_NAME[parameter];
  return form && FORMS[form];
}

/** Odd texts that may be valid but must never cause a 5xx. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '-1',
  '0',
  '1',
  '+1',
  'null',
  'true',
  '1e9',
  '%00',
  '%',
  '\\',
  'a,b',
  ',',
  ',,,',
  '[]',
  "'",
  '$1',
  '\ud83d',
  '\u202e',
  '中文',
  '💎',
  '\r\n',
  '\0',
  '9'.repeat(30),
  '0'.repeat(64),
  'A'.repeat(44),
  'A'.repeat(48),
  'x'.repeat(20_000),
  "' or 1=1 --",
  '__proto__',
  '<script>',
  `-1:${'ff'.repeat(32)}`,
];
