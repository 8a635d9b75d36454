import { Cell } from '@ton/core';

/** A contract as its compiler gave it; both fields are in base64. */
export interface CompiledCode {
  /** The hash by which readers of a chain know the code. */
  readonly hash: string;
  readonly boc: string;
}

/** The cell of a compiled contract. */
export function codeCell({ boc }: CompiledCode): Cell {
  return Cell.fromBase64(boc);
}
