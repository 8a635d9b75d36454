/**
 * Values of examples by name. In the parameters of an example the text `{alice}` stands for the value with that name, so
 * that one example works on every chain: a local chain has the accounts and transactions of its demo, every other network
 * and the committed documents have `FIXED_VALUES`.
 */
export type ExampleValues = (name: string) => unknown;

const WALLET = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const ELECTOR = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
const CONFIG = 'Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn';
const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const USERNAMES = 'EQCA14o1-VWhS2efqoh_9M1b_A9DtKTuoqfmkn83AbJzwnPi';
const DOMAINS = 'EQC3dNlesgVD8YbAazcauIrXBPfiVhMMr5YYk2in0Mtsz0Bz';
const DOMAIN = 'EQB43-VCmf17O7YMd51fAvOjcMkCw46N_3JMCoegH_ZDo40e';
const ROOT_OF_DOMAINS = 'Ef_lZ1T4NCb2mwkme9h2rJfESCE0W34ma9lWp7-_uY3zXDvq';
const HASH = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=';
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';
const EMPTY_CELL_OBJECT = { data: { b64: '', len: 0 }, refs: [] };

/** Well-known accounts of mainnet; hashes, times and messages are only well-formed. */
const FIXED: Readonly<Record<string, unknown>> = {
  alice: WALLET,
  bob: WALLET,
  carol: WALLET,
  judy: WALLET,
  kate: WALLET,
  nora: WALLET,
  nick: WALLET,
  wanda: WALLET,
  'nominator pool': CONFIG,
  'account without a contract': ELECTOR,
  'jetton minter': USDT,
  'jetton wallet of alice': WALLET,
  'NFT collection': USERNAMES,
  'NFT that was given away': DOMAIN,
  'NFT sale that is over': DOMAIN,
  'DNS root': ROOT_OF_DOMAINS,
  'DNS zone .ton': DOMAINS,
  domain: 'foundation.ton',
  multisig: CONFIG,
  'multisig order that is open': CONFIG,
  'vesting wallet': CONFIG,
  probe: ELECTOR,
  'library hash': HASH,
  'block seqno': 50000000,
  'block time': 1755516054,
  'block root hash': HASH,
  'block file hash': HASH,
  'transaction hash': HASH,
  'transaction lt': 60000000000003,
  'transaction time': 1755516054,
  'transaction mc_seqno': 50000000,
  'transaction block seqno': 52000000,
  'transaction block shard': '8000000000000000',
  'transaction block shard as decimal': '-9223372036854775808',
  'transaction block root hash': HASH,
  'transaction block file hash': HASH,
  'message hash': HASH,
  'message body hash': HASH,
  'message opcode': '0xf8a7ea5',
  'message created_lt': 60000000000002,
  'trace id': HASH,
  'action id': HASH,
  soon: 1955516054,
  message: EMPTY_CELL,
  'message as cell': EMPTY_CELL_OBJECT,
  'message body': EMPTY_CELL,
  'message body as cell': EMPTY_CELL_OBJECT,
};

/** The values where there is no demo. */
export const FIXED_VALUES: ExampleValues = (name) => {
  if (!Object.hasOwn(FIXED, name)) throw new Error(`examples have no value named ${name}`);
  return FIXED[name];
};

/** Leaves the names, for a document that is filled when it is asked for. */
export const UNFILLED: ExampleValues = (name) => `{${name}}`;

const NAME = /"\{([a-zA-Z][^"{}]*)\}"/g;

/** Puts values in the place of their names in a JSON text. */
export function fillExamples(json: string, values: ExampleValues): string {
  return json.replace(NAME, (_, name: string) => JSON.stringify(values(name)));
}
