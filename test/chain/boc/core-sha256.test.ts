import { createHash } from 'node:crypto';
import { beginCell } from '@ton/core';
import { sha256_sync } from '@ton/crypto';
import { describe, expect, it, vi } from 'vitest';
import { useNativeSha256 } from '../../../src/chain/boc/ton-core.ts';

describe('@ton/core with native SHA-256', () => {
  const buildCell = () => beginCell().storeUint(5, 32).storeRef(beginCell().endCell()).endCell();
  // The slow function begins by turning its input into hex, which the native one never does.
  const turnedToHex = (work: () => void): number => {
    const watched = vi.spyOn(Buffer.prototype, 'toString');
    work();
    const count = watched.mock.calls.filter(([encoding]) => encoding === 'hex').length;
    watched.mockRestore();
    return count;
  };
  const slowCells = turnedToHex(buildCell);
  const slowHash = buildCell().hash();
  useNativeSha256();

  it('hashes cells to the same hashes without the slow function', () => {
    expect(slowCells).toBe(2);
    expect(turnedToHex(buildCell)).toBe(0);
    expect(buildCell().hash()).toEqual(slowHash);
  });

  it('accepts bytes and text', () => {
    for (const text of ['', 'abc', 'é'])
      for (const source of [text, Buffer.from(text)])
        expect(sha256_sync(source)).toEqual(createHash('sha256').update(text, 'utf8').digest());
  });

  it('may be installed twice', () => {
    useNativeSha256();
    expect(buildCell().hash()).toEqual(slowHash);
  });
});
