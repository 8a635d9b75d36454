import { Address } from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatFriendly,
  formatFriendlyForms,
  formatRaw,
  hasFriendlyForm,
  parseAddress,
} from '../../src/chain/address.ts';

const HASH = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const anyWorkchain = fc.integer({ min: -128, max: 127 });

describe('parseAddress', () => {
  it.each([
    ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', true, false],
    ['UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI', false, false],
    ['kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH', true, true],
    ['0QCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqPvC', false, true],
  ])('reads the flags of %s', (text, bounceable, testOnly) => {
    const parsed = parseAddress(text)!;
    expect(parsed).toMatchObject({ workchain: 0, form: 'friendly', bounceable, testOnly });
    expect(parsed.hash.toString('hex')).toBe(HASH);
  });

  it('reads raw forms in any case and bare hex as masterchain', () => {
    expect(parseAddress(`0:${HASH}`)).toMatchObject({ workchain: 0, form: 'raw', bounceable: true });
    expect(parseAddress(`-1:${HASH.toUpperCase()}`)).toMatchObject({ workchain: -1, form: 'raw' });
    expect(parseAddress(`2147483647:${HASH}`)).toMatchObject({ workchain: 2147483647 });
    expect(Object.is(parseAddress(`-0:${HASH}`)!.workchain, 0)).toBe(true);
    expect(parseAddress(HASH)).toMatchObject({ workchain: -1, form: 'bare' });
  });

  it.each([
    '',
    'abcde',
    HASH.slice(1),
    `0:${HASH}0`,
    `0:${HASH.slice(1)}`,
    `0:${HASH.slice(1)}g`,
    `:${HASH}`,
    ` 0:${HASH}`,
    `+1:${HASH}`,
    `2147483648:${HASH}`,
    `-2147483648:${HASH}`,
    `-1000000000:${HASH}`,
    `1e3:${HASH}`,
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M',
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2',
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2=',
    'AACD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  ])('rejects %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it('accepts both base64 alphabets, also mixed', () => {
    const url = 'EQBfaWro_hSs04IkaymaRpwS91Wz0W07iqCXW6IwvMkJRCzC';
    expect(parseAddress(url)).toEqual(parseAddress(url.replace('_', '/')));
    fc.assert(
      fc.property(anyHash, fc.infiniteStream(fc.boolean()), (hash, choices) => {
        const text = formatFriendlyForms({ workchain: 0, hash }, false).bounceable.b64;
        const mixed = text.replace(/[+/]/g, (char) =>
          choices.next().value ? char : char === '+' ? '-' : '_',
        );
        expect(parseAddress(mixed)?.hash).toEqual(hash);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => void parseAddress(text)));
    const hexish = fc.stringMatching(/^[0-9a-f:+_/-]{44,80}$/);
    fc.assert(fc.property(hexish, (text) => void parseAddress(text)));
  });
});

describe('formatting an address', () => {
  it('agrees with @ton/core on every form', () => {
    fc.assert(
      fc.property(
        anyWorkchain,
        anyHash,
        fc.boolean(),
        fc.boolean(),
        (workchain, hash, bounceable, testOnly) => {
          const oracle = new Address(workchain, hash);
          const form = (urlSafe: boolean) => oracle.toString({ urlSafe, bounceable, testOnly });
          expect(formatFriendly({ workchain, hash }, { bounceable, testOnly })).toBe(form(true));
          const forms = formatFriendlyForms({ workchain, hash }, testOnly);
          const given = bounceable ? forms.bounceable : forms.nonBounceable;
          expect(given).toEqual({ b64: form(false), b64url: form(true) });
          expect(formatRaw({ workchain, hash }, 'lower')).toBe(oracle.toRawString());
        },
      ),
    );
  });

  it('gives texts that parseAddress reads back', () => {
    fc.assert(
      fc.property(
        anyWorkchain,
        anyHash,
        fc.boolean(),
        fc.boolean(),
        (workchain, hash, bounceable, testOnly) => {
          const text = formatFriendly({ workchain, hash }, { bounceable, testOnly });
          expect(parseAddress(text)).toEqual({ workchain, hash, form: 'friendly', bounceable, testOnly });
          expect(parseAddress(formatRaw({ workchain, hash }, 'upper'))).toMatchObject({ workchain, hash });
        },
      ),
    );
  });

  it('has no friendly form outside one signed byte of workchain', () => {
    const hash = Buffer.from(HASH, 'hex');
    for (const workchain of [-129, 128]) {
      expect(hasFriendlyForm(workchain)).toBe(false);
      expect(() => formatFriendly({ workchain, hash }, { bounceable: true, testOnly: false })).toThrow(
        RangeError,
      );
    }
  });
});
