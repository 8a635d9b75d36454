import { CellBuilder } from '../boc/cell-builder.ts';
import { CellList } from '../boc/cell-list.ts';
import type { Cells } from '../boc/cells.ts';
import { gatherCells } from '../boc/gather-cells.ts';
import { writeCells } from '../boc/write-cells.ts';

/** An account and its last transaction; without cells for one that does not exist. */
export interface ShardAccountParts {
  readonly account: { readonly cells: Cells; readonly cell: number } | undefined;
  readonly lastTransHash: Buffer;
  readonly lastTransLt: bigint;
}

const ORDER = { order: 'core', crc: false } as const;
const BITS = 256 + 64;
/** The cell account_none: a zero bit, and the one that completes the byte. */
const NO_ACCOUNT = Buffer.of(0b0100_0000);

/** Writes a ShardAccount as a bag of cells. */
export function writeShardAccount({ account, lastTransHash, lastTransLt }: ShardAccountParts): Buffer {
  const list = new CellList();
  const below =
    account === undefined
      ? list.add(0, 1, NO_ACCOUNT, 0, [])
      : gatherCells({ cells: account.cells, roots: [account.cell] }, list, true)[0]!;
  const { data } = new CellBuilder().hash(lastTransHash).uint64(lastTransLt);
  return writeCells(list, [list.add(1, BITS, data, 0, [below])], ORDER);
}
