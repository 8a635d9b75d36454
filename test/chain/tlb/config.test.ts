import { beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  configParam,
  isSuspended,
  readBlockLimits,
  readConfigAddresses,
  readFundamentalAddresses,
  readGlobalVersion,
  readSizeLimits,
  readSuspendedAddresses,
  readWorkchains,
} from '../../../src/chain/tlb/config.ts';
import { readForwardPrices, readGasPrices, readStoragePrices } from '../../../src/chain/tlb/config-prices.ts';
import { hash, numbers, raw, read } from '../support/built-cells.ts';
import { configParams, listSuspended } from '../support/config-params.ts';
import { makePart } from '../support/proofs.ts';

describe('the configuration', () => {
  const params = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  const value = (index: number): Cell => beginCell().storeInt(index, 32).storeRef(beginCell()).endCell();
  const indexes = [0, 1, 2, 34, 1000, -1000, -999, -71];
  for (const index of indexes) params.set(index, value(index));
  const bag = fromCoreCell(beginCell().storeDictDirect(params).endCell());

  it('returns params by number', () => {
    for (const index of indexes)
      expect(bag.hash(configParam(bag, bag.root, index))).toEqual(value(index).hash());
    for (const index of [3, 33, -1, 2 ** 31 - 1, -(2 ** 31)])
      expect(configParam(bag, bag.root, index)).toBe(-1);
    expect(configParam(bag, bag.root, 2 ** 32 - 1000)).toBe(configParam(bag, bag.root, -1000));
  });

  it('lists all params', () => {
    const listed = configParams(bag, bag.root);
    expect(listed.map(({ index }) => index)).toEqual(indexes);
    for (const { index, cell } of listed) expect(cell).toBe(configParam(bag, bag.root, index));
  });

  it('can be read from a proof', () => {
    const { bag: part, root } = makePart({
      cells: bag,
      root: bag.root,
      shows: (cell) => bag.depth(cell) > 4,
    });
    expect(() => configParams(part, root)).toThrow(PrunedCellError);
    expect(() => configParam(part, root, 34)).toThrow(PrunedCellError);
    expect(configParams(part, root, 'skip').length).toBeLessThan(indexes.length);
  });

  it('has the special accounts of the network', () => {
    const addresses = (given: Record<number, number>) => {
      const some = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
      for (const [index, fill] of Object.entries(given))
        some.set(Number(index), beginCell().storeBuffer(hash(fill)).endCell());
      return read(readConfigAddresses, beginCell().storeDictDirect(some));
    };
    expect(addresses({ 0: 5, 1: 6, 2: 7, 3: 8, 4: 9 })).toEqual({
      config: hash(5),
      elector: hash(6),
      minter: hash(7),
      feeCollector: hash(8),
      dnsRoot: hash(9),
    });
    expect(addresses({ 0: 5, 1: 6 })).toEqual({
      config: hash(5),
      elector: hash(6),
      minter: hash(5),
      feeCollector: hash(6),
      dnsRoot: undefined,
    });
  });
});

describe('config param', () => {
  it('8: global version', () => {
    const version = beginCell().storeUint(0xc4, 8).storeUint(14, 32).storeUint(494n, 64);
    expect(read(readGlobalVersion, version)).toEqual({ version: 14, capabilities: 494n });
    expect(() => read(readGlobalVersion, numbers(0xc5, 32, 64))).toThrow(CellError);
  });

  it('12: workchains in both forms', () => {
    const head = (tag: number, basic: number) =>
      beginCell()
        .storeUint(tag, 8)
        .storeUint(1, 32)
        .storeUint(2, 8)
        .storeUint(3, 8)
        .storeUint(4, 8)
        .storeUint(basic, 1)
        .storeUint(0b10, 2)
        .storeUint(0, 13)
        .storeBuffer(hash(5))
        .storeBuffer(hash(6))
        .storeUint(7, 32);
    const list = Dictionary.empty(Dictionary.Keys.Int(32), raw);
    list.set(0, head(0xa6, 1).storeUint(1, 4).storeInt(-1, 32).storeUint(9, 64));
    const extended = head(0xa7, 0).storeUint(0, 4).storeUint(64, 12).storeUint(96, 12).storeUint(32, 12);
    extended.storeUint(8, 32).storeUint(0, 4);
    for (const number of [10, 11, 12, 13]) extended.storeUint(number, 32);
    list.set(-7, extended.storeUint(5, 8));
    const common = {
      enabledSince: 1,
      monitorMinSplit: 2,
      minSplit: 3,
      maxSplit: 4,
      active: true,
      acceptMsgs: false,
      zeroStateRootHash: hash(5),
      zeroStateFileHash: hash(6),
      version: 7,
    };
    expect(read(readWorkchains, beginCell().storeDict(list))).toEqual([
      {
        ...common,
        workchain: 0,
        format: { kind: 'basic', vmVersion: -1, vmMode: 9n },
        splitMergeTimings: undefined,
        persistentStateSplitDepth: undefined,
      },
      {
        ...common,
        workchain: -7,
        format: { kind: 'extended', minAddressBits: 64, maxAddressBits: 96, addressBitsStep: 32, typeId: 8 },
        splitMergeTimings: { delay: 10, interval: 11, minInterval: 12, maxDelay: 13 },
        persistentStateSplitDepth: 5,
      },
    ]);
    list.set(1, head(0xa5, 1));
    expect(() => read(readWorkchains, beginCell().storeDict(list))).toThrow(CellError);
    list.set(1, head(0xa6, 1).storeUint(2, 4));
    expect(() => read(readWorkchains, beginCell().storeDict(list))).toThrow(CellError);
    expect(read(readWorkchains, beginCell().storeBit(0))).toEqual([]);
  });

  it('18: storage prices', () => {
    const list = Dictionary.empty(Dictionary.Keys.Uint(32), raw);
    list.set(9, numbers(0xcc, 32, 64, 64, 64, 64));
    list.set(0, numbers(0xcc, 32, 64, 64, 64, 64));
    const prices = { since: 1, bitPrice: 2n, cellPrice: 3n, mcBitPrice: 4n, mcCellPrice: 5n };
    expect(read(readStoragePrices, beginCell().storeDictDirect(list))).toEqual([prices, prices]);
    list.set(5, numbers(0xcd, 32, 64, 64, 64, 64));
    expect(() => read(readStoragePrices, beginCell().storeDictDirect(list))).toThrow(CellError);
  });

  it('20, 21: gas prices in all forms', () => {
    const plain = numbers(0xdd, 64, 64, 64, 64, 64, 64);
    const wanted = {
      flatGasLimit: 0n,
      flatGasPrice: 0n,
      gasPrice: 1n,
      gasLimit: 2n,
      specialGasLimit: 2n,
      gasCredit: 3n,
      blockGasLimit: 4n,
      freezeDueLimit: 5n,
      deleteDueLimit: 6n,
    };
    expect(read(readGasPrices, plain)).toEqual(wanted);
    const extended = numbers(0xde, 64, 64, 64, 64, 64, 64, 64);
    const flat = beginCell().storeUint(0xd1, 8).storeUint(100, 64).storeUint(1000, 64);
    expect(read(readGasPrices, flat.storeBuilder(extended))).toEqual({
      flatGasLimit: 100n,
      flatGasPrice: 1000n,
      gasPrice: 1n,
      gasLimit: 2n,
      specialGasLimit: 3n,
      gasCredit: 4n,
      blockGasLimit: 5n,
      freezeDueLimit: 6n,
      deleteDueLimit: 7n,
    });
    expect(() => read(readGasPrices, numbers(0xdf, 64))).toThrow(CellError);
  });

  it('22, 23: block limits in both forms', () => {
    const limits = numbers(0xc3, 32, 32, 32);
    const read1 = { underload: 1, softLimit: 2, hardLimit: 3 };
    const three = beginCell().storeBuilder(limits).storeBuilder(limits).storeBuilder(limits);
    const wanted = { bytes: read1, gas: read1, ltDelta: read1 };
    expect(read(readBlockLimits, beginCell().storeUint(0x5d, 8).storeBuilder(three))).toEqual({
      ...wanted,
      collatedData: undefined,
      importedMsgQueue: undefined,
    });
    const newer = beginCell().storeUint(0x5e, 8).storeBuilder(three).storeBuilder(limits);
    expect(read(readBlockLimits, newer.storeBuilder(numbers(0xd3, 32, 32)))).toEqual({
      ...wanted,
      collatedData: read1,
      importedMsgQueue: { maxBytes: 1, maxMsgs: 2 },
    });
    for (const tag of [0x5c, 0x5d])
      expect(() => read(readBlockLimits, numbers(tag, 32, 32))).toThrow(CellError);
  });

  it('24, 25: forward prices', () => {
    expect(read(readForwardPrices, numbers(0xea, 64, 64, 64, 32, 16, 16))).toEqual({
      lumpPrice: 1n,
      bitPrice: 2n,
      cellPrice: 3n,
      ihrPriceFactor: 4,
      firstFrac: 5,
      nextFrac: 6,
    });
    expect(() => read(readForwardPrices, numbers(0xeb, 64))).toThrow(CellError);
  });

  it('31: fundamental accounts', () => {
    const list = Dictionary.empty(Dictionary.Keys.Buffer(32), raw);
    for (const fill of [9, 1, 5]) list.set(hash(fill), beginCell());
    expect(read(readFundamentalAddresses, beginCell().storeDict(list))).toEqual([hash(1), hash(5), hash(9)]);
    expect(read(readFundamentalAddresses, beginCell().storeBit(0))).toEqual([]);
  });

  it('43: size limits in all forms', () => {
    const first = [32, 32, 32, 16, 32, 16];
    const second = [32, 32, 32, 32, 32, 8, 32];
    const wanted = {
      maxMsgBits: 1,
      maxMsgCells: 2,
      maxLibraryCells: 3,
      maxVmDataDepth: 4,
      maxExtMsgSize: 5,
      maxExtMsgDepth: 6,
      accounts: undefined,
      maxTotalMsgBits: undefined,
      maxTotalMsgCells: undefined,
    };
    expect(read(readSizeLimits, numbers(1, ...first))).toEqual(wanted);
    const accounts = {
      maxAccStateCells: 7,
      maxMcAccStateCells: 8,
      maxAccPublicLibraries: 9,
      deferOutQueueSizeLimit: 10,
      maxMsgExtraCurrencies: 11,
      maxAccFixedPrefixLength: 12,
      accStateCellsForStorageDict: 13,
      maxTransactionLibraryLoads: undefined,
    };
    expect(read(readSizeLimits, numbers(2, ...first, ...second).storeBit(0))).toEqual({
      ...wanted,
      accounts,
    });
    expect(read(readSizeLimits, numbers(2, ...first, ...second.slice(0, 4)))).toMatchObject({
      accounts: { deferOutQueueSizeLimit: 10, maxMsgExtraCurrencies: undefined },
    });
    const third = numbers(3, ...first, ...second)
      .storeBit(1)
      .storeUint(14, 32)
      .storeUint(15, 32)
      .storeUint(16, 32);
    expect(read(readSizeLimits, third)).toEqual({
      ...wanted,
      accounts: { ...accounts, maxTransactionLibraryLoads: 14 },
      maxTotalMsgBits: 15,
      maxTotalMsgCells: 16,
    });
    for (const tag of [0, 4]) expect(() => read(readSizeLimits, numbers(tag, ...first))).toThrow(CellError);
  });

  it('44: suspended addresses', () => {
    const list = Dictionary.empty(Dictionary.Keys.Buffer(36), raw);
    const masterchain = Buffer.from([255, 255, 255, 255]);
    list.set(Buffer.concat([masterchain, hash(3)]), beginCell());
    list.set(Buffer.concat([Buffer.alloc(4), hash(4)]), beginCell());
    const bag = fromCoreCell(beginCell().storeUint(0, 8).storeDict(list).storeUint(99, 32).endCell());
    const suspended = readSuspendedAddresses(bag, bag.root);
    expect(suspended.until).toBe(99);
    expect(listSuspended(bag, suspended)).toEqual([
      { workchain: 0, id: hash(4) },
      { workchain: -1, id: hash(3) },
    ]);
    expect(isSuspended(bag, suspended, -1, hash(3))).toBe(true);
    expect(isSuspended(bag, suspended, 0, hash(3))).toBe(false);
    expect(isSuspended(bag, { root: -1, until: 0 }, 0, hash(3))).toBe(false);
    expect(listSuspended(bag, { root: -1, until: 0 })).toEqual([]);
    expect(() => read(readSuspendedAddresses, numbers(1, 32))).toThrow(CellError);
  });
});
