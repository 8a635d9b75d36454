import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { methodIdByName, parseMethodId } from '../../../src/chain/contracts/method-ids.ts';
import { decodeBase64 } from '../../../src/chain/stack/arguments.ts';
import { formatClassicStack, readClassicStack } from '../../../src/chain/stack/classic.ts';
import { formatTypedStack, readTypedStack } from '../../../src/chain/stack/typed.ts';
import { formatV3Stack, readV3Stack } from '../../../src/chain/stack/v3.ts';
import type { Failure } from '../../../src/lib/errors.ts';

const FIVE = 'te6cckEBAQEABgAACAAAAAX/FF46';
const FIVE_PLAIN = 'te6ccgEBAQEABgAACAAAAAU=';
const FIVE_OBJECT = { data: { b64: 'AAAABQ==', len: 32 }, refs: [], special: false };

function refusalOf(stack: unknown): [kind: string, text: string] {
  try {
    readClassicStack(stack);
  } catch (error) {
    return [(error as Failure).kind, (error as Failure).message];
  }
  throw new Error('did not throw');
}

describe('readClassicStack', () => {
  it.each<[unknown, string]>([
    [10, '0xa'],
    [-1, '-0x1'],
    [123456789012345678901234567890n, '0x18ee90ff6c373e0ee4e3f0ad2'],
    ['10', '0xa'],
    ['-5', '-0x5'],
    ['+5', '0x5'],
    ['007', '0x7'],
    ['0x10', '0x10'],
    ['-0xFf', '-0xff'],
    ['0b101', '0x5'],
    ['0o17', '0xf'],
    ['115792089237316195423570985008687907853269984665640564039457584007913129639935', `0x${'f'.repeat(64)}`],
    [
      '-115792089237316195423570985008687907853269984665640564039457584007913129639936',
      `-0x1${'0'.repeat(64)}`,
    ],
  ])('reads the number %s', (value, shown) => {
    for (const type of ['num', 'int', 'number', 'integer'])
      expect(formatClassicStack(readClassicStack([[type, value]]))).toEqual([['num', shown]]);
  });

  it.each<[string, unknown]>([
    ['tvm.Cell', FIVE],
    ['tvm.Cell', FIVE_PLAIN],
    ['tvm.Cell', FIVE_PLAIN.replace('=', '')],
    ['tvm.Cell', ` ${FIVE.slice(0, 8)}\n${FIVE.slice(8)}\r\n`],
    ['tvm.Cell', FIVE.replaceAll('/', '_')],
    ['cell', { bytes: FIVE }],
    ['cell', { bytes: FIVE, object: FIVE_OBJECT }],
    ['cell', FIVE],
    ['cell', FIVE_OBJECT],
    ['cell', { data: FIVE_OBJECT.data, refs: [] }],
    ['cell', JSON.stringify(FIVE_OBJECT)],
  ])('reads the cell %s %j', (type, value) => {
    const expected = { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: FIVE } };
    expect(formatTypedStack(readClassicStack([[type, value]]))).toEqual([expected]);
    const slice = type.replace('Cell', 'Slice').replace('cell', 'slice');
    expect(formatTypedStack(readClassicStack([[slice, value]]))).toEqual([
      { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: FIVE } },
    ]);
  });

  it('reads the JSON form of a cell with any completion of its last byte', () => {
    const cell = beginCell().storeUint(0b10110, 5).storeRef(beginCell().storeUint(1, 9)).endCell();
    const bytes = cell.toBoc().toString('base64');
    const [shown] = formatClassicStack(readClassicStack([['tvm.Cell', bytes]]));
    const object = (shown as unknown as [string, { object: object }])[1].object;
    expect(formatClassicStack(readClassicStack([['cell', object]]))).toEqual([shown]);
    const library = {
      data: { b64: Buffer.from([2, ...Buffer.alloc(32)]).toString('base64'), len: 264 },
      refs: [],
    };
    expect(formatClassicStack(readClassicStack([['cell', { ...library, special: true }]]))).toMatchObject([
      ['cell', { object: { special: true } }],
    ]);
  });

  it('reads tuples and lists, with or without their outermost object', () => {
    const one = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '1' } };
    const tuple = { '@type': 'tvm.tuple', elements: [one, one, one] };
    const list = { '@type': 'tvm.list', elements: [one] };
    const shown = formatClassicStack(
      readClassicStack([
        ['tuple', tuple],
        ['tvm.Tuple', { '@type': 'tvm.stackEntryTuple', tuple }],
        ['list', list],
        ['tvm.List', { '@type': 'tvm.stackEntryList', list }],
        ['list', { elements: [] }],
      ]),
    );
    expect(shown).toEqual([
      ['tuple', tuple],
      ['tuple', tuple],
      ['list', list],
      ['list', list],
      ['list', { '@type': 'tvm.list', elements: [] }],
    ]);
  });

  it.each<[stack: unknown, text: string]>([
    ['x', 'Stack should be array'],
    [{}, 'Stack should be array'],
    [null, 'Stack should be array'],
    [[['num']], 'Expected 2 elements in stack entry, got: 1'],
    [[['num', 1, 2]], 'Expected 2 elements in stack entry, got: 3'],
    [['num'], 'Expected 2 elements in stack entry, got: 0'],
    [[[1, 'num']], 'Expected string as first element in stack entry'],
    [[['num', 'abc']], 'Invalid number: abc'],
    [[['num', '']], 'Invalid number: '],
    [[['num', '1.5']], 'Invalid number: 1.5'],
    [[['num', `${2n ** 256n}`]], `Invalid number: ${2n ** 256n}`],
    [[['num', 2n ** 256n]], `Invalid number: ${2n ** 256n}`],
    [[['num', '9'.repeat(1000)]], `Invalid number: ${'9'.repeat(256)}…`],
    [[['num', 1.5]], 'Wrong type of number in stack entry'],
    [[['num', null]], 'Wrong type of number in stack entry'],
    [[['num', true]], 'Wrong type of number in stack entry'],
    [[['tvm.Cell', '']], 'Empty tvm.Cell'],
    [[['tvm.Slice', null]], 'Empty tvm.Slice'],
    [[['tvm.Cell', 5]], 'Invalid tvm.Cell, base64 string expected'],
    [[['tvm.Slice', { bytes: FIVE }]], 'Invalid tvm.Slice, base64 string expected'],
    [[['cell', '']], 'Empty cell'],
    [[['slice', { bytes: '' }]], 'Empty slice'],
    [[['cell', 5]], 'Invalid cell, object with field bytes expected'],
    [[['slice', {}]], 'Invalid slice, object with field bytes expected'],
    [[['cell', []]], 'Invalid cell, object with field bytes expected'],
    [[['cell', '{"data"']], 'Invalid cell, object with field bytes expected'],
    [
      [['cell', { data: { b64: 'AA==', len: 9 }, refs: [] }]],
      'Invalid cell, object with field bytes expected',
    ],
    [[['cell', { ...FIVE_OBJECT, special: true }]], 'Invalid cell, object with field bytes expected'],
    [[['cell', { ...FIVE_OBJECT, refs: [1] }]], 'Invalid cell, object with field bytes expected'],
    [[['tuple', [['num', '1']]]], 'Invalid tvm.Tuple, valid tvm_stackEntryTuple expected'],
    [[['tuple', null]], 'Invalid tvm.Tuple, valid tvm_stackEntryTuple expected'],
    [[['tvm.List', { '@type': 'tvm.list' }]], 'Invalid tvm.List, valid tvm_stackEntryList expected'],
    [[['tvm.Cell', 'te6cck*']], 'invalid base64 encoded bytes: Wrong character in the string'],
  ])('rejects case %#: $1', (stack, text) => {
    expect(refusalOf(stack)).toEqual(['invalid', text]);
  });

  it('names the unsupported type', () => {
    expect(refusalOf([['tvm.Builder', FIVE]])).toEqual([
      'unsupported',
      'Unsupported stack entry type: tvm.Builder',
    ]);
    expect(refusalOf([['null', null]])).toEqual(['unsupported', 'Unsupported stack entry type: null']);
  });

  it('reports the error of a malformed bag of cells', () => {
    const [kind, text] = refusalOf([['tvm.Cell', 'AAAA']]);
    expect(kind).toBe('lite_server');
    expect(text).toMatch(/^cannot deserialize bag-of-cells: /);
    const proof = beginCell().storeUint(1, 8).storeUint(1, 8).storeUint(5, 256).storeUint(0, 16);
    const pruned = proof.endCell({ exotic: true }).toBoc().toString('base64');
    expect(refusalOf([['tvm.Cell', pruned]])[1]).toContain('a root with non-zero level');
  });

  it('limits the depth of a cell in JSON form', () => {
    let object: object = FIVE_OBJECT;
    for (let i = 0; i < 1030; i++) object = { ...FIVE_OBJECT, refs: [object] };
    expect(refusalOf([['cell', object]])).toEqual([
      'invalid',
      'Invalid cell, object with field bytes expected',
    ]);
    expect(refusalOf([['slice', JSON.stringify(object)]])[0]).toBe('invalid');
  });
});

function refusalOfRun(run: () => unknown): [kind: string, text: string] {
  try {
    run();
  } catch (error) {
    return [(error as Failure).kind, (error as Failure).message];
  }
  throw new Error('did not throw');
}

const number = (text: unknown) => ({ '@type': 'tvm.stackEntryNumber', number: { number: text } });
const tuple = (elements: unknown) => ({ '@type': 'tvm.stackEntryTuple', tuple: { elements } });

describe('readTypedStack', () => {
  it('accepts numbers in hex', () => {
    expect(formatTypedStack(readTypedStack([number('0x10'), number('-0x1')]))).toMatchObject([
      { number: { number: '16' } },
      { number: { number: '-1' } },
    ]);
  });

  it.each<[unknown, string]>([
    [[5], "stack[0]': object expected"],
    [[{}], "stack[0].@type': Field '@type' is missing"],
    [[{ '@type': 5 }], "stack[0].@type': string expected"],
    [[{ '@type': 'tvm.stackEntryNumber' }], "stack[0]': Field 'number' is missing"],
    [[number('abc')], "stack[0].number.number': Invalid number"],
    [[number(5)], "stack[0].number': string expected"],
    [[number('1'), number(undefined)], "stack[1].number': Field 'number' is missing"],
    [[{ '@type': 'tvm.stackEntryCell', cell: {} }], "stack[0].cell': Field 'bytes' is missing"],
    [
      [{ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.slice', bytes: FIVE } }],
      "stack[0].cell.@type': tvm.cell expected",
    ],
    [[tuple(undefined)], "stack[0].tuple': Field 'elements' is missing"],
    [[tuple({})], "stack[0].tuple.elements': array expected"],
    [[tuple([tuple([number('')])])], "stack[0].tuple.elements[0].tuple.elements[0].number.number': Invalid"],
  ])('rejects %j', (stack, text) => {
    const [kind, found] = refusalOfRun(() => readTypedStack(stack));
    expect(kind).toBe('invalid');
    expect(found).toContain(`failed to parse post request: Error at path '${text}`);
  });

  it('rejects a stack that is not an array, and unsupported entries', () => {
    expect(refusalOfRun(() => readTypedStack({}))).toEqual(['invalid', 'Stack should be array']);
    expect(refusalOfRun(() => readTypedStack([{ '@type': 'tvm.stackEntryUnsupported' }]))).toEqual([
      'lite_server',
      'Unsuppored stack entry',
    ]);
  });

  it('accepts 8000 entries and 1024 levels per argument', () => {
    const wide = (length: number) => [tuple(new Array(length).fill(number('1')))];
    expect(readTypedStack([...wide(7999), ...wide(7999)])).toHaveLength(2);
    expect(() => readTypedStack(wide(8000))).toThrow('TVM stack input exceeds size limit');
    const deep = (levels: number) => {
      let entry: unknown = number('1');
      for (let i = 0; i < levels; i++) entry = tuple([entry]);
      return [entry];
    };
    expect(readTypedStack(deep(1024))).toHaveLength(1);
    expect(() => readTypedStack(deep(1025))).toThrow('TVM stack input exceeds depth limit');
  });
});

describe('readV3Stack', () => {
  it('reads numbers, cells and slices', () => {
    const stack = [
      { type: 'num', value: '0x1f' },
      { type: 'num', value: -3 },
      { type: 'cell', value: FIVE },
      { type: 'slice', value: FIVE },
    ];
    expect(readV3Stack(stack).map(({ type }) => type)).toEqual(['int', 'int', 'cell', 'slice']);
    expect(formatV3Stack(readV3Stack(stack))).toEqual([
      { type: 'num', value: '0x1f' },
      { type: 'num', value: '-0x3' },
      { type: 'cell', value: FIVE },
      { type: 'cell', value: FIVE },
    ]);
    expect(readV3Stack(undefined)).toEqual([]);
    expect(readV3Stack(null)).toEqual([]);
  });

  it.each<[unknown, RegExp]>([
    ['x', /^stack should be an array$/],
    [[5], /^stack\[0\] should be an object/],
    [[{ type: 'test', value: 'test' }], /^unsupported stack parameter type: test$/],
    [[{ value: 'test' }], /^unsupported stack parameter type: undefined$/],
    [[{ type: 'num', value: 'x' }], /^Invalid number: x$/],
    [[{ type: 'cell', value: 5 }], /^stack\[0\]: a cell should be/],
    [[{ type: 'slice', value: 'AAAA' }], /^cannot deserialize bag-of-cells: /],
  ])('rejects %j', (stack, text) => {
    const [kind, found] = refusalOfRun(() => readV3Stack(stack));
    expect(kind).toBe('invalid');
    expect(found).toMatch(text);
  });
});

describe('ids of get-methods', () => {
  it.each([
    ['seqno', 85143],
    ['get_public_key', 78748],
    ['get_jetton_data', 106029],
    ['get_wallet_data', 97026],
    ['get_collection_data', 102491],
    ['get_nft_data', 102351],
    ['get_wallet_address', 103289],
    ['get_nft_address_by_index', 92067],
    ['get_nft_content', 68445],
    ['dnsresolve', 123660],
    ['get_domain', 119378],
    ['is_claimed', 122284],
    ['active_election_id', 86535],
  ])('%s is %i', (name, id) => {
    expect(methodIdByName(name)).toBe(id);
    expect(parseMethodId(name)).toBe(id);
  });

  it('are used as given for numbers and numeric texts', () => {
    expect(parseMethodId(85143)).toBe(85143);
    expect(parseMethodId(0)).toBe(0);
    expect(parseMethodId('85143')).toBe(85143);
    expect(parseMethodId('0x14c97')).toBe(85143);
    expect(parseMethodId('-1')).toBe(-1);
    expect(parseMethodId('-0x2')).toBe(-2);
    expect(parseMethodId('1e3')).toBe(methodIdByName('1e3'));
    expect(parseMethodId('')).toBe(0x10000);
  });

  it.each([null, {}, 1.5, 2 ** 31, '99999999999', 2n ** 70n])('are rejected for %s', (method) => {
    expect(refusalOfRun(() => parseMethodId(method))[0]).toBe('invalid');
  });
});

describe('decodeBase64', () => {
  it.each([
    ['', ''],
    ['AA==', '00'],
    ['AA', '00'],
    ['AAA=', '0000'],
    ['AAA', '0000'],
    ['-_-_', 'fbffbf'],
    ['+/+/', 'fbffbf'],
    [' AA\n==\t', '00'],
  ])('decodes %j', (text, hex) => {
    expect(decodeBase64(text).toString('hex')).toBe(hex);
  });

  it.each([
    ['A', 'Wrong string padding'],
    ['AA=', 'Wrong string padding'],
    ['AAAA=', 'Wrong string padding'],
    ['AAA==', 'Wrong string padding'],
    ['A===', 'Wrong padding length'],
    ['AB', 'Wrong padding in the string'],
    ['AAB=', 'Wrong padding in the string'],
    ['A*AA', 'Wrong character in the string'],
    ['A=AA', 'Wrong character in the string'],
    ['Aя==', 'Wrong character in the string'],
  ])('rejects %j', (text, reason) => {
    expect(() => decodeBase64(text)).toThrow(`invalid base64 encoded bytes: ${reason}`);
  });
});
