import { describe, expect, it } from 'vitest';
import { formatFriendlyForms, formatRaw, type ParsedAddress } from '../../src/chain/address.ts';
import type { Parameter } from '../../src/http/operation.ts';
import {
  addressOrNullParam,
  addressParam,
  booleanParam,
  hashParam,
  int32Param,
  opcodeParam,
  shardParam,
  stringParam,
  uint64Param,
  utimeParam,
} from '../../src/v3/parameter-kinds.ts';
import { CONVERSION, fromBody, fromQuery, refusalOf } from './support/read-parameter.ts';

const description = 'tested';
const HASH_HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3';
const HASH_BASE64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=';
const ACCOUNT_HEX = '83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const RAW = `0:${ACCOUNT_HEX}`;
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const { b64: PLUS_AND_SLASH } = formatFriendlyForms(
  { workchain: 0, hash: Buffer.alloc(32, 0xfb) },
  true,
).nonBounceable;

interface Row {
  readonly parameter: Parameter<unknown>;
  readonly accepted: readonly (readonly [string, unknown])[];
  readonly refused: readonly string[];
}

const show = (value: unknown): unknown => {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (typeof value === 'object' && value !== null) return formatRaw(value as ParsedAddress, 'upper');
  return value;
};

const rows: Record<string, Row> = {
  address: {
    parameter: addressParam(description),
    accepted: [
      [RAW, RAW],
      [RAW.toLowerCase(), RAW],
      [FRIENDLY, RAW],
      [FRIENDLY.replaceAll('-', '+').replaceAll('_', '/'), RAW],
      [PLUS_AND_SLASH, `0:${'FB'.repeat(32)}`],
      [PLUS_AND_SLASH.replaceAll('+', ' '), `0:${'FB'.repeat(32)}`],
      [`-1:${ACCOUNT_HEX}`, `-1:${ACCOUNT_HEX}`],
      [`127:${ACCOUNT_HEX}`, `127:${ACCOUNT_HEX}`],
      [`-128:${ACCOUNT_HEX}`, `-128:${ACCOUNT_HEX}`],
      [` ${RAW}  `, RAW],
      [` ${FRIENDLY} `, RAW],
    ],
    refused: [
      '',
      ACCOUNT_HEX,
      `128:${ACCOUNT_HEX}`,
      `-129:${ACCOUNT_HEX}`,
      `0:${ACCOUNT_HEX.slice(1)}`,
      `${FRIENDLY.slice(0, 47)}A`,
      FRIENDLY.slice(1),
      ` ${FRIENDLY.slice(1)}`,
      'ext$8:F',
      `${RAW},${RAW}`,
    ],
  },
  addressOrNull: {
    parameter: addressOrNullParam(description),
    accepted: [
      ['null', 'null'],
      ['addr_none', 'null'],
      [FRIENDLY, RAW],
    ],
    refused: ['', 'NULL', 'nil', ACCOUNT_HEX],
  },
  hash: {
    parameter: hashParam(description),
    accepted: [
      [HASH_HEX, HASH_HEX],
      [HASH_HEX.toUpperCase(), HASH_HEX],
      [`0x${HASH_HEX}`, HASH_HEX],
      [`0X${HASH_HEX}`, HASH_HEX],
      [`${HASH_BASE64} `, HASH_HEX],
      [`  ${HASH_HEX} `, HASH_HEX],
      [HASH_BASE64, HASH_HEX],
      [HASH_BASE64.replaceAll('+', '-').replaceAll('/', '_'), HASH_HEX],
      [HASH_BASE64.slice(0, 43), HASH_HEX],
      [HASH_BASE64.slice(0, 43).replaceAll('+', '-').replaceAll('/', '_'), HASH_HEX],
      [HASH_BASE64.replaceAll('+', ' '), HASH_HEX],
      [HASH_BASE64.slice(0, 43).replaceAll('+', ' '), HASH_HEX],
    ],
    refused: ['', HASH_HEX.slice(1), `0X${HASH_HEX.slice(1)}`, ` ${HASH_HEX.slice(1)}`, 'zz'],
  },
  shard: {
    parameter: shardParam(description),
    accepted: [
      ['8000000000000000', -(2n ** 63n)],
      ['0x8000000000000000', -(2n ** 63n)],
      ['-9223372036854775808', -(2n ** 63n)],
      ['2000000000000000', 2n ** 61n],
      ['FFFFFFFFFFFFFFFF', -1n],
      ['ffffffffffffffff', -1n],
      ['10', 16n],
      ['00000000000000000010', 16n],
      ['4611686018427387904', 2n ** 62n],
      ['-1', -1n],
    ],
    refused: [
      '',
      '0x',
      '0x-1',
      '0x10000000000000000',
      '9223372036854775808',
      '-9223372036854775809',
      'g',
      '1.5',
      ' 1',
    ],
  },
  opcode: {
    parameter: opcodeParam(description),
    accepted: [
      ['123', 0x123],
      ['0x0f8a7ea5', 0x0f8a7ea5],
      ['0X0F8A7EA5', 0x0f8a7ea5],
      ['f8a7ea5', 0x0f8a7ea5],
      ['0xffffffff', -1],
      ['d53276db', 0xd53276db | 0],
      ['-1', -1],
      ['-2147483648', -(2 ** 31)],
      ['12345678', 0x12345678],
      ['123456789', 123456789],
      ['2147483647', 2147483647],
      ['000000123', 0x123],
    ],
    refused: ['', '0x', '0x123456789', '2147483648', '-2147483649', '0x-1', 'xyz', '1.5'],
  },
  utime: {
    parameter: utimeParam(description),
    accepted: [
      ['0', 0],
      ['1755516054', 1755516054],
      ['4294967295', 4294967295],
      ['1755516054.9', 1755516054],
      ['1.755516054e9', 1755516054],
      ['1E3', 1000],
      ['.5', 0],
      ['5.', 5],
      ['-0', 0],
      ['+7', 7],
    ],
    refused: [
      '',
      '-1',
      '-0.5',
      '4294967295.5',
      '4294967296',
      '1e99',
      'NaN',
      'Infinity',
      '0x10',
      '.',
      'e3',
      '1e',
      '1 ',
      '1_000',
      '9'.repeat(65),
    ],
  },
  int32: {
    parameter: int32Param(description),
    accepted: [
      ['0', 0],
      ['-1', -1],
      ['2147483647', 2147483647],
      ['-2147483648', -2147483648],
      ['007', 7],
      ['', undefined],
    ],
    refused: ['2147483648', '-2147483649', '1.0', '1e3', '0x1', 'one', ' 1', '--1', '9'.repeat(100)],
  },
  uint64: {
    parameter: uint64Param(description),
    accepted: [
      ['0', 0n],
      ['47842330000003', 47842330000003n],
      ['18446744073709551615', 2n ** 64n - 1n],
      ['', undefined],
    ],
    refused: ['-1', '+1', '18446744073709551616', '1.0', '0x1', 'lt'],
  },
  boolean: {
    parameter: booleanParam(description),
    accepted: [
      ...['1', 't', 'T', 'true', 'True', 'TRUE', 'on'].map((word) => [word, true] as const),
      ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((word) => [word, false] as const),
      ['', undefined],
    ],
    refused: ['yes', 'no', 'off', 'ON', 'tRUE', '2', ' true'],
  },
  plainString: {
    parameter: stringParam(description),
    accepted: [
      ['a,b', 'a,b'],
      [' spaced ', ' spaced '],
      ['', undefined],
    ],
    refused: ['a\0b'],
  },
};

describe('an address that is not standard', () => {
  it.each(['null', 'addr_none', 'ext$12:ABC0', 'var$-1:8:FF'])('is refused with its name: %j', (text) => {
    const parameter = addressParam(description);
    expect(refusalOf(() => fromQuery(parameter, text))).toBe('p must be a standard address');
  });
});

describe.each(Object.entries(rows))('%s', (_kind, { parameter, accepted, refused }) => {
  it.each(accepted)('accepts %j', (text, value) => {
    expect(show(fromQuery(parameter, text))).toStrictEqual(value);
  });

  it.each(refused)('refuses %j', (text) => {
    expect(refusalOf(() => fromQuery(parameter, text))).toBe(CONVERSION);
  });

  it('is undefined if absent', () => {
    expect(fromQuery(parameter)).toBeUndefined();
  });

  it('lets the last occurrence win', () => {
    const [text, value] = accepted[0]!;
    expect(show(fromQuery(parameter, refused.at(-1)!, text))).toStrictEqual(value);
    expect(refusalOf(() => fromQuery(parameter, text, refused.at(-1)!))).toBe(CONVERSION);
  });

  it.each([[{}], [[]], [['1']]])('refuses %j in a body', (value) => {
    expect(refusalOf(() => fromBody(parameter, value))).toBe(CONVERSION);
  });
});
