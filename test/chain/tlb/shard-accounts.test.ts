import { Address, beginCell, Cell, storeShardAccount } from '@ton/core';
import { expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';

const lastTransHash = Buffer.alloc(32, 0xcd);
const lastTransactionHash = BigInt(`0x${lastTransHash.toString('hex')}`);

it('writeShardAccount writes the same as @ton/core', () => {
  const code = beginCell().storeUint(7, 32).endCell();
  const data = beginCell().storeRef(code).storeRef(new Cell()).endCell();
  const account = {
    addr: new Address(-1, Buffer.alloc(32, 1)),
    storage: {
      lastTransLt: 1001n,
      balance: { coins: 5n },
      state: { type: 'active', state: { code, data } } as const,
    },
    storageStats: {
      used: { cells: 3n, bits: 99n },
      lastPaid: 1_700_000_000,
      duePayment: null,
      storageExtra: null,
    },
  };
  const whole = beginCell()
    .store(storeShardAccount({ account, lastTransactionHash, lastTransactionLt: 1000n }))
    .endCell();
  const bag = fromCoreCell(whole.refs[0]!);
  const written = writeShardAccount({
    account: { cells: bag, cell: bag.root },
    lastTransHash,
    lastTransLt: 1000n,
  });
  expect(written).toEqual(whole.toBoc({ idx: false, crc32: false }));
});

it('writeShardAccount writes an account that does not exist', () => {
  const none = beginCell()
    .store(storeShardAccount({ account: null, lastTransactionHash, lastTransactionLt: 12n }))
    .endCell();
  const written = writeShardAccount({ account: undefined, lastTransHash, lastTransLt: 12n });
  expect(written).toEqual(none.toBoc({ idx: false, crc32: false }));
});
