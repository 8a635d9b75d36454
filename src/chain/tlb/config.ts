import type { Cells } from '../boc/cells.ts';
import { lookUp, type OnPruned, walkDictionary } from './dictionary.ts';

const INDEX_BITS = 32;

/** One configuration parameter: its number, and the cell that holds its value. */
export interface ConfigParam {
  readonly index: number;
  readonly cell: number;
}

/**
 * The cell of a configuration parameter, or -1 when the configuration does not have it. `root` is the root of the
 * dictionary of parameters (Hashmap 32 ^Cell); an index may be negative.
 */
export function configParam(cells: Cells, root: number, index: number): number {
  const key = Buffer.allocUnsafe(4);
  key.writeInt32BE(index | 0);
  return lookUp(cells, root, INDEX_BITS, key)?.ref() ?? -1;
}

/** All parameters that are there, by their number read without a sign: negative ones come last. */
export function configParams(cells: Cells, root: number, onPruned: OnPruned = 'throw'): ConfigParam[] {
  const found: ConfigParam[] = [];
  walkDictionary(
    cells,
    root,
    INDEX_BITS,
    (key, value) => {
      found.push({ index: key.readInt32BE(), cell: value.ref() });
    },
    onPruned,
  );
  return found;
}
