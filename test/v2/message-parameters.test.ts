import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../src/http/operation.ts';
import { cellObject, optionalCellObject } from '../../src/v2/messages.ts';
import { bytes, optionalBytes } from '../../src/v2/parameters.ts';

const read = <T>(parameter: Parameter<T>, ...values: unknown[]): T =>
  parameter.read({ name: 'body', values, origin: 'body' });

const EMPTY_CELL = { data: { b64: '', len: 0 }, refs: [], special: false };

describe('bytes parameters', () => {
  const any = bytes('');
  const filled = bytes('', { nonEmpty: true });

  it.each([
    ['standard', '+/8='],
    ['without padding', '+/8'],
    ['for URLs', '-_8'],
    ['with line breaks', '+\r\n/8 =\n'],
  ])('accept base64 of all kinds: %s', (_what, text) => {
    expect(read(any, text).toString('hex')).toBe('fbff');
  });

  it.each([
    ['!!!', 'Wrong character in the string'],
    ['A', 'Wrong string padding'],
    ['AA===', 'Wrong padding length'],
    ['AB==', 'Wrong padding in the string'],
  ])('reject invalid base64 with the reason: %s', (text, reason) => {
    expect(() => read(any, text)).toThrow(
      `failed to parse post request: Error at path 'body': invalid base64 encoded bytes: ${reason}`,
    );
  });

  it('reject missing and empty values if required', () => {
    expect(() => read(any)).toThrow("failed to parse post request: Field 'body' is missing");
    expect(() => read(any, null)).toThrow("Field 'body' is missing");
    expect(() => read(any, 7)).toThrow('must be a string');
    expect(read(any, '')).toHaveLength(0);
    expect(() => read(filled, ' ')).toThrow('failed to validate request: empty body');
    const optional = optionalBytes('');
    expect([read(optional), read(optional, null), read(optional, '')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('cell object parameters', () => {
  const required = cellObject('');

  it('are read with all cells below', () => {
    const bag = read(required, { data: { b64: 'gA==', len: 1 }, refs: [EMPTY_CELL, EMPTY_CELL] });
    expect([bag.bits[bag.root], bag.refCount(bag.root)]).toEqual([1, 2]);
  });

  it.each<[string, unknown]>([
    ['no object', 'te6cck'],
    ['a list', []],
    ['an empty object', {}],
    ['more bits than bytes', { data: { b64: 'gA==', len: 9 }, refs: [] }],
    ['too many references', { ...EMPTY_CELL, refs: Array(5).fill(EMPTY_CELL) }],
    ['a reference that is none', { ...EMPTY_CELL, refs: [1] }],
    ['an exotic cell of no kind', { ...EMPTY_CELL, special: true }],
    [
      'a part of a proof',
      {
        data: { b64: Buffer.concat([Buffer.from([1, 1]), Buffer.alloc(34)]).toString('base64'), len: 288 },
        refs: [],
        special: true,
      },
    ],
  ])('are rejected: %s', (_what, value) => {
    const refusal = { kind: 'bad_request', message: 'Error while parsing cell object' };
    expect(() => read(required, value)).toThrow(expect.objectContaining(refusal));
    expect(() => read(optionalCellObject(''), value)).toThrow(expect.objectContaining(refusal));
  });

  it('reject a missing value if required', () => {
    expect(() => read(required)).toThrow("Field 'body' is missing");
    const optional = optionalCellObject('');
    expect([read(optional), read(optional, null), read(optional, '')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
