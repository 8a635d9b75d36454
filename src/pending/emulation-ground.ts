import type { LibrarySource } from '../vm/run-with-libraries.ts';
import type { SharedBoc } from '../vm/shared-boc.ts';
import type { VmConfig } from '../vm/vm-config.ts';

/** Where an account is. */
export interface AccountPlace {
  readonly workchain: number;
  readonly hash: Buffer;
}

/** An account as a block left it. */
export interface GroundAccount {
  /** The ShardAccount as a bag of cells; one with account_none where there is no account. */
  readonly boc: Uint8Array;
  /** The shard of its workchain that holds it. */
  readonly shard: bigint;
}

/** The chain as it is at one masterchain block: all that an emulation starts from. */
export interface EmulationMoment {
  readonly mcSeqno: number;
  /** Unix seconds that transactions on top of that block would get. */
  readonly utime: number;
  /** The logical time at which that block ends. */
  readonly lt: bigint;
  readonly config: VmConfig;
  readonly prevBlocks: SharedBoc | undefined;
  /** Throws NoSuchShard for a workchain that does not exist. */
  account(place: AccountPlace): Promise<GroundAccount>;
  readonly libraries: LibrarySource;
}

/** How the chain is opened for an emulation. */
export interface GroundOptions {
  /** The masterchain block to start from; the newest when left out. */
  readonly seqno?: number | undefined;
  /** The group of lite servers that a caller's plan names. */
  readonly group?: string | undefined;
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the chain for emulations, from lite servers. */
export interface EmulationGround {
  open(options: GroundOptions): Promise<EmulationMoment>;
}
