import type { Slice } from '../../../src/chain/boc/slice.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { libraryPublishers, walkLibraries } from '../../../src/chain/tlb/libraries.ts';
import { readMcStateExtra, readMcStateInfo } from '../../../src/chain/tlb/mc-state-extra.ts';
import { lookUpOldMcBlock, type OldMcBlock, type OldMcBlocks } from '../../../src/chain/tlb/old-mc-blocks.ts';
import { readOutMsgQueueInfo } from '../../../src/chain/tlb/out-msg-queue-info.ts';
import { type ShardAccount, walkShardAccounts } from '../../../src/chain/tlb/shard-account.ts';
import { readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { readShardStateTotals } from '../../../src/chain/tlb/shard-state-totals.ts';
import { buildAccount } from '../../../src/chain/tlb-write/account.ts';
import {
  BLOCK_CREATE_STATS,
  type BlockCounters,
  type CreatorStats,
} from '../../../src/chain/tlb-write/block-create-stats.ts';
import { Dictionary } from '../../../src/chain/tlb-write/dictionary.ts';
import { buildPublishers, LIBRARIES, type PublicLibrary } from '../../../src/chain/tlb-write/libraries.ts';
import { buildMcStateExtra, buildMcStateInfo } from '../../../src/chain/tlb-write/mc-state-extra.ts';
import { OLD_MC_BLOCKS, oldMcBlockKey } from '../../../src/chain/tlb-write/old-mc-blocks.ts';
import { type EnqueuedMsg, OUT_MSG_QUEUE } from '../../../src/chain/tlb-write/out-msg-queue.ts';
import { buildOutMsgQueueInfo } from '../../../src/chain/tlb-write/out-msg-queue-info.ts';
import { PROCESSED_INFO, type ProcessedUpto } from '../../../src/chain/tlb-write/processed-info.ts';
import { buildShardAccounts, SHARD_ACCOUNTS } from '../../../src/chain/tlb-write/shard-accounts.ts';
import { buildShardHashes } from '../../../src/chain/tlb-write/shard-hashes.ts';
import { buildShardState, buildShardStateTotals } from '../../../src/chain/tlb-write/shard-state.ts';
import type { Rewriter } from './rewriter.ts';

/** Reads a state part by part and writes each again, dictionaries from their entries; gives the new root. */
export function rewriteState(rewriter: Rewriter, cell: number): number {
  const { arena } = rewriter;
  const state = readShardState(arena, cell);
  return buildShardState(arena, {
    ...state,
    outMsgQueueInfo: rewriteQueueInfo(rewriter, state.outMsgQueueInfo),
    accounts: rewriteAccounts(rewriter, state.accounts),
    totals: rewriteTotals(rewriter, state.totals),
    custom: state.custom < 0 ? -1 : rewriteMcExtra(rewriter, state.custom),
  });
}

/** The entries of a dictionary, each read by a function that starts at its value. */
function entriesOf<Value>(
  { arena }: Rewriter,
  root: number,
  keyBits: number,
  read: (value: Slice) => Value,
): [Buffer, Value][] {
  const entries: [Buffer, Value][] = [];
  if (root >= 0)
    walkDictionary(arena, root, keyBits, (key, value) => {
      entries.push([Buffer.from(key), read(value)]);
    });
  return entries;
}

/** Writes OutMsgQueueInfo again. */
export function rewriteQueueInfo(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const info = readOutMsgQueueInfo(arena, cell);
  const queue = entriesOf(rewriter, info.outQueue, OUT_MSG_QUEUE.keyBits, (value): EnqueuedMsg => {
    rewriter.count('waiting message');
    value.skip(64);
    return { enqueuedLt: value.uint64(), envelope: value.ref() };
  });
  const processed = entriesOf(
    rewriter,
    info.processedInfo,
    PROCESSED_INFO.keyBits,
    (value): ProcessedUpto => ({ lastMsgLt: value.uint64(), lastMsgHash: value.hash() }),
  );
  const rewritten = buildOutMsgQueueInfo(arena, {
    outQueue: same('out queue', info.outQueue, rewriter.dictionary('out queue', OUT_MSG_QUEUE, queue)),
    processedInfo: same(
      'processed info',
      info.processedInfo,
      rewriter.dictionary('processed info', PROCESSED_INFO, processed),
    ),
    extra: info.extra,
  });
  return same('out queue info', cell, rewritten);
}

function rewriteAccounts(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const entries: [Buffer, ShardAccount][] = [];
  walkShardAccounts(arena, cell, (id, account) => {
    same('account', account.account, buildAccount(arena, readAccount(arena, account.account)));
    entries.push([Buffer.from(id), account]);
  });
  const root = rewriter.dictionary('accounts', SHARD_ACCOUNTS, entries);
  return same('accounts', cell, buildShardAccounts(arena, root));
}

function rewriteTotals(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const totals = readShardStateTotals(arena, cell);
  const entries: [Buffer, PublicLibrary][] = [];
  walkLibraries(arena, totals.libraries, (hash, library) => {
    const publishers = libraryPublishers(arena, totals.libraries, hash);
    entries.push([Buffer.from(hash), { library, publishers: buildPublishers(arena, publishers) }]);
  });
  const libraries = rewriter.dictionary('libraries', LIBRARIES, entries);
  same('libraries', totals.libraries, libraries);
  return same('totals', cell, buildShardStateTotals(arena, { ...totals, libraries }));
}

function rewriteMcExtra(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const extra = readMcStateExtra(arena, cell);
  const shards = readShardHashes(arena, extra.shardHashes);
  const rewritten = buildMcStateExtra(arena, {
    ...extra,
    shardHashes: same('shard hashes', extra.shardHashes, buildShardHashes(arena, shards)),
    config: rewriter.config(extra.config),
    info: rewriteMcInfo(rewriter, extra.info),
  });
  return same('masterchain state extra', cell, rewritten);
}

function rewriteMcInfo(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const info = readMcStateInfo(arena, cell);
  const stats = info.blockCreateStats && {
    ...info.blockCreateStats,
    root: rewriteStats(rewriter, info.blockCreateStats.root),
  };
  const prevBlocks = rewriteOldBlocks(rewriter, info.prevBlocks);
  return same(
    'masterchain state info',
    cell,
    buildMcStateInfo(arena, { ...info, prevBlocks, blockCreateStats: stats }),
  );
}

function rewriteStats(rewriter: Rewriter, root: number): number {
  const readCounters = (slice: Slice): BlockCounters => ({
    lastUpdated: slice.uint(32),
    total: slice.uint64(),
    count2048: slice.uint64(),
    count65536: slice.uint64(),
  });
  const entries = entriesOf(rewriter, root, BLOCK_CREATE_STATS.keyBits, (value): CreatorStats => {
    value.skip(4);
    return { mcBlocks: readCounters(value), shardBlocks: readCounters(value) };
  });
  return rewriter.same(
    'block statistics',
    root,
    rewriter.dictionary('block statistics', BLOCK_CREATE_STATS, entries),
  );
}

function rewriteOldBlocks(rewriter: Rewriter, blocks: OldMcBlocks): OldMcBlocks {
  const { arena, same } = rewriter;
  const entries: [Buffer, OldMcBlock][] = [];
  for (let seqno = 0; ; seqno++) {
    const block = lookUpOldMcBlock(arena, blocks.root, seqno);
    if (block === undefined) break;
    entries.push([oldMcBlockKey(seqno), block]);
  }
  const root = same('old blocks', blocks.root, rewriter.dictionary('old blocks', OLD_MC_BLOCKS, entries));
  return { root, ...new Dictionary(arena, OLD_MC_BLOCKS).extra(root) };
}
