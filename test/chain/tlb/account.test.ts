import {
  Address,
  type Builder,
  beginCell,
  type Account as CoreAccount,
  Dictionary,
  storeAccount,
  storeStateInit,
} from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { codeHash, dataHash, readAccount } from '../../../src/chain/tlb/account.ts';
import { readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { makePart } from '../support/proofs.ts';

const addr = Address.parse(`0:${'4f'.repeat(32)}`);
const code = beginCell().storeUint(0xc0de, 16).storeRef(beginCell().storeUint(1, 8).endCell()).endCell();
const data = beginCell().storeUint(0xda7a, 16).endCell();

function coreAccount(changes: Partial<CoreAccount['storage']> = {}): CoreAccount {
  return {
    addr,
    storageStats: {
      used: { cells: 300n, bits: 70_000n },
      storageExtra: null,
      lastPaid: 1_700_000_000,
      duePayment: null,
    },
    storage: {
      lastTransLt: 46_000_000_000_003n,
      balance: { coins: 12_345_678_901n },
      state: { type: 'active', state: { code, data } },
      ...changes,
    },
  };
}

/** An account that exists, as a bag. */
function bagOf(account: CoreAccount) {
  return fromCoreCell(beginCell().storeBit(1).store(storeAccount(account)).endCell());
}

describe('readAccount', () => {
  it('reads an active account', () => {
    const bag = bagOf(coreAccount());
    const account = readAccount(bag, bag.root)!;
    expect(account).toMatchObject({
      address: { kind: 'std', workchain: 0, hash: addr.hash, anycast: undefined },
      storageInfo: {
        usedCells: 300,
        usedBits: 70_000,
        publicCells: undefined,
        dictHash: undefined,
        lastPaid: 1_700_000_000,
        duePayment: undefined,
      },
      lastTransLt: 46_000_000_000_003n,
      balance: { grams: 12_345_678_901n, extra: -1 },
      state: { kind: 'active', init: { fixedPrefixLength: undefined, special: undefined, library: -1 } },
    });
    expect(codeHash(bag, account)).toEqual(code.hash());
    expect(dataHash(bag, account)).toEqual(data.hash());
  });

  it('reads an active account without code and data, and a special one with a fixed prefix', () => {
    const empty = bagOf(coreAccount({ state: { type: 'active', state: {} } }));
    const account = readAccount(empty, empty.root)!;
    expect(codeHash(empty, account)).toBeUndefined();
    expect(dataHash(empty, account)).toBeUndefined();
    const state = { splitDepth: 5, special: { tick: true, tock: false }, code };
    const special = bagOf(coreAccount({ state: { type: 'active', state } }));
    expect(readAccount(special, special.root)!.state).toMatchObject({
      init: { fixedPrefixLength: 5, special: { tick: true, tock: false }, data: -1 },
    });
  });

  it('reads uninitialised and frozen accounts', () => {
    const uninit = bagOf(coreAccount({ state: { type: 'uninit' } }));
    const account = readAccount(uninit, uninit.root)!;
    expect(account.state).toEqual({ kind: 'uninit' });
    expect(codeHash(uninit, account)).toBeUndefined();
    const hash = Buffer.alloc(32, 7);
    const stateHash = BigInt(`0x${hash.toString('hex')}`);
    const frozen = bagOf(coreAccount({ state: { type: 'frozen', stateHash } }));
    expect(readAccount(frozen, frozen.root)!.state).toEqual({ kind: 'frozen', stateHash: hash });
  });

  it('returns undefined for account_none', () => {
    const none = fromCoreCell(beginCell().storeBit(0).endCell());
    expect(readAccount(none, none.root)).toBeUndefined();
    const more = fromCoreCell(beginCell().storeUint(0, 2).endCell());
    expect(() => readAccount(more, more.root)).toThrow(CellError);
  });

  it('reads extra currencies, debts and the hash of large accounts', () => {
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    other.set(239, 700n);
    other.set(4_294_967_279, 50n);
    const core = coreAccount({ balance: { coins: 1n, other } });
    const storageExtra = { dictHash: 5n };
    const bag = bagOf({ ...core, storageStats: { ...core.storageStats, storageExtra, duePayment: 99n } });
    const account = readAccount(bag, bag.root)!;
    expect(readExtraCurrencies(bag, account.balance)).toEqual([
      { id: 239, amount: 700n },
      { id: 4_294_967_279, amount: 50n },
    ]);
    const dictHash = Buffer.alloc(32);
    dictHash[31] = 5;
    expect(account.storageInfo).toMatchObject({ dictHash, duePayment: 99n, publicCells: undefined });
  });

  it('reads accounts from before storage_extra, with any number of public cells', () => {
    const sizes = fc.bigInt({ min: 0n, max: 2n ** 48n - 1n });
    const storeSize = (size: bigint) => (builder: Builder) => builder.storeVarUint(size, 3);
    const initial = fc.constantFrom({ code, data }, { code }, {});
    fc.assert(
      fc.property(sizes, sizes, fc.option(sizes), initial, (cells, publicCells, due, state) => {
        const builder = beginCell().storeBit(1).storeAddress(addr);
        for (const size of [cells, 1000n, publicCells]) builder.store(storeSize(size));
        builder.storeUint(1_600_000_000, 32).storeMaybeCoins(due);
        builder.storeUint(77, 64).storeCoins(5).storeBit(0).storeBit(1).store(storeStateInit(state));
        const bag = fromCoreCell(builder.endCell());
        const account = readAccount(bag, bag.root)!;
        expect(account.storageInfo).toEqual({
          usedCells: Number(cells),
          usedBits: 1000,
          publicCells: publicCells === 0n ? undefined : Number(publicCells),
          dictHash: undefined,
          lastPaid: 1_600_000_000,
          duePayment: due ?? undefined,
        });
        expect(account).toMatchObject({
          lastTransLt: 77n,
          balance: { grams: 5n },
          state: { kind: 'active' },
        });
      }),
    );
  });

  it('gives the hashes of pruned code and data', () => {
    const cells = bagOf(coreAccount());
    const { bag, root } = makePart({ cells, root: cells.root, shows: (cell) => cell === cells.root });
    const account = readAccount(bag, root)!;
    expect(codeHash(bag, account)).toEqual(code.hash());
    expect(bag.isPruned(account.state.kind === 'active' ? account.state.init.code : -1)).toBe(true);
    const hidden = makePart({ cells, root: cells.root, shows: () => false });
    expect(() => readAccount(hidden.bag, hidden.root)).toThrow(PrunedCellError);
  });

  it('rejects malformed accounts', () => {
    const bits = beginCell().storeBit(1).store(storeAccount(coreAccount())).endCell();
    for (let length = 0; length < bits.bits.length; length += 3) {
      const builder = beginCell().storeBits(bits.bits.substring(0, length));
      const short = fromCoreCell(builder.storeRef(code).storeRef(data).endCell());
      expect(() => readAccount(short, short.root)).toThrow(CellError);
    }
    const long = fromCoreCell(beginCell().storeSlice(bits.beginParse()).storeBit(0).endCell());
    expect(() => readAccount(long, long.root)).toThrow(CellError);
    const wide = beginCell()
      .storeBit(1)
      .storeAddress(addr)
      .storeUint(7, 3)
      .storeUint(1, 56)
      .storeUint(0, 300);
    const tooWide = fromCoreCell(wide.endCell());
    expect(() => readAccount(tooWide, tooWide.root)).toThrow('variable-length integer is too long');
    const nobody = fromCoreCell(beginCell().storeUint(0b100, 3).storeUint(0, 400).endCell());
    expect(() => readAccount(nobody, nobody.root)).toThrow(CellError);
    const library = fromCoreCell(beginCell().storeUint(2, 8).storeUint(1, 256).endCell({ exotic: true }));
    expect(() => readAccount(library, library.root)).toThrow(CellError);
  });
});
