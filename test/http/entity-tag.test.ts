import { describe, expect, it } from 'vitest';
import { namesTag, weakTag } from '../../src/http/entity-tag.ts';

describe('weakTag', () => {
  it('depends on the text alone', () => {
    expect(weakTag('{"a":1}')).toBe(weakTag('{"a":1}'));
    expect(weakTag('{"a":1}')).not.toBe(weakTag('{"a":2}'));
    expect(weakTag('é')).toMatch(/^W\/"[A-Za-z0-9_-]{22}"$/);
  });
});

describe('namesTag', () => {
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
  ])('of %j is %j', (header, named) => {
    expect(namesTag(header, 'W/"abc"')).toBe(named);
  });
});
