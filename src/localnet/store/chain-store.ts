import type { BlockId } from '../../chain/block-id.ts';
import type { Cells } from '../../chain/boc/cells.ts';
import type { ZeroStateId } from '../../chain/tl/names.ts';
import type { SignatureSet } from '../../chain/tl/signature-sets.ts';

/** A block as the index of the chain holds it. */
export interface StoredBlock {
  readonly id: BlockId;
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly genUtime: number;
  /** The masterchain block that brought a shard block into the chain; a masterchain block's own seqno. */
  readonly masterchainSeqno: number;
}

/** A cell and the table it lies in. */
export interface CellTree {
  readonly cells: Cells;
  readonly root: number;
}

/** A block with its cells. */
export interface OpenBlock extends CellTree {
  readonly id: BlockId;
  /** The bag of cells as it was made: its hash is the file hash. */
  readonly bytes: Buffer;
}

/** What a look-up goes by. Logical times are unsigned. */
export type LookUpKey = 'seqno' | 'lt' | 'utime';

/** A place in a workchain: the first 64 bits of an account id, as a signed number. */
export interface AccountPrefix {
  readonly workchain: number;
  readonly prefix: bigint;
}

/**
 * The blocks and states of a network up to its newest masterchain block. Only whole steps are seen: a masterchain
 * block is there together with all shard blocks it names, and with the states after them.
 */
export interface ChainStore {
  /** The first state of the masterchain. */
  readonly zeroState: ZeroStateId;
  /** The newest masterchain block; the zero state while there is none. */
  readonly head: BlockId;

  /** A block by its full name. */
  block(id: BlockId): StoredBlock | undefined;
  masterchainBlock(seqno: number): StoredBlock | undefined;
  /** The last key block up to a seqno of the masterchain. The zero state counts as one. */
  lastKeyBlock(upTo: number): BlockId;
  /** The first key block from a seqno of the masterchain on. */
  nextKeyBlock(from: number): BlockId | undefined;
  /**
   * The block of the shards around a prefix that has a seqno, or the first one that ends at a logical time, or was
   * made at a time, or later.
   */
  find(place: AccountPrefix, by: LookUpKey, value: bigint): StoredBlock | undefined;
  /** The first seqno of the shards around a prefix, or undefined where there are no blocks. */
  firstSeqno(place: AccountPrefix): number | undefined;
  /** The cells of a block. They stay good. */
  open(block: StoredBlock): OpenBlock;

  /**
   * The state after a block, or the zero state of that name. The numbers of its cells are good until the next step
   * is added: use them at once. `gone` stands for the state of a known block that is not kept.
   */
  state(id: BlockId): CellTree | 'gone' | undefined;
  /** The bag of cells of a zero state as it was made. */
  zeroStateBytes(id: BlockId): Buffer | undefined;
  /** The validators' signatures under a masterchain block, where they are known. */
  signatures(id: BlockId): SignatureSet | undefined;

  /** Calls back after each new masterchain block, until the function it gives is called. */
  onHead(listener: (head: BlockId) => void): () => void;
}
