import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/lib/failure.ts';
import { addressKind } from '../../src/v3/params/address.ts';
import { int32Param } from '../../src/v3/params/int32.ts';
import { limitParam } from '../../src/v3/params/limit.ts';
import { listParam } from '../../src/v3/params/list.ts';
import { plainStringKind } from '../../src/v3/params/plain-string.ts';
import { bodyValues, queryValues, readParams } from '../../src/v3/query.ts';

const description = 'tested';
const operation = {
  parameters: {
    seqno: int32Param({ description, required: true }),
    names: listParam(plainStringKind, { description, max: 10 }),
    account: listParam(addressKind, { description, max: 10 }),
    limit: limitParam({ defaultLimit: 10, maxLimit: 1000 }),
  },
};

describe('queryValues', () => {
  it('ignores letter case and a trailing [] of names', () => {
    const query = { Names: 'a', 'names[]': ['b', 'c'], 'NAMES[]': 'd', other: 'x' };
    expect(queryValues(query).values.get('names')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes what a parser makes of an empty query or of hostile names', () => {
    expect(queryValues(undefined).values.size).toBe(0);
    const hostile = Object.assign(Object.create(null), { __proto__: 'x', constructor: 'y', '[]': 'z' });
    expect(queryValues(hostile).values.get('constructor')).toEqual(['y']);
    expect(readParams(operation, queryValues({ ...hostile, seqno: '1' }))).toMatchObject({ seqno: 1 });
  });
});

describe('bodyValues', () => {
  it('keeps arrays whole and drops null', () => {
    const { values, origin } = bodyValues({ Seqno: 1, names: ['a'], account: null });
    expect([origin, ...values]).toEqual(['body', ['seqno', [1]], ['names', [['a']]]]);
    expect(bodyValues(undefined).values.size).toBe(0);
  });

  it.each([[[]], ['text'], [1], [true]])('refuses %j as a body', (body) => {
    expect(() => bodyValues(body)).toThrow(Failure);
  });
});

describe('readParams', () => {
  it('reads all parameters and ignores the rest', () => {
    const params = readParams(operation, queryValues({ SEQNO: ['1', '2'], 'names[]': 'a,b', _: '0.123' }));
    expect(params).toEqual({ seqno: 2, names: ['a,b'], account: [], limit: 10 });
    expect(readParams(operation, bodyValues({ seqno: '3', names: ['a', 'b'], unknown: 1 }))).toEqual({
      seqno: 3,
      names: ['a', 'b'],
      account: [],
      limit: 10,
    });
  });

  it.each([
    [{ seqno: 'x' }, 'failed to decode: schema: error converting value for "seqno"'],
    [{}, 'seqno is required'],
    [
      { seqno: 'x', limit: '1001' },
      'failed to decode: schema: error converting value for "seqno" (and 1 other error)',
    ],
    [{ limit: '1001', account: 'zz' }, 'seqno is required (and 2 other errors)'],
    [{ seqno: '1', limit: '1001' }, 'limit is not allowed: 1001 > 1000'],
  ])('tells all that is wrong with %j in one refusal', (query, text) => {
    const read = () => readParams(operation, queryValues(query));
    expect(read).toThrow(expect.objectContaining({ kind: 'invalid', message: text }));
  });

  it('does not hide errors that are no refusal', () => {
    const broken = {
      parameters: {
        p: {
          ...int32Param({ description }),
          read: () => {
            throw new TypeError('bug');
          },
        },
      },
    };
    expect(() => readParams(broken, queryValues({}))).toThrow(TypeError);
  });
});
