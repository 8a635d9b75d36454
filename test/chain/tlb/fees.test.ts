import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  affordableGas,
  countCells,
  forwardFee,
  gasFee,
  storageFee,
} from '../../../src/chain/tlb/config-prices.ts';

describe('gasFee and affordableGas', () => {
  // The basechain of the mainnet.
  const prices = {
    flatGasLimit: 100n,
    flatGasPrice: 40_000n,
    gasPrice: 26_214_400n,
    gasLimit: 1_000_000n,
    specialGasLimit: 1_000_000n,
    gasCredit: 10_000n,
    blockGasLimit: 10_000_000n,
    freezeDueLimit: 100_000_000n,
    deleteDueLimit: 1_000_000_000n,
  };

  it('charge the flat price up to the flat limit', () => {
    expect([0n, 100n, 101n, 3308n].map((gas) => gasFee(gas, prices))).toEqual([
      40_000n,
      40_000n,
      40_400n,
      1_323_200n,
    ]);
  });

  it('round fees up', () => {
    expect(gasFee(2n, { ...prices, flatGasLimit: 0n, flatGasPrice: 0n, gasPrice: 1n })).toBe(1n);
  });

  it('return the gas that an amount pays for', () => {
    const bought = (nanotons: bigint) => affordableGas(nanotons, prices);
    expect([0n, 39_999n, 40_000n, 40_399n, 40_400n].map(bought)).toEqual([0n, 0n, 100n, 100n, 101n]);
    expect(bought(10n ** 12n)).toBe(1_000_000n);
  });
});

describe('storageFee', () => {
  const price = { bitPrice: 1n, cellPrice: 500n, mcBitPrice: 1000n, mcCellPrice: 500_000n };
  const prices = [
    { ...price, since: 100 },
    { ...price, since: 200, cellPrice: 5000n },
  ];
  const account = { usedCells: 100, usedBits: 0, lastPaid: 150 };
  const fee = (lastPaid: number, now: number, isMasterchain = false): bigint =>
    storageFee({ ...account, lastPaid }, now, prices, isMasterchain);

  it('adds up fees over price changes and rounds up once', () => {
    expect(fee(150, 250)).toBe(BigInt(Math.ceil((100 * (500 * 50 + 5000 * 50)) / 65536)));
    expect(fee(150, 250, true)).toBe(BigInt(Math.ceil((100 * 500_000 * 100) / 65536)));
  });

  it('is zero for a time without prices and for an account that never paid', () => {
    expect([fee(50, 100), fee(150, 150), fee(250, 150), fee(0, 250)]).toEqual([0n, 0n, 0n, 0n]);
    expect(fee(50, 150)).toBe(fee(100, 150));
    expect(storageFee(account, 250, [], false)).toBe(0n);
  });
});

describe('forwardFee', () => {
  const prices = {
    lumpPrice: 400_000n,
    bitPrice: 26_214_400n,
    cellPrice: 2_621_440_000n,
    ihrPriceFactor: 0,
    firstFrac: 21_845,
    nextFrac: 21_845,
  };

  it('charges different cells once each, and their bits', () => {
    const shared = beginCell().storeUint(1, 16).endCell();
    const left = beginCell().storeUint(2, 8).storeRef(shared).endCell();
    const bag = fromCoreCell(beginCell().storeUint(3, 32).storeRef(left).storeRef(shared).endCell());
    expect(countCells(bag, [bag.ref(bag.root, 0), bag.ref(bag.root, 1)])).toEqual({ cells: 2, bits: 24 });
    expect(countCells(bag, [])).toEqual({ cells: 0, bits: 0 });
    expect(forwardFee({ cells: 2, bits: 24 }, prices)).toBe(400_000n + 24n * 400n + 2n * 40_000n);
  });
});
