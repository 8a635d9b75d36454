import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/lib/errors.ts';
import { limitParam } from '../../src/v3/list-parameters.ts';
import { addressKind, int32Param, stringKind } from '../../src/v3/parameter-kinds.ts';
import {
  bodyValues,
  listParam,
  queryValues,
  readParams,
  readRequestOptions,
} from '../../src/v3/parameters.ts';

const description = 'tested';
const operation = {
  parameters: {
    seqno: int32Param(description, { required: true }),
    names: listParam(stringKind, description, { max: 10 }),
    account: listParam(addressKind, description, { max: 10 }),
    limit: limitParam({ defaultLimit: 10, maxLimit: 1000 }),
  },
};

describe('queryValues', () => {
  it('ignores letter case and a trailing [] of names', () => {
    const query = { Names: 'a', 'names[]': ['b', 'c'], 'NAMES[]': 'd', other: 'x' };
    expect(queryValues(query).values.get('names')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('accepts an empty query and hostile names', () => {
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

  it.each([[[]], ['text'], [1], [true]])('rejects %j as a body', (body) => {
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
  ])('reports all errors of %j in one text', (query, text) => {
    const read = () => readParams(operation, queryValues(query));
    expect(read).toThrow(expect.objectContaining({ kind: 'invalid', message: text }));
  });

  it('rethrows errors that are not a Failure', () => {
    const broken = {
      parameters: {
        p: {
          ...int32Param(description),
          read: () => {
            throw new TypeError('bug');
          },
        },
      },
    };
    expect(() => readParams(broken, queryValues({}))).toThrow(TypeError);
  });
});

const read = (headers: Record<string, string>, query: Record<string, string | string[]> = {}) =>
  readRequestOptions(headers, queryValues(query));

describe('request options', () => {
  it('have defaults', () => {
    expect(read({})).toEqual({
      timeoutMs: 3000,
      noAddressBook: false,
      noMetadata: false,
      debug: false,
      isStrict: false,
      minSeqno: undefined,
      actionsVersion: undefined,
    });
  });

  it('come from headers and from their twins in the query', () => {
    expect(
      read({ 'x-timeout': '250', 'x-no-address-book': '1', 'x-no-metadata': 'True', 'x-debug-request': 't' }),
    ).toEqual({
      timeoutMs: 250,
      noAddressBook: true,
      noMetadata: true,
      debug: true,
      isStrict: false,
      minSeqno: undefined,
      actionsVersion: undefined,
    });
    const twins = {
      X_Timeout: '250',
      x_no_address_book: 'TRUE',
      x_no_metadata: 'T',
      x_debug_request: 'true',
    };
    expect(read({}, twins)).toEqual({
      timeoutMs: 250,
      noAddressBook: true,
      noMetadata: true,
      debug: true,
      isStrict: false,
      minSeqno: undefined,
      actionsVersion: undefined,
    });
  });

  it('prefer the header, unless it is empty', () => {
    expect(read({ 'x-timeout': '100' }, { x_timeout: '200' }).timeoutMs).toBe(100);
    expect(read({ 'x-timeout': '' }, { x_timeout: '200' }).timeoutMs).toBe(200);
    expect(read({ 'x-no-metadata': 'false' }, { x_no_metadata: 'true' }).noMetadata).toBe(false);
    expect(read({}, { x_timeout: ['100', '200'] }).timeoutMs).toBe(200);
  });

  it.each([
    ['1', 1],
    ['3000', 3000],
    ['60000', 3000],
    ['2147483647', 3000],
    ['2147483648', 3000],
    ['99999999999', 3000],
    ['1.5', 3000],
    ['soon', 3000],
    ['100, 200', 3000],
  ])('read X-Timeout %j as %d ms', (text, timeoutMs) => {
    expect(read({ 'x-timeout': text }).timeoutMs).toBe(timeoutMs);
  });

  it.each(['0', '-1', '-2147483648', '-99999999999'])('reject X-Timeout %s, with its name', (text) => {
    const refusal = (name: string) =>
      expect.objectContaining({
        kind: 'invalid',
        message: `${name} should be 1 or more milliseconds, not "${text}"`,
      });
    expect(() => read({ 'x-timeout': text })).toThrow(refusal('X-Timeout'));
    expect(() => read({}, { x_timeout: text })).toThrow(refusal('x_timeout'));
  });

  it('reject a switch that is neither on nor off, with the name it was sent under', () => {
    expect(() => read({ 'x-no-metadata': 'on' })).toThrow('error converting value for "X-No-Metadata"');
    expect(() => read({}, { x_no_metadata: 'yes' })).toThrow('error converting value for "x_no_metadata"');
  });

  it('read the actions version from the header only', () => {
    expect(read({ 'x-actions-version': 'v1' }).actionsVersion).toBe('v1');
    expect(read({ 'x-actions-version': '' }, { x_actions_version: 'v1' }).actionsVersion).toBeUndefined();
  });
});
