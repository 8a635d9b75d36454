import { CellBuilder } from '../../chain/boc/cell-builder.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ProvenAccount } from '../../lite/proofs/account-state.ts';
import { tvmCell } from './tvm-cell.ts';

/** Writes an account the way its shard lists it as `tvm.cell`: the account, then hash and time of its last transaction. */
export function shardAccountCell({ account, lastTransHash, lastTransLt }: ProvenAccount) {
  const cells = new BuildingArena();
  const cell =
    account === undefined
      ? cells.build(new CellBuilder().boolean(false))
      : cells.add(account.cells, account.cell);
  return tvmCell(cells, cells.build(new CellBuilder().ref(cell).hash(lastTransHash).uint64(lastTransLt)));
}
