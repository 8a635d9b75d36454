import { hash as hashOnce } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address, beginCell, Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import { openAirdropFile } from '../../../src/metadata/mintless/airdrop-file.ts';
import { convertDump } from '../../../src/metadata/mintless/convert-dump.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { airdropCell, type DumpEntry, dumpOf, sharedForks } from './support/airdrop-dump.ts';

let folder: string;
beforeAll(() => {
  folder = makeTemporaryDirectory('airdrops');
});
afterAll(() => removeTemporaryDirectory(folder));

let files = 0;

/** Converts bytes; returns the number of airdrops and the file. */
function convert(bytes: Buffer, root: Buffer): { readonly count: number; readonly target: string } {
  const [dump, target] = [join(folder, `${++files}.dump`), join(folder, `${files}.airdrops`)];
  writeFileSync(dump, bytes);
  return { count: convertDump({ dump, root: root.toString('hex'), target }), target };
}

const convertCell = (cell: Cell) => convert(dumpOf(cell), cell.hash());

const ownerOf = (number: number) =>
  new Address(number % 5 === 0 ? -1 : 0, hashOnce('sha256', `${number}`, 'buffer'));

const ENTRIES: readonly DumpEntry[] = Array.from({ length: 300 }, (_, i) => ({
  owner: ownerOf(i),
  amount: i === 0 ? 2n ** 120n - 1n : BigInt(i) * 1_000_000_007n,
  startFrom: i === 1 ? 0 : 1_700_000_000 + i,
  expireAt: i === 1 ? 2 ** 48 - 1 : 1_800_000_000 + i,
}));

describe('a dump of airdrops', () => {
  it('is converted to a file in which all owners and no others are found', async () => {
    const { count, target } = convertCell(airdropCell(ENTRIES));
    expect(count).toBe(ENTRIES.length);
    const file = await openAirdropFile(target);
    for (const { owner, amount, startFrom, expireAt } of ENTRIES) {
      const key = accountKey(owner.workChain, owner.hash);
      expect(await file.find(key)).toEqual({ owner: key, amount, startFrom, expireAt });
    }
    for (let i = 300; i < 600; i++) {
      const { workChain, hash } = ownerOf(i);
      expect(await file.find(accountKey(workChain, hash))).toBeUndefined();
    }
    await file.close();
  });

  it('may have one owner', async () => {
    const { target } = convertCell(airdropCell(ENTRIES.slice(2, 3)));
    const file = await openAirdropFile(target);
    const { workChain, hash } = ENTRIES[2]!.owner;
    expect((await file.find(accountKey(workChain, hash)))?.amount).toBe(ENTRIES[2]!.amount);
    await file.close();
  });

  it('is refused with another hash, before a file is made', () => {
    const bytes = dumpOf(airdropCell(ENTRIES));
    expect(() => convert(bytes, Buffer.alloc(32, 1))).toThrow('it has another hash');
    expect(existsSync(join(folder, `${files}.airdrops`))).toBe(false);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a few bytes', Buffer.from('b5ee9c72', 'hex')],
    ['a page', Buffer.from('<!doctype html><html></html>')],
    ['a dump that ends early', dumpOf(airdropCell(ENTRIES)).subarray(0, 2000)],
  ])('is refused if it is %s', (_name, bytes) => {
    expect(() => convert(bytes, Buffer.alloc(32))).toThrow(expect.objectContaining({ name: 'CellError' }));
  });

  it.each([
    ['no dictionary', beginCell().storeUint(5, 8).endCell()],
    ['an empty cell', Cell.EMPTY],
    ['keys that are no addresses', airdropWithPrefix(0b101)],
    ['entries without end', sharedForks(200)],
    ['more entries than cells', sharedForks(8)],
  ])('is refused if it has %s', (_name, cell) => {
    expect(() => convertCell(cell)).toThrow(expect.objectContaining({ name: 'CellError' }));
  });

  it('is refused if it has many tiny cells', () => {
    // A header that promises 100 000 cells in 300 000 bytes.
    const header = Buffer.from('b5ee9c7203030186a0000001000000 0493e0 000000'.replaceAll(' ', ''), 'hex');
    const bytes = Buffer.concat([header, Buffer.alloc(300_000)]);
    expect(() => convert(bytes, Buffer.alloc(32))).toThrow('not a dictionary of airdrops');
  });
});

/** One entry whose key starts with other bits than those of an address. */
function airdropWithPrefix(prefix: number): Cell {
  return beginCell()
    .storeUint(0b10, 2)
    .storeUint(267, 9)
    .storeUint(prefix, 3)
    .storeUint(0, 264)
    .storeCoins(1)
    .storeUint(0, 96)
    .endCell();
}
