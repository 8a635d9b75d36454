import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { createBodyDecoder } from '../../../src/chain/messages/body-decoder.ts';
import { parseFields, parseScheme } from '../../../src/chain/messages/notation.ts';

describe('parseFields and parseScheme', () => {
  it('read fields, references, choices and conditions', () => {
    expect(parseFields('')).toEqual([]);
    expect(parseFields('coins coins, ^{a u8}?, rest [flags.0] @X<n+1, ^any>, {flags <= 1}')).toEqual([
      { kind: 'field', name: 'coins', layout: { kind: 'amount', name: 'nanocoins' }, when: undefined },
      {
        kind: 'field',
        name: '',
        when: undefined,
        layout: {
          kind: 'maybe',
          of: {
            kind: 'ref',
            of: {
              kind: 'record',
              parts: [{ kind: 'field', name: 'a', layout: { kind: 'uint', bits: 8 }, when: undefined }],
            },
          },
        },
      },
      {
        kind: 'field',
        name: 'rest',
        when: { name: 'flags', bit: 0 },
        layout: {
          kind: 'named',
          name: 'X',
          arguments: [
            { kind: 'sum', left: { kind: 'name', name: 'n' }, right: { kind: 'number', value: 1 } },
            { kind: 'ref', of: { kind: 'rest' } },
          ],
        },
      },
      {
        kind: 'constraint',
        order: '<=',
        left: { kind: 'name', name: 'flags' },
        right: { kind: 'number', value: 1 },
      },
    ]);
  });

  it.each([
    'a',
    'a u',
    'a u8 b',
    'a u8,',
    'a ^{b u8',
    'dict<u8, u8>',
    'a either<u8>',
    '{a ! 1}',
    'a b<8',
    'a [x u8',
  ])('reject "%s"', (text) => {
    expect(() => parseFields(text)).toThrow(/^layout /);
  });

  it('read tables of messages and types', () => {
    const { messages, types } = parseScheme([
      '3 0000000a later = a u8; 1 0000000a sooner;',
      'T<0> end #ff; T<n+1> _ $01;',
    ]);
    expect(messages.get(10)!.map(({ name, group }) => [name, group])).toEqual([
      ['sooner', 1],
      ['later', 3],
    ]);
    const [end, more] = types.get('T')!;
    expect(end).toEqual({
      name: 'end',
      parameters: [{ kind: 'number', value: 0 }],
      tag: 255,
      tagBits: 8,
      parts: [],
    });
    expect(more).toMatchObject({
      name: undefined,
      parameters: [{ kind: 'name', name: 'n', added: 1 }],
      tag: 1,
      tagBits: 2,
    });
    expect(() => parseScheme(['what is this'])).toThrow('neither a message nor a type: "what is this"');
    expect(() => parseScheme(['T<%> t;'])).toThrow('invalid parameter: "%"');
  });

  it.each([
    ['1 00000007 m = a @Nothing;', 'unknown type "Nothing"'],
    ['1 00000007 m = a b<n*8>, n u8;', '"n" is used before it is read'],
    ['1 00000007 m = n u64, a b<n>;', '"n" is not a number of at most 32 bits'],
  ])('report the error in "%s" on first use', (text, mistake) => {
    const decoder = createBodyDecoder(() => parseScheme([text]));
    const body = beginCell().storeUint(7, 32).storeUint(0, 64).endCell();
    expect(() => decoder.decodeBoc(body.toBoc())).toThrow(mistake);
  });
});
