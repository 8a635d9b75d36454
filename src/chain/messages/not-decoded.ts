import { LIBRARY_REFERENCE, PRUNED_BRANCH } from '../boc/cell-kind.ts';
import type { Cells } from '../boc/cells.ts';

/** What could not be decoded, with the reason in the words that clients know. */
export class NotDecoded {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The reason why a cell cannot be opened that is not an ordinary one: what a machine without libraries says. */
export function unreadableCell(cells: Cells, cell: number): NotDecoded {
  const kind = cells.kind(cell);
  if (kind === LIBRARY_REFERENCE)
    return new NotDecoded('vm error - failed to load library cell (no vm_state_interface available)');
  if (kind === PRUNED_BRANCH) return new NotDecoded('vm error - trying to load prunned cell');
  return new NotDecoded('vm error - unexpected special cell');
}
