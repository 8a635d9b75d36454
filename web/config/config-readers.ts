import type { Cell } from '../cells/boc.ts';
import { CellReader, dictionaryEntries, signedKey } from '../cells/cell-reader.ts';
import {
  type ConfigContent,
  type ConfigFact,
  type Fields,
  type ParamReader,
  readFields,
  readFieldsLeft,
} from './config-values.ts';

type Rows = readonly (readonly ConfigFact[])[];

function tableOf(title: string, rows: Rows, facts: readonly ConfigFact[] = []): ConfigContent {
  return { facts, tables: [{ title, rows }] };
}

/** A dictionary as a table: its key, and the values of its entries. */
function dictionary(
  title: string,
  keyBits: number,
  keyOf: (key: string) => ConfigFact,
  fields: Fields,
  ...tags: readonly number[]
): ParamReader {
  return (reader) => {
    const entries = entriesOf(reader.maybeRef(), keyBits);
    return tableOf(
      title,
      entries.map(([key, value]) => [keyOf(key), ...readFields(value, fields, ...tags)]),
    );
  };
}

const VALIDATOR_REGISTRY = 0x3601163e;

export const readCurrencies = dictionary(
  'Currencies',
  32,
  (key) => ({ name: 'Currency', kind: 'number', value: Number.parseInt(key, 2) }),
  { Amount: 'varuint32' },
);

/** Params 9 and 10: the keys of a dictionary without values. */
export function readParamList(reader: CellReader): ConfigContent {
  return { facts: [], params: entriesOf(reader.cell, 32).map(([key]) => signedKey(key)) };
}

export function readVoting(reader: CellReader): ConfigContent {
  reader.tag(0x91);
  const rows = ['ordinary', 'critical'].map((kind): ConfigFact[] => [
    { name: 'Params', kind: 'text', value: kind },
    ...readFields(
      new CellReader(reader.ref()),
      {
        'Rounds, at least': 'u8',
        'Rounds, at most': 'u8',
        'Wins needed': 'u8',
        'Losses allowed': 'u8',
        'Stored, at least': 'seconds32',
        'Stored, at most': 'seconds32',
      },
      0x36,
    ),
  ]);
  return tableOf('Votes', rows);
}

export const readWorkchains = dictionary(
  'Workchains',
  32,
  (key) => ({ name: 'Workchain', kind: 'number', value: signedKey(key) }),
  {
    'Enabled since': 'time32',
    'Split, monitored': 'u8',
    'Split, at least': 'u8',
    'Split, at most': 'u8',
    Basic: 'unused1',
    Active: 'bool',
    'Accepts messages': 'bool',
    Flags: 'unused13',
    'Zero state': 'hash',
  },
  0xa6,
  0xa7,
);

const storagePrices: Fields = {
  Since: 'time32',
  Bit: 'price64',
  Cell: 'price64',
  'Bit, masterchain': 'price64',
  'Cell, masterchain': 'price64',
};

/** Param 18: the cell is the root of the dictionary. */
export function readStoragePrices(reader: CellReader): ConfigContent {
  const entries = entriesOf(reader.cell, 32);
  return tableOf(
    'Prices per second',
    entries.map(([, value]) => readFields(value, storagePrices, 0xcc)),
  );
}

export function readGas(reader: CellReader): ConfigContent {
  const first = reader.tag(0xd1, 0xdd, 0xde);
  const flat: Fields =
    first === 0xd1 ? { 'Flat price up to this much gas': 'u64', 'Flat price': 'nano64' } : {};
  const flatFacts = readFields(reader, flat);
  const tag = first === 0xd1 ? reader.tag(0xdd, 0xde) : first;
  return {
    facts: [
      ...flatFacts,
      ...readFields(reader, {
        'Price of gas': 'price64',
        'Gas limit of a transaction': 'u64',
        ...(tag === 0xde && ({ 'Gas limit of special accounts': 'u64' } as const)),
        'Gas credit of external messages': 'u64',
        'Gas limit of a block': 'u64',
        'Accounts are frozen at a debt of': 'nano64',
        'Accounts are deleted at a debt of': 'nano64',
      }),
    ],
  };
}

export function readBlockLimits(reader: CellReader): ConfigContent {
  const tag = reader.tag(0x5d, 0x5e);
  const names = ['Bytes', 'Gas', 'Logical time', ...(tag === 0x5e ? ['Collated bytes'] : [])];
  const limits: Fields = { 'Hardly used below': 'u32', 'Soft limit': 'u32', 'Hard limit': 'u32' };
  const rows = names.map((name): ConfigFact[] => [
    { name: 'Limit of', kind: 'text', value: name },
    ...readFields(reader, limits, 0xc3),
  ]);
  return tableOf('Limits of a block', rows);
}

/** Param 29, in one of four forms. */
export function readConsensus(reader: CellReader): ConfigContent {
  const start: Fields =
    reader.tag(0xd6, 0xd7, 0xd8, 0xd9) === 0xd6
      ? { 'Candidates per round': 'u32' }
      : { Flags: 'unused7', 'New ids of groups': 'bool', 'Candidates per round': 'u8' };
  return {
    facts: [
      ...readFields(reader, {
        ...start,
        'Delay of the next candidate': 'ms32',
        Timeout: 'ms32',
        'Fast attempts': 'u32',
        Attempt: 'seconds32',
        'Dependencies, at most': 'u32',
        'Block, at most': 'bytes32',
        'Collated data, at most': 'bytes32',
      }),
      ...readFieldsLeft(reader, { 'Protocol version': 'u16', 'Blocks of a group, coefficient': 'u32' }),
    ],
  };
}

export function readSimplex(reader: CellReader): ConfigContent {
  reader.tag(0x10);
  const rows = ['masterchain', 'shards'].flatMap((chain) => {
    const cell = reader.maybeRef();
    if (cell === null) return [];
    const one = new CellReader(cell);
    const isFirst = one.tag(0x21, 0x22) === 0x21;
    const quic = readFields(one, { Flags: 'unused7', 'Over QUIC': 'bool' });
    if (isFirst) one.skip(32);
    const name: ConfigFact = { name: 'Chain', kind: 'text', value: chain };
    return [[name, ...quic, ...readFields(one, { 'Slots in a window of a leader': 'u32' })]];
  });
  return tableOf('Simplex consensus', rows);
}

export const readFundamental = dictionary(
  'Accounts',
  256,
  (key) => ({ name: 'Account', kind: 'account', value: hexOf(key) }),
  {},
);

const ED25519_KEY = 0x8e81278a;

export function readValidators(reader: CellReader): ConfigContent {
  const tag = reader.tag(0x11, 0x12);
  const facts = readFields(reader, {
    From: 'time32',
    Until: 'time32',
    Validators: 'u16',
    'Of the masterchain': 'u16',
  });
  if (tag === 0x12) reader.skip(64);
  const root = tag === 0x12 ? reader.maybeRef() : reader.ref();
  const list = entriesOf(root, 16).map(([key, value]) => {
    const hasAddress = value.uint(8) === 0x73;
    if (value.uint(32) !== ED25519_KEY) throw new RangeError('a key of an unknown form');
    const [publicKey, weight] = [value.hex(256), value.big(64)];
    return { index: Number.parseInt(key, 2), publicKey, weight, adnl: hasAddress ? value.hex(256) : '' };
  });
  const total = list.reduce((sum, { weight }) => sum + weight, 0n);
  const percent = (weight: bigint) =>
    total === 0n ? '0' : (Number((weight * 100_000n + total / 2n) / total) / 1000).toFixed(3);
  const rows = list.map(({ index, publicKey, weight, adnl }): ConfigFact[] => [
    { name: 'Number', kind: 'number', value: index },
    { name: 'Public key', kind: 'hash', value: publicKey },
    { name: 'Weight', kind: 'text', value: `${percent(weight)}\u00a0%` },
    { name: 'ADNL address', kind: 'hash', value: adnl },
  ]);
  return tableOf('Validators', rows, facts);
}

export function readSizeLimits(reader: CellReader): ConfigContent {
  const form = reader.uint(8);
  if (form < 1) throw new RangeError('size limits of an unknown form');
  const facts = readFields(reader, {
    'Bits of a message': 'u32',
    'Cells of a message': 'u32',
    'Cells of a library': 'u32',
    'Depth of data in TVM': 'u16',
    'Bytes of an external message': 'bytes32',
    'Depth of an external message': 'u16',
  });
  const more: Fields = {
    'Cells of an account': 'u32',
    'Cells of a masterchain account': 'u32',
    'Public libraries of an account': 'u32',
    'Messages are deferred from a queue of': 'u32',
    'Extra currencies of a message': 'u32',
    'Fixed prefix of an address, bits': 'u8',
    'Storage dictionary from cells': 'u32',
  };
  return { facts: form >= 2 ? [...facts, ...readFieldsLeft(reader, more)] : facts };
}

export function readSuspended(reader: CellReader): ConfigContent {
  reader.tag(0);
  const root = reader.maybeRef();
  const until = readFields(reader, { Until: 'time32' });
  const count = entriesOf(root, 288).length;
  return { facts: [...until, { name: 'Addresses', kind: 'number', value: count }] };
}

export function readPrecompiled(reader: CellReader): ConfigContent {
  reader.tag(0xc0);
  const keyOf = (key: string): ConfigFact => ({ name: 'Code hash', kind: 'hash', value: hexOf(key) });
  return dictionary('Contracts', 256, keyOf, { Gas: 'u64' }, 0xb0)(reader);
}

export function readValidatorRegistry(reader: CellReader): ConfigContent {
  if (reader.uint(32) !== VALIDATOR_REGISTRY) throw new RangeError('the cell has another tag');
  const facts = readFields(reader, { Registry: 'account', 'Collators of a validator, at most': 'u32' });
  return {
    facts: [...facts, ...(reader.bit() ? readFields(reader, { 'Hash of its next code': 'hash' }) : [])],
  };
}

function entriesOf(root: Cell | null, keyBits: number): [key: string, value: CellReader][] {
  return root === null ? [] : [...dictionaryEntries(root, keyBits)];
}

function hexOf(bits: string): string {
  return BigInt(`0b${bits}`)
    .toString(16)
    .padStart(bits.length / 4, '0')
    .toUpperCase();
}
