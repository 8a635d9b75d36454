import type { Slice } from '../boc/slice.ts';

/** What an account starts with. Cells are numbers in the table the slice was over, -1 where there is none. */
export interface StateInit {
  /** Also called split_depth. */
  readonly fixedPrefixLength: number | undefined;
  readonly special: TickTock | undefined;
  readonly code: number;
  readonly data: number;
  /** The root of the account's own libraries. */
  readonly library: number;
}

/** Whether a special account runs at the start and at the end of every masterchain block. */
export interface TickTock {
  readonly tick: boolean;
  readonly tock: boolean;
}

/** Reads a StateInit that starts at the cursor; whether it has a cell of its own is known to the caller alone. */
export function readStateInit(slice: Slice): StateInit {
  return {
    fixedPrefixLength: slice.boolean() ? slice.uint(5) : undefined,
    special: slice.boolean() ? { tick: slice.boolean(), tock: slice.boolean() } : undefined,
    code: slice.maybeRef(),
    data: slice.maybeRef(),
    library: slice.maybeRef(),
  };
}
