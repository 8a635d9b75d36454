import { beginCell } from '@ton/core';
import { expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/core-cell.ts';
import { CodeTexts } from '../../src/v2/code-texts.ts';
import { bocText } from '../../src/v2/shapes/cell-bytes.ts';

it('writes the same code once, wherever it lies', () => {
  const code = beginCell().storeUint(7, 32).endCell();
  const other = beginCell().storeUint(8, 32).endCell();
  const alone = fromCoreCell(code);
  const among = fromCoreCell(beginCell().storeRef(other).storeRef(code).endCell());
  const texts = new CodeTexts();
  const text = texts.textOf({ cells: alone, cell: alone.root });
  expect(text).toBe(bocText(alone, alone.root));
  expect(texts.textOf({ cells: among, cell: among.ref(among.root, 1) })).toBe(text);
  expect(texts.textOf({ cells: among, cell: among.ref(among.root, 0) })).not.toBe(text);
});
