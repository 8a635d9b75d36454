import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import type { ExtBlkRef } from '../../chain/tlb/ext-blk-ref.ts';

/** What a block says about who made it and where it stands. */
export interface BlockFrame {
  readonly seqno: number;
  readonly previous: ExtBlkRef;
  readonly beforeSplit: boolean;
  readonly afterSplit: boolean;
  /** Those who sign it, as they are named in its header. */
  readonly validatorListHashShort: number;
  readonly catchainSeqno: number;
  readonly createdBy: Buffer;
  readonly software: BlockInfo['genSoftware'];
}

/** What only masterchain blocks have. */
export interface MasterchainParts {
  readonly keyBlock: boolean;
  /** The cells of McBlockExtra and of McStateExtra. */
  readonly blockExtra: number;
  readonly stateExtra: number;
  /** The root of the public libraries after the block. */
  readonly libraries: number;
  /** The oldest masterchain block that a shard still refers to. */
  readonly minRefMcSeqno: number;
}
