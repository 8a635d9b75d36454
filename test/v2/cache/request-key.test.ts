import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestKey } from '../../../src/v2/cache/request-key.ts';
import { optionalInt32 } from '../../../src/v2/params/integer.ts';

const any = optionalInt32({ description: '' });
const keyOf = createRequestKey({ name: 'op', parameters: { a: any, b: any } });

describe('the key of a request', () => {
  it.each([
    ['a number and its digits', { a: 12 }, { a: '12' }],
    ['a large number and its digits', { a: -9223372036854775808n }, { a: '-9223372036854775808' }],
    ['a word and the value it stands for', { a: true }, { a: 'true' }],
    ['another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['nothing, undefined and null', { b: 2 }, { a: null, b: 2 }],
    ['names that the operation does not know', { a: 1 }, { a: 1, _: 5, api_key: 'x' }],
    ['names that every object has', {}, { toString: 1, constructor: 2 }],
    ['equal lists', { a: ['x', ['y', 1n]] }, { a: ['x', ['y', 1]] }],
  ])('is the same for %s', (_title, one, other) => {
    expect(keyOf(other, 'body')).toBe(keyOf(one, 'body'));
  });

  it.each([
    ['other values', { a: 1 }, { a: 2 }],
    ['other names', { a: 1 }, { b: 1 }],
    ['nothing and an empty text', {}, { a: '' }],
    ['a value that looks like two', { a: '1', b: '2' }, { a: '1\n1:1:2' }],
    ['a list and its text', { a: ['x'] }, { a: 'body["x"]' }],
    ['a number and its digits inside a list', { a: [1] }, { a: ['1'] }],
    ['digits that a double would lose', { a: [9007199254740993n] }, { a: [9007199254740992n] }],
  ])('differs for %s', (_title, one, other) => {
    expect(keyOf(other, 'body')).not.toBe(keyOf(one, 'body'));
  });

  it('differs for a list in a query string, of which only the first may count', () => {
    expect(keyOf({ a: ['x', 'y'] }, 'query')).not.toBe(keyOf({ a: ['x', 'y'] }, 'body'));
    expect(keyOf({ a: 'x' }, 'query')).toBe(keyOf({ a: 'x' }, 'body'));
  });

  it('differs between operations', () => {
    expect(createRequestKey({ name: 'other', parameters: { a: any } })({ a: 1 }, 'body')).not.toBe(
      keyOf({ a: 1 }, 'body'),
    );
  });

  it('is short, however long the values are', () => {
    const long = 'x'.repeat(100_000);
    expect(keyOf({ a: long }, 'body').length).toBeLessThan(100);
    expect(keyOf({ a: long }, 'body')).not.toBe(keyOf({ a: `${long}x` }, 'body'));
  });

  it('is the same for equal values only', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant('1\n0:1:1'), fc.array(fc.string()));
    const values = fc.record({ a: value, b: value });
    const textOf = (given: unknown) =>
      typeof given === 'object' ? `list ${JSON.stringify(given)}` : `text ${given}`;
    fc.assert(
      fc.property(values, values, (one, other) => {
        const isSame = textOf(one.a) === textOf(other.a) && textOf(one.b) === textOf(other.b);
        expect(keyOf(one, 'body') === keyOf(other, 'body')).toBe(isSame);
      }),
    );
  });
});
