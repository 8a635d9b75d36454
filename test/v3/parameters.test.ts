import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { formatRaw } from '../../src/chain/address.ts';
import type { Parameter } from '../../src/http/operation.ts';
import { Failure } from '../../src/lib/errors.ts';
import { limitParam, offsetParam, type SortOrder, sortParam } from '../../src/v3/list-parameters.ts';
import {
  addressKind,
  addressOrNullParam,
  addressParam,
  booleanParam,
  choiceParam,
  hashKind,
  int32Param,
  opcodeKind,
  opcodeParam,
  shardKind,
  shardParam,
  stringKind,
  uint64Param,
  utimeParam,
} from '../../src/v3/parameter-kinds.ts';
import { listParam } from '../../src/v3/parameters.ts';
import { CONVERSION, fromBody, fromQuery, refusalOf } from './support/read-parameter.ts';

const description = 'tested';

describe('sortParam', () => {
  const parameter = sortParam(description, { fallback: 'desc' });

  it.each([
    ['asc', 'asc'],
    ['A', 'asc'],
    ['DESC', 'desc'],
    ['d', 'desc'],
    ['', 'desc'],
  ])('reads %j as %s', (text, order) => {
    expect(fromQuery(parameter, text)).toBe(order);
  });

  it('refuses other words with the text of the contract', () => {
    const read = () => parameter.read({ name: 'sort', values: ['up'], origin: 'query' });
    expect(read).toThrow(/^wrong value for sort parameter$/);
  });
});

describe('choiceParam', () => {
  it('accepts only its words, and names them in the error', () => {
    const parameter = choiceParam(['in', 'out'], description);
    expect(fromQuery(parameter, 'in')).toBe('in');
    expect(fromQuery(parameter, '')).toBeUndefined();
    expect(refusalOf(() => fromQuery(parameter, 'IN'))).toBe('p should be one of: in, out');
    expect(refusalOf(() => fromQuery(parameter, 'toString'))).toBe('p should be one of: in, out');
  });
});

describe('required parameters', () => {
  it('refuse an absent value with a text that names the parameter', () => {
    expect(refusalOf(() => fromQuery(int32Param(description, { required: true })))).toBe('p is required');
    const missingText = 'address of account is required';
    expect(refusalOf(() => fromQuery(addressParam(description, { required: true, missingText })))).toBe(
      missingText,
    );
  });

  it('refuse an empty number as missing and an empty address as malformed', () => {
    expect(refusalOf(() => fromQuery(int32Param(description, { required: true }), ''))).toBe('p is required');
    expect(refusalOf(() => fromQuery(addressParam(description, { required: true }), ''))).toBe(CONVERSION);
  });
});

describe('values of a JSON body', () => {
  it('may be JSON numbers for kinds of numbers', () => {
    expect(fromBody(int32Param(description), 7)).toBe(7);
    expect(fromBody(uint64Param(description), 2n ** 63n)).toBe(2n ** 63n);
    expect(fromBody(utimeParam(description), 12.5)).toBe(12);
    expect(refusalOf(() => fromBody(int32Param(description), 1.5))).toBe(CONVERSION);
    expect(refusalOf(() => fromBody(uint64Param(description), 1e21))).toBe(CONVERSION);
  });

  it('may be JSON booleans for the boolean kind', () => {
    expect(fromBody(booleanParam(description), false)).toBe(false);
    expect(refusalOf(() => fromBody(booleanParam(description), 1))).toBe(CONVERSION);
  });

  it('may not be JSON numbers for kinds that try hex first', () => {
    expect(refusalOf(() => fromBody(opcodeParam(description), 123))).toBe(CONVERSION);
    expect(refusalOf(() => fromBody(shardParam(description), 10))).toBe(CONVERSION);
  });
});

it('parameter types include undefined only for optional parameters without a fallback', () => {
  expectTypeOf(int32Param(description)).toEqualTypeOf<Parameter<number | undefined>>();
  expectTypeOf(int32Param(description, { required: true })).toEqualTypeOf<Parameter<number>>();
  expectTypeOf(booleanParam(description, { fallback: true })).toEqualTypeOf<Parameter<boolean>>();
  expectTypeOf(sortParam(description, { fallback: 'desc' })).toEqualTypeOf<Parameter<SortOrder>>();
  expectTypeOf(choiceParam(['in', 'out'], description)).toEqualTypeOf<Parameter<'in' | 'out' | undefined>>();
});

const at = (index: number) => `failed to decode: schema: error converting value for index ${index} of "p"`;

describe('listParam', () => {
  const opcodes = listParam(opcodeKind, description, { max: 3 });

  it('accepts repeated names, comma lists, and both together', () => {
    expect(fromQuery(opcodes, '0x1', '0x2')).toEqual([1, 2]);
    expect(fromQuery(opcodes, '0x1,0x2')).toEqual([1, 2]);
    expect(fromQuery(opcodes, '0x1,0x2', '0x3')).toEqual([1, 2, 3]);
    expect(fromQuery(opcodes)).toEqual([]);
  });

  it('drops empty elements before counting', () => {
    expect(fromQuery(opcodes, '', '0x1,,0x2,', '')).toEqual([1, 2]);
    expect(fromQuery(opcodes, ',,,,,,')).toEqual([]);
    const needed = listParam(opcodeKind, description, { max: 3, required: true });
    expect(refusalOf(() => fromQuery(needed, '', ','))).toBe('p is required');
    const worded = listParam(opcodeKind, description, {
      max: 3,
      required: true,
      missingText: 'at least 1 p required',
    });
    expect(refusalOf(() => fromQuery(worded))).toBe('at least 1 p required');
  });

  it('names the position of the malformed element in the request', () => {
    expect(refusalOf(() => fromQuery(opcodes, '0x1', 'zz'))).toBe(at(1));
    expect(refusalOf(() => fromQuery(opcodes, '0x1,,zz'))).toBe(at(2));
  });

  it('refuses more values than the maximum and names the parameter', () => {
    expect(refusalOf(() => fromQuery(opcodes, '1,2,3,4'))).toBe('p list exceeds maximum length of 3');
    const worded = listParam(opcodeKind, description, { max: 1, tooManyText: 'maximum 1 p allowed' });
    expect(refusalOf(() => fromQuery(worded, '1', '2'))).toBe('maximum 1 p allowed');
  });

  it('keeps commas in plain strings unless splitCommas is set', () => {
    expect(fromQuery(listParam(stringKind, description, { max: 3 }), 'a,b', 'c')).toEqual(['a,b', 'c']);
    const split = listParam(stringKind, description, { max: 3, splitCommas: true });
    expect(fromQuery(split, 'a,b', 'c')).toEqual(['a', 'b', 'c']);
  });

  it('accepts an array or one value in a body', () => {
    expect(fromBody(opcodes, ['0x1', null, '', '0x2'])).toEqual([1, 2]);
    expect(fromBody(opcodes, '0x1,0x2')).toEqual([1, 2]);
    expect(refusalOf(() => fromBody(opcodes, ['0x1', 2]))).toBe(at(1));
    expect(refusalOf(() => fromBody(opcodes, [['0x1']]))).toBe(at(0));
    expect(refusalOf(() => fromBody(opcodes, {}))).toBe(at(0));
  });

  it('splits a megabyte of commas', () => {
    expect(fromQuery(opcodes, ','.repeat(2 ** 20))).toEqual([]);
    expect(refusalOf(() => fromQuery(opcodes, '1,'.repeat(2 ** 19)))).toContain('exceeds');
  });
});

describe('limitParam', () => {
  const limit = limitParam({ defaultLimit: 10, maxLimit: 1000 });

  it('returns the configured default if absent or empty', () => {
    expect(fromQuery(limit)).toBe(10);
    expect(fromQuery(limit, '')).toBe(10);
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 1000, default: 10 });
  });

  it('accepts 1 to the maximum and refuses the rest', () => {
    expect(fromQuery(limit, '1')).toBe(1);
    expect(fromQuery(limit, '1000')).toBe(1000);
    expect(refusalOf(() => fromQuery(limit, '1001'))).toBe('p is not allowed: 1001 > 1000');
    expect(refusalOf(() => fromQuery(limit, '0'))).toBe('p is not allowed: 0 < 1');
    expect(refusalOf(() => fromQuery(limit, '-5'))).toBe('p is not allowed: -5 < 1');
    expect(refusalOf(() => fromQuery(limit, 'ten'))).toBe(CONVERSION);
  });
});

describe('offsetParam', () => {
  it('returns 0 if absent and refuses negative values', () => {
    expect(fromQuery(offsetParam())).toBe(0);
    expect(fromQuery(offsetParam(), '20')).toBe(20);
    expect(refusalOf(() => fromQuery(offsetParam(), '-1'))).toBe('p is not allowed: -1 < 0');
  });
});

describe('parameters with arbitrary input', () => {
  const kinds = [addressKind, hashKind, shardKind, opcodeKind, stringKind];
  const parameters = kinds.map((kind) => listParam<unknown>(kind, description, { max: 5 }));
  const scalars = [
    limitParam({ defaultLimit: 1, maxLimit: 9 }),
    offsetParam(),
    utimeParam(description),
    uint64Param(description),
    booleanParam(description),
    sortParam(description),
    addressOrNullParam(description),
  ];
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefxX+-.eE,: _=') });

  it('accept or refuse any text with a Failure', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), digits)), (values) => {
        for (const parameter of [
          ...parameters,
          limitParam({ defaultLimit: 1, maxLimit: 9 }),
          offsetParam(),
        ]) {
          try {
            fromQuery<unknown>(parameter, ...values);
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
            expect((error as Failure).message).toContain('p');
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('accept or refuse any JSON with a Failure', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const parameter of [...parameters, ...scalars]) {
          try {
            fromBody<unknown>(parameter, value);
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('return normal forms unchanged', () => {
    const account = fc.record({
      workchain: fc.integer({ min: -128, max: 127 }),
      hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(account, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (address, shard) => {
        const text = formatRaw(address, 'upper');
        expect(formatRaw(addressKind.convert(text)!, 'upper')).toBe(text);
        expect(hashKind.convert(address.hash.toString('base64'))).toEqual(address.hash);
        expect(shardKind.convert(BigInt.asUintN(64, shard).toString(16))).toBe(shard);
        const opcode = Number(BigInt.asIntN(32, shard));
        expect(opcodeKind.convert(`0x${(opcode >>> 0).toString(16)}`)).toBe(opcode);
      }),
    );
  });
});
