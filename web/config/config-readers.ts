import type { Cell } from '../cells/boc.ts';
import { CellReader, dictionaryEntries, signedKey } from '../cells/cell-reader.ts';
import {
  type ConfigContent,
  type ConfigFact,
  type Fields,
  readFields,
  readFieldsLeft,
  readNumbers,
} from './config-values.ts';

/** Param 7. */
export function readCurrencies(reader: CellReader): ConfigContent {
  const root = reader.maybeRef();
  const rows = entriesOf(root, 32).map(([key, value]): ConfigFact[] => [
    { name: 'Currency', kind: 'number', value: Number.parseInt(key, 2) },
    { name: 'Amount', kind: 'number', value: value.big(value.uint(5) * 8) },
  ]);
  return { facts: [], tables: [{ title: 'Currencies', rows }] };
}

/** Params 9 and 10. */
export function readParamList(reader: CellReader): ConfigContent {
  return { facts: [], params: readNumbers(reader) };
}

/** Param 11. */
export function readVoting(reader: CellReader): ConfigContent {
  reader.tag(0x91);
  const rows = ['ordinary', 'critical'].map((kind): ConfigFact[] => {
    const setup = new CellReader(reader.ref());
    setup.tag(0x36);
    return [
      { name: 'Params', kind: 'text', value: kind },
      ...readFields(setup, {
        'Rounds, at least': 'u8',
        'Rounds, at most': 'u8',
        'Wins needed': 'u8',
        'Losses allowed': 'u8',
        'Stored, at least': 'seconds32',
        'Stored, at most': 'seconds32',
      }),
    ];
  });
  return { facts: [], tables: [{ title: 'Votes', rows }] };
}

/** Param 12. */
export function readWorkchains(reader: CellReader): ConfigContent {
  const rows = entriesOf(reader.maybeRef(), 32).map(([key, value]): ConfigFact[] => {
    const tag = value.uint(8);
    if (tag !== 0xa6 && tag !== 0xa7) throw new RangeError('a workchain of an unknown form');
    const first = readFields(value, {
      'Enabled since': 'time32',
      'Split, monitored': 'u8',
      'Split, at least': 'u8',
      'Split, at most': 'u8',
    });
    value.skip(1);
    const state = readFields(value, { Active: 'bool', 'Accepts messages': 'bool' });
    value.skip(13);
    return [
      { name: 'Workchain', kind: 'number', value: signedKey(key) },
      ...first,
      ...state,
      ...readFields(value, { 'Zero state': 'hash' }),
    ];
  });
  return { facts: [], tables: [{ title: 'Workchains', rows }] };
}

/** Param 18: the cell is the root of the dictionary. */
export function readStoragePrices(reader: CellReader): ConfigContent {
  const rows = [...dictionaryEntries(reader.cell, 32)].map(([, value]) => {
    value.tag(0xcc);
    return readFields(value, {
      Since: 'time32',
      Bit: 'price64',
      Cell: 'price64',
      'Bit, masterchain': 'price64',
      'Cell, masterchain': 'price64',
    });
  });
  return { facts: [], tables: [{ title: 'Prices per second', rows }] };
}

/** Params 20 and 21. */
export function readGas(reader: CellReader): ConfigContent {
  let tag = reader.uint(8);
  const facts: ConfigFact[] = [];
  if (tag === 0xd1) {
    facts.push(...readFields(reader, { 'Flat price up to this much gas': 'u64', 'Flat price': 'nano64' }));
    tag = reader.uint(8);
  }
  if (tag !== 0xdd && tag !== 0xde) throw new RangeError('gas prices of an unknown form');
  const special: Fields = tag === 0xde ? { 'Gas limit of special accounts': 'u64' } : {};
  return {
    facts: [
      ...facts,
      ...readFields(reader, {
        'Price of gas': 'price64',
        'Gas limit of a transaction': 'u64',
        ...special,
        'Gas credit of external messages': 'u64',
        'Gas limit of a block': 'u64',
        'Accounts are frozen at a debt of': 'nano64',
        'Accounts are deleted at a debt of': 'nano64',
      }),
    ],
  };
}

/** Params 22 and 23. */
export function readBlockLimits(reader: CellReader): ConfigContent {
  const tag = reader.uint(8);
  if (tag !== 0x5d && tag !== 0x5e) throw new RangeError('block limits of an unknown form');
  const names = ['Bytes', 'Gas', 'Logical time', ...(tag === 0x5e ? ['Collated bytes'] : [])];
  const rows = names.map((name): ConfigFact[] => {
    reader.tag(0xc3);
    return [
      { name: 'Limit of', kind: 'text', value: name },
      ...readFields(reader, { 'Hardly used below': 'u32', 'Soft limit': 'u32', 'Hard limit': 'u32' }),
    ];
  });
  return { facts: [], tables: [{ title: 'Limits of a block', rows }] };
}

/** Param 29, in one of four forms. */
export function readConsensus(reader: CellReader): ConfigContent {
  const tag = reader.uint(8);
  if (tag < 0xd6 || tag > 0xd9) throw new RangeError('a consensus of an unknown form');
  const isFirst = tag === 0xd6;
  if (!isFirst) reader.skip(7);
  const start: Fields = isFirst
    ? { 'Candidates per round': 'u32' }
    : { 'New ids of groups': 'bool', 'Candidates per round': 'u8' };
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

/** Param 30. */
export function readSimplex(reader: CellReader): ConfigContent {
  reader.tag(0x10);
  const rows = ['masterchain', 'shards'].flatMap((chain) => {
    const cell = reader.maybeRef();
    if (cell === null) return [];
    const one = new CellReader(cell);
    const tag = one.uint(8);
    if (tag !== 0x21 && tag !== 0x22) throw new RangeError('a consensus of an unknown form');
    one.skip(7);
    const quic = readFields(one, { 'Over QUIC': 'bool' });
    if (tag === 0x21) one.skip(32);
    const name: ConfigFact = { name: 'Chain', kind: 'text', value: chain };
    return [[name, ...quic, ...readFields(one, { 'Slots in a window of a leader': 'u32' })]];
  });
  return { facts: [], tables: [{ title: 'Simplex consensus', rows }] };
}

/** Params 79, 81 and 82, the parts that both forms begin with. */
export function readTokenBridge(reader: CellReader): ConfigContent {
  if (reader.uint(8) > 1) throw new RangeError('a bridge of an unknown form');
  return {
    facts: readFields(reader, { Bridge: 'account', Oracles: 'account' }),
  };
}

/** Param 31. */
export function readFundamental(reader: CellReader): ConfigContent {
  const rows = entriesOf(reader.maybeRef(), 256).map(([key]): ConfigFact[] => [
    { name: 'Account', kind: 'account', value: hexOf(key) },
  ]);
  return { facts: [], tables: [{ title: 'Accounts', rows }] };
}

/** Params 32 to 37. */
export function readValidators(reader: CellReader): ConfigContent {
  const tag = reader.uint(8);
  if (tag !== 0x11 && tag !== 0x12) throw new RangeError('validators of an unknown form');
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
    value.tag(0x8e81278a, 32);
    return {
      index: Number.parseInt(key, 2),
      publicKey: value.hex(256),
      weight: value.big(64),
      adnl: hasAddress ? value.hex(256) : '',
    };
  });
  const total = list.reduce((sum, { weight }) => sum + weight, 0n);
  const rows = list.map(({ index, publicKey, weight, adnl }): ConfigFact[] => [
    { name: 'Number', kind: 'number', value: index },
    { name: 'Public key', kind: 'hash', value: publicKey },
    { name: 'Weight', kind: 'text', value: `${percentOf(weight, total)} %` },
    { name: 'ADNL address', kind: 'hash', value: adnl },
  ]);
  return { facts, tables: [{ title: 'Validators', rows }] };
}

function percentOf(part: bigint, whole: bigint): string {
  return whole === 0n ? '0' : (Number((part * 100_000n) / whole) / 1000).toFixed(3);
}

/** Param 43. */
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

/** Param 44. */
export function readSuspended(reader: CellReader): ConfigContent {
  reader.tag(0);
  const root = reader.maybeRef();
  const until = readFields(reader, { Until: 'time32' });
  const count = entriesOf(root, 288).length;
  return { facts: [...until, { name: 'Addresses', kind: 'number', value: count }] };
}

/** Param 45. */
export function readPrecompiled(reader: CellReader): ConfigContent {
  reader.tag(0xc0);
  const rows = entriesOf(reader.maybeRef(), 256).map(([key, value]): ConfigFact[] => {
    value.tag(0xb0);
    return [{ name: 'Code hash', kind: 'hash', value: hexOf(key) }, ...readFields(value, { Gas: 'u64' })];
  });
  return { facts: [], tables: [{ title: 'Contracts', rows }] };
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
