import { beginCell, type TupleItem } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { methodIdByName, readMethodIds } from '../../src/chain/contracts/method-ids.ts';
import type { StackEntry } from '../../src/chain/stack/entries.ts';
import { readStackBoc } from '../../src/chain/stack/vm-stack.ts';
import type { Vm } from '../../src/vm/vm.ts';
import { boc, codeRun } from '../vm/built-data.ts';
import { getMethodCode } from './get-method-code.ts';
import { sharedVm } from './shared-vm.ts';

let vm: Vm;
beforeAll(() => {
  vm = sharedVm();
});
afterAll(() => vm.close());

const cellOf = (number: number) =>
  beginCell().storeUint(number, 32).storeRef(beginCell().storeUint(1, 1)).endCell();

const EVERY_KIND: TupleItem[] = [
  ...[0n, -1n, 255n, 2n ** 256n - 1n, -(2n ** 256n)].map((value) => ({ type: 'int', value }) as const),
  { type: 'null' },
  { type: 'nan' },
  { type: 'cell', cell: cellOf(1) },
  { type: 'slice', cell: cellOf(2) },
  { type: 'builder', cell: cellOf(3) },
  { type: 'tuple', items: [] },
  { type: 'tuple', items: [{ type: 'null' }, { type: 'tuple', items: [{ type: 'cell', cell: cellOf(4) }] }] },
];
const METHODS = {
  kinds: EVERY_KIND,
  refs: Array.from({ length: 12 }, (_, i): TupleItem => ({ type: 'cell', cell: cellOf(i) })),
  many: Array.from({ length: 26 }, (_, i): TupleItem => ({ type: 'int', value: BigInt(i) })),
  nothing: [],
  fails: { throws: 1234 },
  endless: { loops: true },
  // 7 and 8
  own: { code: beginCell().storeUint(0x7778, 16).endCell() },
} as const;
const CODE = getMethodCode(METHODS);

async function run(method: string): Promise<number | unknown[]> {
  const { exitCode, stack } = await vm.runGetMethod(
    codeRun(CODE, { methodId: methodIdByName(method), gasLimit: 100_000 }),
  );
  return exitCode === 0 ? readStackBoc(stack).map(plain) : exitCode;
}

/** An entry in a form that can be compared. */
function plain(entry: StackEntry): unknown {
  if (entry.type === 'tuple') return entry.items.map(plain);
  if ('cell' in entry) return [entry.type, entry.cells.hash(entry.cell).toString('hex')];
  return 'value' in entry ? entry.value : entry.type;
}

function plainItem(item: TupleItem): unknown {
  if (item.type === 'tuple') return item.items.map(plainItem);
  if ('cell' in item) return [item.type, item.cell.hash().toString('hex')];
  return 'value' in item ? item.value : item.type;
}

it('returns stacks with entries of every kind, and with many entries', async () => {
  expect(await run('kinds')).toEqual(METHODS.kinds.map(plainItem));
  expect(await run('refs')).toEqual(METHODS.refs.map(plainItem));
  expect(await run('many')).toEqual(METHODS.many.map(plainItem));
  expect(await run('nothing')).toEqual([]);
  expect(await run('own')).toEqual([7n, 8n]);
});

it('throws, runs out of gas in a loop, and fails with 11 for unknown methods', async () => {
  expect(await Promise.all(['fails', 'endless', 'other'].map(run))).toEqual([1234, -14, 11]);
});

it('has its methods in the dictionary that compilers use', () => {
  const ids = Object.keys(METHODS).map(methodIdByName);
  expect(new Set(readMethodIds(boc(CODE)))).toEqual(new Set(ids));
});
