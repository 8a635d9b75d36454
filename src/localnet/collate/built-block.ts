import type { BlockId } from '../../chain/block-id.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import type { ValueFlow } from '../../chain/tlb/value-flow.ts';

/** A block that is done, with the state after it. */
export interface BuiltBlock {
  readonly id: BlockId;
  readonly boc: Buffer;
  readonly info: BlockInfo;
  readonly flow: ValueFlow;
  /** The public key of the validator that made it. */
  readonly createdBy: Buffer;
  /** The cell of the state after it. */
  readonly state: number;
  readonly transactions: number;
}
