import { existsSync, readFileSync } from 'node:fs';
import { beginCell, Cell } from '@ton/core';
import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { formatClassicStack } from '../../../src/chain/stack/classic.ts';
import {
  intEntry,
  listEntry,
  NAN_ENTRY,
  NULL_ENTRY,
  type StackEntry,
  UNSUPPORTED_ENTRY,
  wholeSliceEntry,
} from '../../../src/chain/stack/entries.ts';
import { formatTypedStack, readTypedStack } from '../../../src/chain/stack/typed.ts';
import { formatV3Stack } from '../../../src/chain/stack/v3.ts';
import type { Failure } from '../../../src/lib/errors.ts';
import { sampled } from '../../support/long-run.ts';
import { randomStack } from './random-entries.ts';

const FIVE = 'te6cckEBAQEABgAACAAAAAX/FF46';

function cellEntry(cell: Cell, type: 'cell' | 'builder' = 'cell'): StackEntry {
  const bag = fromCoreCell(cell);
  return { type, cells: bag, cell: bag.root };
}

function sliceEntry(cell: Cell): StackEntry {
  const bag = fromCoreCell(cell);
  return wholeSliceEntry(bag, bag.root);
}

function nested(levels: number): StackEntry {
  let entry: StackEntry = intEntry(1);
  for (let i = 0; i < levels; i++) entry = { type: 'tuple', items: [entry] };
  return entry;
}

function failureOf(run: () => unknown): Pick<Failure, 'kind' | 'message'> {
  try {
    run();
  } catch (error) {
    return { kind: (error as Failure).kind, message: (error as Failure).message };
  }
  throw new Error('did not throw');
}

const five = beginCell().storeUint(5, 32).endCell();
const pair: StackEntry = { type: 'tuple', items: [intEntry(1), cellEntry(five)] };

describe('formatClassicStack', () => {
  it('formats every kind of entry', () => {
    const fiveBits = beginCell().storeUint(0b10110, 5).storeRef(five).endCell();
    const library = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
    const stack = [
      intEntry(42),
      intEntry(-1),
      intEntry(0),
      cellEntry(five),
      sliceEntry(fiveBits),
      pair,
      NULL_ENTRY,
      UNSUPPORTED_ENTRY,
      NAN_ENTRY,
      cellEntry(five, 'builder'),
      cellEntry(library),
    ];
    const fiveObject = { data: { b64: 'AAAABQ==', len: 32 }, refs: [], special: false };
    const shown = formatClassicStack(stack);
    expect(shown.slice(0, 4)).toEqual([
      ['num', '0x2a'],
      ['num', '-0x1'],
      ['num', '0x0'],
      ['cell', { bytes: FIVE, object: fiveObject }],
    ]);
    expect(shown[4]).toMatchObject([
      'cell',
      { object: { data: { b64: 'tA==', len: 5 }, refs: [fiveObject], special: false } },
    ]);
    const number = { '@type': 'tvm.numberDecimal', number: '1' };
    const elements = [
      { '@type': 'tvm.stackEntryNumber', number },
      { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: FIVE } },
    ];
    expect(shown.slice(5, 10)).toEqual([
      ['tuple', { '@type': 'tvm.tuple', elements }],
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['unsupported', ''],
      ['unsupported', ''],
      ['unsupported', ''],
    ]);
    expect(shown[10]).toMatchObject(['cell', { object: { special: true, data: { len: 264 } } }]);
  });

  it('packs a slice into a separate cell', () => {
    const address = beginCell().storeUint(
      0x83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8n,
      256,
    );
    const bag = fromCoreCell(
      beginCell()
        .storeUint(7, 13)
        .storeUint(4, 3)
        .storeUint(0, 8)
        .storeBuilder(address)
        .storeUint(9, 32)
        .endCell(),
    );
    const slice: StackEntry = {
      type: 'slice',
      cells: bag,
      cell: bag.root,
      bit: 13,
      bitEnd: 280,
      refAt: 0,
      refEnd: 0,
    };
    expect(formatClassicStack([slice])).toEqual([
      [
        'cell',
        {
          bytes: 'te6cckEBAQEAJAAAQ4AQe/qqXMblNo5fl5kYi9eYzSLgSrFtHY6k/DdIB0HmNRBko+Gm',
          object: {
            data: { b64: 'gBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1EA==', len: 267 },
            refs: [],
            special: false,
          },
        },
      ],
    ]);
  });

  it('treats only a chain of pairs that ends in null as a list', () => {
    const kinds = (entry: StackEntry) => formatClassicStack([entry])[0]![0];
    expect(kinds(listEntry([intEntry(1), intEntry(2)]))).toBe('list');
    expect(kinds({ type: 'tuple', items: [intEntry(1), NULL_ENTRY] })).toBe('list');
    expect(kinds({ type: 'tuple', items: [] })).toBe('tuple');
    expect(kinds({ type: 'tuple', items: [intEntry(1)] })).toBe('tuple');
    expect(kinds({ type: 'tuple', items: [intEntry(1), intEntry(2)] })).toBe('tuple');
    expect(kinds({ type: 'tuple', items: [intEntry(1), intEntry(2), NULL_ENTRY] })).toBe('tuple');
    expect(kinds({ type: 'tuple', items: [intEntry(1), { type: 'tuple', items: [] }] })).toBe('tuple');
  });

  it('rejects elements at depth 100', () => {
    expect(formatClassicStack([nested(99)])).toHaveLength(1);
    expect(failureOf(() => formatClassicStack([nested(100)]))).toEqual({
      kind: 'result_too_deep',
      message: 'Result stack depth >= 100',
    });
  });
});

describe('formatTypedStack', () => {
  it('distinguishes slices from cells, and formats numbers in decimal', () => {
    expect(formatTypedStack([intEntry(-(2n ** 256n)), sliceEntry(five)])).toEqual([
      {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: `-${2n ** 256n}` },
      },
      { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: FIVE } },
    ]);
  });

  it('rejects entries at depth 256, where the stack is at 1', () => {
    expect(formatTypedStack([nested(254)])).toHaveLength(1);
    expect(failureOf(() => formatTypedStack([nested(255)]))).toEqual({
      kind: 'result_too_deep',
      message: 'Result stack depth >= 256',
    });
  });

  it('writes what readTypedStack reads', () => {
    fc.assert(
      fc.property(randomStack, (stack) => {
        const shown = formatTypedStack(stack);
        fc.pre(!JSON.stringify(shown).includes('stackEntryUnsupported'));
        expect(formatTypedStack(readTypedStack(JSON.parse(JSON.stringify(shown))))).toEqual(shown);
      }),
      { numRuns: sampled(25, 100) },
    );
  });
});

describe('formatV3Stack', () => {
  it('formats slices on the stack as cells, and numbers in hex everywhere', () => {
    const inner: StackEntry = { type: 'tuple', items: [intEntry(-255), sliceEntry(five), cellEntry(five)] };
    expect(formatV3Stack([intEntry(16), sliceEntry(five), cellEntry(five), inner, NULL_ENTRY])).toEqual([
      { type: 'num', value: '0x10' },
      { type: 'cell', value: FIVE },
      { type: 'cell', value: FIVE },
      {
        type: 'tuple',
        value: [
          { type: 'num', value: '-0xff' },
          { type: 'slice', value: FIVE },
          { type: 'cell', value: FIVE },
        ],
      },
      { type: 'list', value: [] },
    ]);
  });

  it('rejects unsupported entries and results that are too deep', () => {
    expect(() => formatV3Stack([UNSUPPORTED_ENTRY])).toThrow(
      'failed to decode api/v2 stack: unsupported stack entry type: unsupported',
    );
    expect(() => formatV3Stack([{ type: 'tuple', items: [NAN_ENTRY] }])).toThrow('tvm.stackEntryUnsupported');
    expect(() => formatV3Stack([nested(100)])).toThrow('Result stack depth >= 100');
  });
});

describe('large results', () => {
  const wide = (count: number): StackEntry => ({ type: 'tuple', items: new Array(count).fill(intEntry(1)) });

  it('are limited to 8000 entries, including elements', () => {
    expect(formatTypedStack([wide(7999)])).toHaveLength(1);
    expect(failureOf(() => formatTypedStack([wide(8000)])).message).toBe('TVM stack size exceeds limit');
    const list = (length: number) => [listEntry(new Array(length).fill(intEntry(1)))];
    expect(formatTypedStack(list(7999))).toHaveLength(1);
    expect(() => formatTypedStack(list(8000))).toThrow('TVM stack size exceeds limit');
    expect(() => formatTypedStack([nested(1025)])).toThrow('TVM stack depth exceeds limit');
  });

  it('are rejected when shared cells expand too far', () => {
    let cell = Cell.EMPTY;
    for (let i = 0; i < 60; i++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
    expect(() => formatClassicStack([cellEntry(cell)])).toThrow('TVM stack size exceeds limit');
    expect(formatTypedStack([cellEntry(cell)])).toHaveLength(1);
  });

  it('are rejected when many entries share a large cell', () => {
    const leaves = Array.from({ length: 64 }, (_, i) => beginCell().storeUint(i, 1000).endCell());
    let large = leaves[0]!;
    for (const leaf of leaves) large = beginCell().storeRef(large).storeRef(leaf).endCell();
    const entry = cellEntry(large);
    expect(() => formatTypedStack([{ type: 'tuple', items: new Array(7000).fill(entry) }])).toThrow(
      'TVM stack size exceeds limit',
    );
  });
});

const CONTRACTS = new URL('../../../../shared/spec/', import.meta.url);
const missing = existsSync(CONTRACTS)
  ? ''
  : ' (skipped: the reference contracts are not beside this checkout)';

describe.skipIf(missing !== '')(`results against the reference contracts${missing}`, () => {
  it.each([
    ['v2', 'LegacyStackEntry', formatClassicStack],
    ['v2', 'TvmStackEntry', formatTypedStack],
    ['v3', 'V2StackEntity', formatV3Stack],
  ] as const)('%s: %s', (version, schema, format) => {
    const ajv = new Ajv.default({ strict: false, validateFormats: false });
    ajv.addSchema(
      JSON.parse(readFileSync(new URL(`${version}.contract.json`, CONTRACTS), 'utf8')),
      'contract',
    );
    const check = ajv.getSchema(`contract#/components/schemas/${schema}`)!;
    fc.assert(
      fc.property(randomStack, (stack) => {
        const showable = version === 'v3' ? formatTypedStack(stack) : [];
        fc.pre(!JSON.stringify(showable).includes('Unsupported'));
        for (const entry of format(stack)) expect(check(entry), ajv.errorsText(check.errors)).toBe(true);
      }),
      { numRuns: sampled(12, 50) },
    );
  });
});
