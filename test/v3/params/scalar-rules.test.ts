import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Parameter } from '../../../src/http/operation.ts';
import { addressParam } from '../../../src/v3/params/address.ts';
import { booleanParam } from '../../../src/v3/params/boolean.ts';
import { choiceParam } from '../../../src/v3/params/choice.ts';
import { int32Param } from '../../../src/v3/params/int32.ts';
import { opcodeParam } from '../../../src/v3/params/opcode.ts';
import { shardParam } from '../../../src/v3/params/shard.ts';
import { type SortOrder, sortParam } from '../../../src/v3/params/sort.ts';
import { uint64Param } from '../../../src/v3/params/uint64.ts';
import { utimeParam } from '../../../src/v3/params/utime.ts';
import { CONVERSION, fromBody, fromQuery, refusalOf } from './read-parameter.ts';

const description = 'tested';

describe('sort', () => {
  const parameter = sortParam({ description, fallback: 'desc' });

  it.each([
    ['asc', 'asc'],
    ['A', 'asc'],
    ['DESC', 'desc'],
    ['d', 'desc'],
    ['', 'desc'],
  ])('reads %j as %s', (text, order) => {
    expect(fromQuery(parameter, text)).toBe(order);
  });

  it('refuses other words in its own wording', () => {
    const read = () => parameter.read({ name: 'sort', values: ['up'], origin: 'query' });
    expect(read).toThrow(/^wrong value for sort parameter$/);
  });
});

describe('choice', () => {
  it('takes its words only, and names them', () => {
    const parameter = choiceParam(['in', 'out'], { description });
    expect(fromQuery(parameter, 'in')).toBe('in');
    expect(fromQuery(parameter, '')).toBeUndefined();
    expect(refusalOf(() => fromQuery(parameter, 'IN'))).toBe('p should be one of: in, out');
    expect(refusalOf(() => fromQuery(parameter, 'toString'))).toBe('p should be one of: in, out');
  });
});

describe('required', () => {
  it('refuses an absent parameter with a text that names it', () => {
    expect(refusalOf(() => fromQuery(int32Param({ description, required: true })))).toBe('p is required');
    const missingText = 'address of account is required';
    expect(refusalOf(() => fromQuery(addressParam({ description, required: true, missingText })))).toBe(
      missingText,
    );
  });

  it('refuses an empty number as missing and an empty address as no address', () => {
    expect(refusalOf(() => fromQuery(int32Param({ description, required: true }), ''))).toBe('p is required');
    expect(refusalOf(() => fromQuery(addressParam({ description, required: true }), ''))).toBe(CONVERSION);
  });
});

describe('values of a JSON body', () => {
  it('may be numbers where the kind is a number', () => {
    expect(fromBody(int32Param({ description }), 7)).toBe(7);
    expect(fromBody(uint64Param({ description }), 2n ** 63n)).toBe(2n ** 63n);
    expect(fromBody(utimeParam({ description }), 12.5)).toBe(12);
    expect(refusalOf(() => fromBody(int32Param({ description }), 1.5))).toBe(CONVERSION);
    expect(refusalOf(() => fromBody(uint64Param({ description }), 1e21))).toBe(CONVERSION);
  });

  it('may be booleans where the kind is a boolean', () => {
    expect(fromBody(booleanParam({ description }), false)).toBe(false);
    expect(refusalOf(() => fromBody(booleanParam({ description }), 1))).toBe(CONVERSION);
  });

  it('may not be numbers where text is read as hex first', () => {
    expect(refusalOf(() => fromBody(opcodeParam({ description }), 123))).toBe(CONVERSION);
    expect(refusalOf(() => fromBody(shardParam({ description }), 10))).toBe(CONVERSION);
  });
});

it('gives handlers undefined only where a value can be absent', () => {
  expectTypeOf(int32Param({ description })).toEqualTypeOf<Parameter<number | undefined>>();
  expectTypeOf(int32Param({ description, required: true })).toEqualTypeOf<Parameter<number>>();
  expectTypeOf(booleanParam({ description, fallback: true })).toEqualTypeOf<Parameter<boolean>>();
  expectTypeOf(sortParam({ description, fallback: 'desc' })).toEqualTypeOf<Parameter<SortOrder>>();
  expectTypeOf(choiceParam(['in', 'out'], { description })).toEqualTypeOf<
    Parameter<'in' | 'out' | undefined>
  >();
});
