import Type from 'typebox';
import type { Cells } from '../../chain/boc/cells.ts';
import { TvmCell } from './cell-bytes.ts';
import { tvmCell } from './tvm-cell.ts';

/** `configInfo`: a part of the configuration, or all of it, as a cell. */
export const ConfigInfo = Type.Object({ '@type': Type.Literal('configInfo'), config: TvmCell });

/** Writes `configInfo`; a cell of -1 is none. */
export function configInfo(cells: Cells, cell: number) {
  return { '@type': 'configInfo' as const, config: tvmCell(cells, cell) };
}
