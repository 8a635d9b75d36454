import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../../src/chain/stack/input-bytes.ts';
import { methodIdOfName, readMethodId } from '../../../src/chain/stack/method-id.ts';
import { readTypedStack } from '../../../src/chain/stack/typed-input.ts';
import { formatTypedStack } from '../../../src/chain/stack/typed-output.ts';
import { readV3Stack } from '../../../src/chain/stack/v3-input.ts';
import { formatV3Stack } from '../../../src/chain/stack/v3-output.ts';
import type { Failure } from '../../../src/lib/failure.ts';

const FIVE = 'te6cckEBAQEABgAACAAAAAX/FF46';

function refusalOf(run: () => unknown): [kind: string, text: string] {
  try {
    run();
  } catch (error) {
    return [(error as Failure).kind, (error as Failure).message];
  }
  throw new Error('did not throw');
}

const number = (text: unknown) => ({ '@type': 'tvm.stackEntryNumber', number: { number: text } });
const tuple = (elements: unknown) => ({ '@type': 'tvm.stackEntryTuple', tuple: { elements } });

describe('arguments of the typed dialect', () => {
  it('takes numbers in hex, too', () => {
    expect(formatTypedStack(readTypedStack([number('0x10'), number('-0x1')]))).toMatchObject([
      { number: { number: '16' } },
      { number: { number: '-1' } },
    ]);
  });

  it.each<[unknown, string]>([
    [[5], "stack[0]': object expected"],
    [[{}], "stack[0].@type': Field '@type' is missing"],
    [[{ '@type': 'tvm.x' }], "stack[0].@type': unknown stack entry type"],
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
  ])('refuses %j', (stack, text) => {
    const [kind, found] = refusalOf(() => readTypedStack(stack));
    expect(kind).toBe('invalid');
    expect(found).toContain(`failed to parse post request: Error at path '${text}`);
  });

  it('refuses what is no array, and what it shows but does not take', () => {
    expect(refusalOf(() => readTypedStack({}))).toEqual(['invalid', 'Stack should be array']);
    expect(refusalOf(() => readTypedStack([{ '@type': 'tvm.stackEntryUnsupported' }]))).toEqual([
      'lite_server',
      'Unsuppored stack entry',
    ]);
  });

  it('takes 8000 entries in an argument and 1024 levels', () => {
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

describe('arguments of the dialect of v3', () => {
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
  ])('refuses %j', (stack, text) => {
    const [kind, found] = refusalOf(() => readV3Stack(stack));
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
    expect(methodIdOfName(name)).toBe(id);
    expect(readMethodId(name)).toBe(id);
  });

  it('takes numbers and numbers as text for what they are', () => {
    expect(readMethodId(85143)).toBe(85143);
    expect(readMethodId(0)).toBe(0);
    expect(readMethodId('85143')).toBe(85143);
    expect(readMethodId('0x14c97')).toBe(85143);
    expect(readMethodId('-1')).toBe(-1);
    expect(readMethodId('-0x2')).toBe(-2);
    expect(readMethodId('1e3')).toBe(methodIdOfName('1e3'));
    expect(readMethodId('')).toBe(0x10000);
  });

  it.each([null, {}, 1.5, 2 ** 31, '99999999999', 2n ** 70n])('refuses %s', (method) => {
    expect(refusalOf(() => readMethodId(method))[0]).toBe('invalid');
  });
});

describe('bytes in base64', () => {
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
  ])('refuses %j', (text, reason) => {
    expect(() => decodeBase64(text)).toThrow(`invalid base64 encoded bytes: ${reason}`);
  });
});
