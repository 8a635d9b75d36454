import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { codeHash, dataHash, readAccount } from '../../chain/tlb/account.ts';
import { readShardAccount } from '../../chain/tlb/shard-account.ts';
import type { AccountStateRow } from '../../db/queries/transaction-states.ts';
import { extraColumn } from './column-values.ts';

/** A state of an account that the index does not have. */
export interface UnindexedState {
  readonly state: AccountStateRow;
  readonly cells: CellBag;
  /** Cells, -1 where there is none. */
  readonly code: number;
  readonly data: number;
}

/** The state of an account in the form in which the index would have it, read from its ShardAccount. */
export function accountRow(shardAccount: Uint8Array): UnindexedState {
  const cells = readBoc(shardAccount);
  const { account: cell } = readShardAccount(new Slice(cells, cells.root));
  const account = readAccount(cells, cell);
  const hash = Buffer.from(cells.hash(cell, 0));
  if (account === undefined) return { state: { hash, known: undefined }, cells, code: -1, data: -1 };
  const { state, balance } = account;
  return {
    state: {
      hash,
      known: {
        status: state.kind,
        balance: String(balance.grams),
        balance_extra: extraColumn(cells, balance) ?? {},
        code_hash: codeHash(cells, account) ?? null,
        data_hash: dataHash(cells, account) ?? null,
        frozen_hash: state.kind === 'frozen' ? state.stateHash : null,
      },
    },
    cells,
    code: state.kind === 'active' ? state.init.code : -1,
    data: state.kind === 'active' ? state.init.data : -1,
  };
}
