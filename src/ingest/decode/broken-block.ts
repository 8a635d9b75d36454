import { type BlockId, shortBlockName } from '../../chain/block-id.ts';

/** A block that cannot be decoded: its bytes are not a block, or it is inconsistent. */
export class BrokenBlock extends Error {
  /** The masterchain seqno that it belongs to, where it is known. */
  readonly mcSeqno: number | undefined;

  constructor(
    text: string,
    { cause, mcSeqno }: { readonly cause?: unknown; readonly mcSeqno?: number } = {},
  ) {
    super(text, { cause });
    this.name = 'BrokenBlock';
    this.mcSeqno = mcSeqno;
  }
}

/** Runs work on a block; any failure becomes an error that names the block. */
export function onBlock<T>(id: BlockId, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BrokenBlock(`block ${shortBlockName(id)} cannot be decoded: ${reason}`, { cause: error });
  }
}
