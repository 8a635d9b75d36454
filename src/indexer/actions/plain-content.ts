import type { ActionColumns } from './action.ts';
import type { BlockContent } from './block.ts';

/** The content of a block whose columns are known when it is built, and of which no later rule reads anything. */
export function plainContent(type: string, columns: ActionColumns, failed = false): BlockContent<undefined> {
  return { type, data: undefined, failed, describe: () => columns };
}
