import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { Dictionary, int32Key } from '../../chain/tlb/dictionary.ts';
import {
  buildPublishers,
  LIBRARIES,
  libraryPublishers,
  readAccountLibraries,
} from '../../chain/tlb/libraries.ts';
import { buildMasterchainExtra, buildMasterchainMessages } from '../../chain/tlb/masterchain-block.ts';
import { buildMcStateExtra, buildMcStateInfo, OLD_MC_BLOCKS } from '../../chain/tlb/masterchain-state.ts';
import { buildShardHashes } from '../../chain/tlb/shard-hashes.ts';
import type { BlockDraft } from './block-draft.ts';
import { nextConfigOf } from './chain-config.ts';
import { countCreators } from './creator-stats.ts';
import type { BlockFrame, MasterchainParts } from './finish-block.ts';
import { lastKeyBlock, viewRef } from './masterchain-view.ts';
import { planShards, type Registered } from './shard-config.ts';
import type { OpenAccount } from './transactions.ts';
import { hashWithoutCatchainSeqno, masterchainGroup } from './validator-group.ts';
import { type BlockIncome, sumOf } from './value-flow.ts';

/** Decisions about a masterchain block that are made before its special parts are built. */
interface MasterchainDecisions {
  readonly registered: Registered;
  readonly income: BlockIncome;
  /** Creators of the new shard blocks. */
  readonly shardCreators: readonly Buffer[];
  /** Cells of InMsg, -1 where there is none. */
  readonly recoverCreateMsg: number;
  readonly mintMsg: number;
}

const CREATE_STATS = 2n;

/** Builds the masterchain-only parts, once the accounts after the block are known. */
export function buildMasterchainParts(
  draft: BlockDraft,
  frame: BlockFrame,
  decisions: MasterchainDecisions,
  accounts: number,
): MasterchainParts {
  const { arena, view, now, before } = draft.input;
  const { registered, income, recoverCreateMsg, mintMsg } = decisions;
  const taken = nextConfigOf(arena, accounts, view.extra, view.config);
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
  const oldRoot = oldBlocks.set(view.info.prevBlocks.root, int32Key(last.seqno), last);
  const withStats = (view.config.capabilities & CREATE_STATS) !== 0n;
  const info = buildMcStateInfo(arena, {
    // The group of the next block, without its number.
    validatorListHashShort: hashWithoutCatchainSeqno(masterchainGroup(config, catchainSeqno)),
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
      // The node has always left out the signatures of the previous block.
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
    libraries: updateLibraries(arena, before.totals.libraries, draft.accounts.touched()),
    minRefMcSeqno: shards.reduce((least, { minRefMcSeqno }) => Math.min(least, minRefMcSeqno), 0xffffffff),
  };
}

/** Public libraries of the masterchain after its accounts changed; both are roots of `LIBRARIES`. */
function updateLibraries(arena: BuildingArena, root: number, accounts: readonly OpenAccount[]): number {
  const dictionary = new Dictionary(arena, LIBRARIES);
  let libraries = root;
  for (const { id, original, current } of accounts) {
    const old = publicOf(arena, original?.account ?? -1);
    const now = publicOf(arena, current.account);
    for (const [name, cell] of old) if (!now.has(name)) libraries = unpublish(name, cell, id);
    for (const [name, cell] of now) if (!old.has(name)) libraries = publish(name, cell, id);
  }
  return libraries;

  function publish(name: string, library: number, id: Buffer): number {
    const hash = Buffer.from(name, 'hex');
    const publishers = buildPublishers(arena, [...libraryPublishers(arena, libraries, hash), id]);
    return dictionary.set(libraries, hash, { library, publishers });
  }

  function unpublish(name: string, library: number, id: Buffer): number {
    const hash = Buffer.from(name, 'hex');
    const left = libraryPublishers(arena, libraries, hash).filter((other) => !other.equals(id));
    if (left.length === 0) return dictionary.delete(libraries, hash);
    return dictionary.set(libraries, hash, { library, publishers: buildPublishers(arena, left) });
  }
}

/** Cells of the public libraries of an account, by hash. */
function publicOf(arena: BuildingArena, cell: number): Map<string, number> {
  const account = cell < 0 ? undefined : readAccount(arena, cell);
  if (account?.state.kind !== 'active') return new Map();
  const libraries = readAccountLibraries(arena, account.state.init.library);
  return new Map(
    libraries
      .filter(({ hash, isPublic, cell: library }) => isPublic && arena.hash(library).equals(hash))
      .map(({ hash, cell: library }) => [hash.toString('hex'), library]),
  );
}
