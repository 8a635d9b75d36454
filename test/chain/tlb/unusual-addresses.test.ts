import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnusual, isUnusual } from '../../../src/chain/tlb/msg-address.ts';

/** As many bytes as the bits need, with zeros behind them. */
const address = fc.integer({ min: 0, max: 511 }).chain((bits) =>
  fc.uint8Array({ minLength: Math.ceil(bits / 8), maxLength: Math.ceil(bits / 8) }).map((bytes) => {
    const value = Buffer.from(bytes);
    const unused = value.length * 8 - bits;
    if (unused > 0) value[value.length - 1] = (value.at(-1)! >> unused) << unused;
    return { bits, value };
  }),
);

describe('unusual addresses', () => {
  it('are recognised as they are written', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (own, workchain) => {
        expect(isUnusual(formatUnusual({ kind: 'extern', ...own }))).toBe(true);
        const variable = { kind: 'var' as const, workchain, anycast: undefined, ...own };
        expect(isUnusual(formatUnusual(variable))).toBe(true);
      }),
    );
    expect(formatUnusual({ kind: 'extern', bits: 12, value: Buffer.from('abc0', 'hex') })).toBe(
      'ext$12:ABC0',
    );
    const value = Buffer.from('ff', 'hex');
    expect(formatUnusual({ kind: 'var', workchain: -1, bits: 8, value, anycast: undefined })).toBe(
      'var$-1:8:FF',
    );
  });

  it('are shown with their anycast prefix', () => {
    const own = { kind: 'var', workchain: 0, bits: 12, value: Buffer.from('5a50', 'hex') } as const;
    expect(formatUnusual({ ...own, anycast: { depth: 10, prefix: 0b1010010111 } })).toBe('var$0:12:A5D0');
    expect(formatUnusual({ ...own, anycast: { depth: 1, prefix: 1 } })).toBe('var$0:12:DA50');
  });

  it.each([
    'ext$',
    'ext$8',
    'ext$8:',
    'ext$8:F',
    'ext$8:FFFF',
    'ext$4:FF',
    `ext$512:${'FF'.repeat(64)}`,
    'ext$-1:',
    'var$8:FF',
    'var$2147483648:8:FF',
    'addr_extern',
    '',
  ])('are not written as %j', (text) => expect(isUnusual(text)).toBe(false));
});
