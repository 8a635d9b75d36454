import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/lib/parse-json.ts';

describe('parseJson', () => {
  it('keeps every digit of integers that do not fit a double', () => {
    const text =
      '{"shard":-9223372036854775807,"small":5,"text":"12345678901234567890","list":[9007199254740993]}';
    expect(parseJson(text, { depth: 10 })).toEqual({
      shard: -9223372036854775807n,
      small: 5,
      text: '12345678901234567890',
      list: [9007199254740993n],
    });
  });

  it('leaves fractions and exponents as numbers', () => {
    expect(parseJson('[1.2345678901234567890, 1e300, 1234.5678901234567890]', { depth: 10 })).toEqual([
      1.2345678901234567, 1e300, 1234.567890123457,
    ]);
  });

  it('agrees with JSON.parse on everything else', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const unsafe = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
        expect(JSON.stringify(parseJson(text, { depth: 2048 }), unsafe)).toBe(
          JSON.stringify(JSON.parse(text)),
        );
      }),
    );
  });

  it('refuses malformed text and deep nesting, but not brackets inside strings', () => {
    expect(() => parseJson('{', { depth: 10 })).toThrow(SyntaxError);
    expect(() => parseJson('['.repeat(100_000) + ']'.repeat(100_000), { depth: 2048 })).toThrow(RangeError);
    expect(parseJson('['.repeat(2048) + ']'.repeat(2048), { depth: 2048 })).toBeInstanceOf(Array);
    expect(parseJson(JSON.stringify('[\\"{'.repeat(5000)), { depth: 10 })).toHaveLength(20_000);
  });

  it.each([
    ['an object of many members', { members: 3 }, '{"a":1,"b":2,"c":3,"d":4}', 'more than 3 members'],
    ['many values', { values: 3 }, '[[1],[2],[3]]', 'more than 3 values'],
    ['a number of many digits', { numberChars: 20 }, '[123456789012345678901]', 'more than 20 characters'],
  ])('refuses %s before it is parsed', (_title, limits, text, refusal) => {
    // The scan is for long texts and for those with many digits.
    const long = text + ' '.repeat(2000);
    expect(() => parseJson(long, { depth: 10, ...limits })).toThrow(refusal);
    // What is inside strings does not count.
    const inside = JSON.stringify([text, '\\', '\\"']) + ' '.repeat(2000);
    expect(parseJson(inside, { depth: 10, ...limits, values: 4 })).toEqual([text, '\\', '\\"']);
  });
});
