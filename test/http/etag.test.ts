import { describe, expect, it } from 'vitest';
import { matchesTag, weakTag } from '../../src/http/body.ts';

describe('weakTag', () => {
  it('returns equal tags for equal texts only', () => {
    expect(weakTag('{"a":1}')).toBe(weakTag('{"a":1}'));
    expect(weakTag('{"a":1}')).not.toBe(weakTag('{"a":2}'));
    expect(weakTag('é')).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
  });
});

describe('matchesTag', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*', true],
    ['W/"abc"', true],
    ['"abc"', true],
    ['"x", W/"abc"', true],
    [' "x" ,"abc" ', true],
    ['abc', false],
    ['"ab"', false],
    ['W/"abcd"', false],
    ['W/W/"abc"', false],
  ])('compares If-None-Match %j with W/"abc": %j', (header, named) => {
    expect(matchesTag(header, 'W/"abc"')).toBe(named);
  });
});
