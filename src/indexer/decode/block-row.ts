import type { BlockId } from '../../chain/block-id.ts';
import type { BlockExtra } from '../../chain/tlb/block-extra.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import { previousBlocks } from '../../chain/tlb/block-previous.ts';
import { BLOCK_COLUMNS, SHARD_STATE_COLUMNS } from '../../db/copy/columns.ts';
import type { CopyBuffer } from '../../db/copy/copy-buffer.ts';
import type { FetchedSeqno } from '../fetch/fetched-seqno.ts';

/** What the row of a block is made of. */
export interface BlockFacts {
  readonly mcSeqno: number;
  readonly id: BlockId;
  readonly globalId: number;
  readonly info: BlockInfo;
  readonly extra: BlockExtra;
  readonly transactions: number;
}

/** Writes the row of a block, in the order of BLOCK_COLUMNS. */
export function putBlockRow(rows: CopyBuffer, facts: BlockFacts): void {
  const { id, info, extra } = facts;
  const previous = previousBlocks(info);
  rows
    .row(BLOCK_COLUMNS.length)
    .int4(facts.mcSeqno)
    .int4(id.workchain)
    .int8(id.shard)
    .int4(id.seqno)
    .bytes(id.rootHash)
    .bytes(id.fileHash)
    .int8(info.genUtime)
    .int8(info.startLt)
    .int8(info.endLt)
    .int4(facts.globalId)
    .int8(info.version)
    .int2(info.flags)
    .bool(info.afterMerge)
    .bool(info.beforeSplit)
    .bool(info.afterSplit)
    .bool(info.wantMerge)
    .bool(info.wantSplit)
    .bool(info.keyBlock)
    .bool(info.vertSeqnoIncr)
    .int4(info.genValidatorListHashShort | 0)
    .int8(info.genCatchainSeqno)
    .int8(info.minRefMcSeqno)
    .int8(info.prevKeyBlockSeqno)
    .int8(info.vertSeqno)
    .int8(info.masterRef?.seqno ?? 0)
    .bytes(extra.randSeed)
    .bytes(extra.createdBy)
    .int4(facts.transactions)
    .int8Array(previous.map(({ shard }) => shard))
    .int4Array(previous.map(({ seqno }) => seqno));
}

/** Writes the row of all newest blocks at a masterchain block, itself among them, in the order of SHARD_STATE_COLUMNS. */
export function putShardStateRow(rows: CopyBuffer, { mcSeqno, masterchain, tops }: FetchedSeqno): void {
  const all = [masterchain.id, ...tops].sort(
    (a, b) => a.workchain - b.workchain || compare(a.shard, b.shard) || a.seqno - b.seqno,
  );
  rows
    .row(SHARD_STATE_COLUMNS.length)
    .int4(mcSeqno)
    .int4Array(all.map(({ workchain }) => workchain))
    .int8Array(all.map(({ shard }) => shard))
    .int4Array(all.map(({ seqno }) => seqno));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
