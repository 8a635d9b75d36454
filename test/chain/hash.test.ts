import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHashBase64, formatHashBase64Url, formatHashHex, parseHash } from '../../src/chain/hash.ts';
import { sampled } from '../support/long-run.ts';

const HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3';
const BASE64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=';
const BASE64_URL = 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM';
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('parseHash', () => {
  it.each([
    ['hex', HEX],
    ['upper-case hex', HEX.toUpperCase()],
    ['mixed-case hex', HEX.slice(0, 32).toUpperCase() + HEX.slice(32)],
    ['base64', BASE64],
    ['padded base64url', `${BASE64_URL}=`],
    ['base64url', BASE64_URL],
  ])('reads %s', (_form, text) => {
    expect(parseHash(text)?.toString('hex')).toBe(HEX);
  });

  it.each([
    ['nothing', ''],
    ['63 hex digits', HEX.slice(1)],
    ['65 hex digits', `0${HEX}`],
    ['a letter that is no hex digit', `g${HEX.slice(1)}`],
    ['0x hex, which only some callers take', `0x${HEX}`],
    ['standard base64 without padding', BASE64.slice(0, 43)],
    ['both alphabets mixed', BASE64.replace('+', '-')],
    ['padding in the wrong place', `=${BASE64.slice(0, 43)}`],
    ['a 44th character that is no padding', `${BASE64_URL}A`],
    ['tail bits that are not zero', `${BASE64.slice(0, 42)}N=`],
    ['tail bits that are not zero, unpadded', `${BASE64_URL.slice(0, 42)}N`],
    ['a line end', `${BASE64_URL}\n`],
    ['a space for a plus', BASE64.replace('+', ' ')],
    ['32 characters of 2 bytes', 'é'.repeat(32)],
  ])('rejects %s', (_case, text) => {
    expect(parseHash(text)).toBeUndefined();
  });

  it('accepts further forms if requested', () => {
    expect(parseHash(`0x${HEX}`, { prefixedHex: true })?.toString('hex')).toBe(HEX);
    expect(parseHash(`0X${HEX}`, { prefixedHex: true })?.toString('hex')).toBe(HEX);
    expect(parseHash(`1x${HEX}`, { prefixedHex: true })).toBeUndefined();
    expect(parseHash(BASE64.slice(0, 43), { unpaddedStandard: true })?.toString('hex')).toBe(HEX);
    expect(parseHash(`0x${'0x'.repeat(32)}`, { prefixedHex: true })).toBeUndefined();
  });

  it('reads back every form it writes', () => {
    fc.assert(
      fc.property(bytes32, (hash) => {
        for (const format of [formatHashBase64, formatHashBase64Url, formatHashHex]) {
          expect(parseHash(format(hash))?.equals(hash)).toBe(true);
        }
      }),
    );
  });

  it('returns 32 bytes with one spelling per form, or undefined', () => {
    const base64Like = fc.string({
      unit: fc.constantFrom(...'ABCZabz019+/-_= '),
      minLength: 42,
      maxLength: 45,
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), base64Like), (text) => {
        const hash = parseHash(text);
        if (hash === undefined) return;
        expect(hash).toHaveLength(32);
        const bare = text.replace('=', '');
        expect([
          formatHashBase64(hash).replace('=', ''),
          formatHashBase64Url(hash),
          formatHashHex(hash),
        ]).toContain(text.length === 64 ? text.toLowerCase() : bare);
      }),
      { numRuns: sampled(500, 2000) },
    );
  });
});
