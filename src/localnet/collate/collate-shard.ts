import type { BlockId } from '../../chain/block-id.ts';
import { startAfter } from '../../chain/logical-time.ts';
import type { BlockInfo } from '../../chain/tlb/block-info.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes-descr.ts';
import { shardPrefixBits } from '../../chain/tlb-write/shard-ident.ts';
import { BlockDraft, type DraftInput } from './block-draft.ts';
import { isBeforeSplit, timeAfter } from './block-times.ts';
import { shardIncome } from './block-values.ts';
import type { BuiltBlock } from './built-block.ts';
import { cleanQueue } from './clean-queue.ts';
import { deliverNew } from './deliver-new.ts';
import { type Judged, type SoundExternal, takeExternals } from './external-messages.ts';
import { finishBlock } from './finish-block.ts';
import { takeIn } from './take-in.ts';
import { groupOf } from './validator-group.ts';

/** What the next block of a shard is made from. */
export interface ShardInput extends Omit<DraftInput, 'startLt'> {
  /** The block before, which the masterchain knows as the newest. */
  readonly previous: ShardDescr | (BlockId & Pick<ShardDescr, 'splitMergeAt'>);
  /** Messages from outside; what follows from those of one round is delivered before the next. */
  readonly rounds: readonly (readonly SoundExternal[])[];
  readonly software: BlockInfo['genSoftware'];
}

/** A block with what became of the messages from outside. */
export interface CollatedBlock {
  readonly block: BuiltBlock;
  readonly judged: readonly Judged[];
}

/** Makes the next block of a shard that is not the masterchain. */
export async function collateShard(input: ShardInput): Promise<CollatedBlock> {
  const { view, before, shard, previous, software } = input;
  const afterSplit = previous.shard !== shard.shard;
  const { genLt, genUtime } = before.state;
  const now = timeAfter(input.now, view, genUtime);
  const beforeSplit = !afterSplit && isBeforeSplit(previous.splitMergeAt, now);
  const draft = new BlockDraft({ ...input, now, startLt: startAfter(view.state.genLt, genLt) });
  cleanQueue(draft);
  await takeIn(draft);
  draft.enqueueOnly = !draft.allTakenIn;
  const judged: Judged[] = [];
  for (const externals of [...input.rounds, []]) {
    judged.push(...(await takeExternals(draft, externals)));
    await deliverNew(draft);
  }

  const { seqno, rootHash, fileHash } = previous;
  const { validators, ...named } = groupOf(view, shard);
  const frame = {
    seqno: seqno + 1,
    previous: { endLt: genLt, seqno, rootHash, fileHash },
    beforeSplit,
    afterSplit,
    ...named,
    createdBy: validators[0]!.publicKey,
    software,
  };
  const reward = view.config.basechainReward >> BigInt(shardPrefixBits(shard.shard));
  return { block: finishBlock(draft, frame, shardIncome(reward)), judged };
}
