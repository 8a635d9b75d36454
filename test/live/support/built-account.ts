import { Cell } from '@ton/core';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { type AccountState, buildAccount } from '../../../src/chain/tlb/account.ts';
import { buildExtraCurrencies, type ExtraCurrency } from '../../../src/chain/tlb/currency.ts';
import type { AccountAt } from '../../../src/live/accounts.ts';

/** The fields of an account; without code it is uninitialized unless it is frozen or active. */
export interface AccountFields {
  readonly balance?: bigint;
  readonly extra?: readonly ExtraCurrency[];
  /** In base64. */
  readonly code?: string;
  readonly data?: Cell;
  readonly active?: boolean;
  readonly frozenHash?: Buffer;
  readonly genUtime?: number;
}

const HASH = Buffer.alloc(32, 7);
const BLOCK: BlockId = { workchain: -1, shard: -(2n ** 63n), seqno: 9, rootHash: HASH, fileHash: HASH };

/** Builds an account as if it had been read from a chain; undefined for one that does not exist. */
export function buildAccountAt(made: AccountFields | undefined): AccountAt {
  const proven = {
    account: made && buildCell(made),
    lastTransLt: made === undefined ? 0n : 5n,
    lastTransHash: made === undefined ? Buffer.alloc(32) : HASH,
    shardBlock: BLOCK,
    genUtime: made?.genUtime ?? 1_800_000_000,
    genLt: 6n,
  };
  // Writing a response must not query a server.
  return { session: undefined as never, block: BLOCK, proven };
}

function buildCell(made: AccountFields) {
  const cells = new BuildingArena();
  const put = (cell: Cell | undefined): number => {
    if (cell === undefined) return -1;
    const bag = fromCoreCell(cell);
    return cells.add(bag, bag.root);
  };
  const code = put(made.code === undefined ? undefined : Cell.fromBase64(made.code));
  const init = { fixedPrefixLength: undefined, special: undefined, code, data: put(made.data), library: -1 };
  const state: AccountState =
    made.frozenHash !== undefined
      ? { kind: 'frozen', stateHash: made.frozenHash }
      : code >= 0 || made.active
        ? { kind: 'active', init }
        : { kind: 'uninit' };
  const cell = buildAccount(cells, {
    address: { kind: 'std', workchain: 0, hash: HASH, anycast: undefined },
    storageInfo: {
      usedCells: 1,
      usedBits: 1,
      publicCells: undefined,
      dictHash: undefined,
      lastPaid: 0,
      duePayment: undefined,
    },
    lastTransLt: 6n,
    balance: { grams: made.balance ?? 0n, extra: buildExtraCurrencies(cells, made.extra ?? []) },
    state,
  });
  return { cells, cell };
}
