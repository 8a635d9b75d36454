import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { buildMasterchainExtra, buildMasterchainMessages } from '../../chain/tlb-write/masterchain-extra.ts';
import { buildMcStateExtra, buildMcStateInfo } from '../../chain/tlb-write/mc-state-extra.ts';
import { OLD_MC_BLOCKS, oldMcBlockKey } from '../../chain/tlb-write/old-mc-blocks.ts';
import { buildShardHashes } from '../../chain/tlb-write/shard-hashes.ts';
import type { BlockDraft } from './block-draft.ts';
import type { BlockFrame, MasterchainParts } from './block-frame.ts';
import type { BlockIncome } from './block-values.ts';
import { countCreators } from './creator-stats.ts';
import { sumOf } from './currency-math.ts';
import { lastKeyBlock, viewRef } from './masterchain-view.ts';
import { takeConfig } from './new-config.ts';
import { updateLibraries } from './public-libraries.ts';
import { planShards, type Registered } from './shard-config.ts';
import { masterchainGroup, nameWithoutNumber } from './validator-group.ts';

/** What has been decided about a masterchain block before its special parts are built. */
export interface MasterchainDecisions {
  readonly registered: Registered;
  readonly income: BlockIncome;
  /** The makers of the new shard blocks. */
  readonly shardCreators: readonly Buffer[];
  /** Cells of InMsg, -1 where there is none. */
  readonly recoverCreateMsg: number;
  readonly mintMsg: number;
}

const CREATE_STATS = 2n;

/** Builds what only masterchain blocks have, once the accounts after the block are known. */
export function buildMasterchainParts(
  draft: BlockDraft,
  frame: BlockFrame,
  decisions: MasterchainDecisions,
  accounts: number,
): MasterchainParts {
  const { arena, view, now, before } = draft.input;
  const { registered, income, recoverCreateMsg, mintMsg } = decisions;
  const taken = takeConfig(arena, accounts, view.extra, view.config);
  const { config, changed: keyBlock } = taken;
  const { catchain } = config;
  const isNew = (lifetime: number): boolean =>
    keyBlock || Math.floor(now / lifetime) > Math.floor(before.state.genUtime / lifetime);
  const newShardGroups = isNew(catchain.shardCatchainLifetime);
  const newGroup = isNew(catchain.mcCatchainLifetime);
  const shards = planShards(registered.shards, config.workchains, now, newShardGroups);
  const shardHashes = buildShardHashes(arena, shards);

  const catchainSeqno = view.info.catchainSeqno + (newGroup ? 1 : 0);
  const oldBlocks = new Dictionary(arena, OLD_MC_BLOCKS);
  const last = { isKeyBlock: view.info.afterKeyBlock, ...viewRef(view) };
  const oldRoot = oldBlocks.set(view.info.prevBlocks.root, oldMcBlockKey(last.seqno), last);
  const withStats = (view.config.capabilities & CREATE_STATS) !== 0n;
  const info = buildMcStateInfo(arena, {
    // The group of the next block, named without its number.
    validatorListHashShort: nameWithoutNumber(masterchainGroup(config, catchainSeqno)),
    catchainSeqno,
    nextCatchainUpdated: newGroup && newShardGroups,
    prevBlocks: { root: oldRoot, ...oldBlocks.extra(oldRoot) },
    afterKeyBlock: keyBlock,
    lastKeyBlock: lastKeyBlock(view),
    blockCreateStats: withStats
      ? {
          augmented: false,
          root: countCreators(
            arena,
            view.info.blockCreateStats?.root ?? -1,
            frame.createdBy,
            decisions.shardCreators,
            now,
          ),
        }
      : undefined,
  });
  const created = [income.created, income.minted, registered.totalFees.create];
  return {
    keyBlock,
    blockExtra: buildMasterchainExtra(arena, {
      keyBlock,
      shardHashes,
      shardFees: registered.fees,
      totalShardFees: registered.totalFees,
      // The node has left the signatures of the block before out from the start.
      messages: buildMasterchainMessages(arena, { prevBlockSignatures: -1, recoverCreateMsg, mintMsg }),
      config: keyBlock ? { address: taken.address, root: taken.root } : undefined,
    }),
    stateExtra: buildMcStateExtra(arena, {
      shardHashes,
      configAddress: taken.address,
      config: taken.root,
      info,
      globalBalance: sumOf(arena, view.extra.globalBalance, ...created),
    }),
    libraries: updateLibraries(arena, before.totals.libraries, draft.book.touched()),
    minRefMcSeqno: shards.reduce((least, { minRefMcSeqno }) => Math.min(least, minRefMcSeqno), 0xffffffff),
  };
}
