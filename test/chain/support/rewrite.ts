import { expect } from 'vitest';
import { Slice } from '../../../src/chain/boc/slice.ts';
import type { BuildingArena } from '../../../src/chain/state/building-arena.ts';
import { buildAccount, readAccount } from '../../../src/chain/tlb/account.ts';
import {
  ACCOUNT_TRANSACTIONS,
  type AccountBlock,
  buildShardAccountBlocks,
  SHARD_ACCOUNT_BLOCKS,
} from '../../../src/chain/tlb/account-blocks.ts';
import {
  type BlockExtra,
  buildBlock,
  buildBlockExtra,
  buildBlockInfo,
  buildValueFlow,
  readBlockExtra,
  readBlockInfo,
  readBlockRoot,
} from '../../../src/chain/tlb/block.ts';
import { CONFIG, configParam } from '../../../src/chain/tlb/config.ts';
import { skipCurrencyCollection } from '../../../src/chain/tlb/currency.ts';
import {
  Dictionary,
  type DictionaryCodec,
  dictionaryEntries,
  int32Key,
  walkDictionary,
} from '../../../src/chain/tlb/dictionary.ts';
import {
  buildPublishers,
  LIBRARIES,
  libraryPublishers,
  type PublicLibrary,
} from '../../../src/chain/tlb/libraries.ts';
import {
  buildMasterchainExtra,
  buildMasterchainMessages,
  readMasterchainExtra,
  readMasterchainMessages,
  SHARD_FEES,
  shardFeesKey,
} from '../../../src/chain/tlb/masterchain-block.ts';
import {
  BLOCK_CREATE_STATS,
  type BlockCounters,
  buildMcStateExtra,
  buildMcStateInfo,
  type CreatorStats,
  lookUpOldMcBlock,
  OLD_MC_BLOCKS,
  type OldMcBlock,
  type OldMcBlocks,
  readMcStateExtra,
  readMcStateInfo,
} from '../../../src/chain/tlb/masterchain-state.ts';
import {
  buildInMsg,
  buildInMsgDescr,
  buildMessageEnvelope,
  buildOutMsgDescr,
  inMsgDescrCodec,
  outMsgDescrCodec,
  readInMsg,
  readMessageEnvelope,
} from '../../../src/chain/tlb/msg-descr.ts';
import {
  buildOutMsgQueueInfo,
  type EnqueuedMsg,
  OUT_MSG_QUEUE,
  PROCESSED_INFO,
  type ProcessedUpto,
  readOutMsgQueueInfo,
} from '../../../src/chain/tlb/queues.ts';
import {
  buildShardAccounts,
  SHARD_ACCOUNTS,
  type ShardAccount,
  walkShardAccounts,
} from '../../../src/chain/tlb/shard-accounts.ts';
import { buildShardHashes, readShardHashes } from '../../../src/chain/tlb/shard-hashes.ts';
import {
  buildShardState,
  buildShardStateTotals,
  readShardState,
  readShardStateTotals,
} from '../../../src/chain/tlb/shard-state.ts';
import { buildHashUpdate } from '../../../src/chain/tlb/transaction.ts';
import { buildValidatorSet, readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { readValueFlow } from './block-readers.ts';
import { buildSignaturePairs, readSignaturePairs } from './block-signatures.ts';
import { readShardFees, walkInMsgDescr, walkOutMsgDescr } from './block-walks.ts';
import { configParams } from './config-params.ts';
import { walkLibraries } from './libraries.ts';

const VALIDATOR_SET_PARAMS = [32, 33, 34, 35, 36, 37];

/** What is read in an arena and written again in it: equal cells have equal numbers there. */
interface Rewriter {
  readonly arena: BuildingArena;
  /** How many there were of each kind. */
  readonly counts: Record<string, number>;
  count(kind: string): void;
  /** Checks that what was written is what was read; gives it. */
  same(name: string, read: number, written: number): number;
  /** Makes a dictionary of sorted entries at once, and for small ones checks that one by one gives the same. */
  dictionary<Value, Extra>(
    name: string,
    form: DictionaryCodec<Value, Extra>,
    entries: readonly (readonly [Buffer, Value])[],
  ): number;
  /** Makes a configuration again, with the validator sets in it. */
  config(root: number): number;
}

const SMALL = 60;

/** Makes a rewriter over an arena. */
export function createRewriter(arena: BuildingArena): Rewriter {
  const counts: Record<string, number> = {};
  const count = (kind: string): void => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const same: Rewriter['same'] = (name, read, written) => {
    count(name);
    if (written !== read) expect.fail(`${name} is written in another way than it was`);
    return written;
  };
  const dictionary: Rewriter['dictionary'] = (name, form, entries) => {
    const all = new Dictionary(arena, form);
    const root = all.build(entries);
    if (entries.length > SMALL) return root;
    let grown = -1;
    for (const [key, value] of entries.toReversed()) grown = all.set(grown, key, value);
    return same(`${name} one by one`, root, grown);
  };
  const config = (root: number): number => {
    for (const index of VALIDATOR_SET_PARAMS) {
      const cell = configParam(arena, root, index);
      if (cell >= 0) same('validator set', cell, buildValidatorSet(arena, readValidatorSet(arena, cell)));
    }
    const params = configParams(arena, root).map(({ index, cell }) => [int32Key(index), cell] as const);
    return same('config', root, dictionary('config', CONFIG, params));
  };
  return { arena, counts, count, same, dictionary, config };
}

/**
 * Reads a block part by part and writes each again from what was read, dictionaries from their entries; gives the
 * root of the new block. The update of the state is taken over.
 */
export function rewriteBlock(rewriter: Rewriter, block: number): number {
  const { arena, same } = rewriter;
  const root = readBlockRoot(arena, block);
  const info = readBlockInfo(arena, root.info);
  const extra = readBlockExtra(arena, root.extra);
  const globalVersion = info.genSoftware?.version ?? 0;
  return same(
    'block',
    block,
    buildBlock(arena, {
      globalId: root.globalId,
      info: same('info', root.info, buildBlockInfo(arena, info)),
      valueFlow: same(
        'value flow',
        root.valueFlow,
        buildValueFlow(arena, readValueFlow(arena, root.valueFlow)),
      ),
      stateUpdate: root.stateUpdate,
      extra: same(
        'extra',
        root.extra,
        buildBlockExtra(arena, {
          ...extra,
          inMsgDescr: rewriteInMsgDescr(rewriter, extra, globalVersion),
          outMsgDescr: rewriteOutMsgDescr(rewriter, extra, globalVersion),
          accountBlocks: rewriteAccountBlocks(rewriter, extra.accountBlocks),
          masterchain: extra.masterchain < 0 ? -1 : rewriteMasterchainExtra(rewriter, extra.masterchain),
        }),
      ),
    }),
  );
}

function rewriteInMsgDescr(rewriter: Rewriter, { inMsgDescr }: BlockExtra, globalVersion: number): number {
  const { arena, same } = rewriter;
  const entries: [Buffer, ReturnType<typeof readInMsg>][] = [];
  walkInMsgDescr(arena, inMsgDescr, (hash, inMsg) => {
    rewriter.count(`in ${inMsg.kind}`);
    if ('envelope' in inMsg) rewriteEnvelope(rewriter, inMsg.envelope);
    if ('outEnvelope' in inMsg) rewriteEnvelope(rewriter, inMsg.outEnvelope);
    entries.push([Buffer.from(hash), inMsg]);
  });
  const root = rewriter.dictionary('in messages', inMsgDescrCodec(globalVersion), entries);
  return same('in descriptors', inMsgDescr, buildInMsgDescr(arena, root, globalVersion));
}

function rewriteOutMsgDescr(rewriter: Rewriter, { outMsgDescr }: BlockExtra, globalVersion: number): number {
  const { arena, same } = rewriter;
  const form = outMsgDescrCodec(globalVersion);
  const entries: [Buffer, Parameters<typeof form.write>[1]][] = [];
  walkOutMsgDescr(arena, outMsgDescr, (hash, outMsg) => {
    rewriter.count(`out ${outMsg.kind}`);
    if ('envelope' in outMsg) rewriteEnvelope(rewriter, outMsg.envelope);
    if ('reimport' in outMsg) rewriteInMsg(rewriter, outMsg.reimport);
    if ('imported' in outMsg) rewriteInMsg(rewriter, outMsg.imported);
    entries.push([Buffer.from(hash), outMsg]);
  });
  const root = rewriter.dictionary('out messages', form, entries);
  return same('out descriptors', outMsgDescr, buildOutMsgDescr(arena, root, globalVersion));
}

function rewriteInMsg({ arena, same }: Rewriter, cell: number): void {
  same('in message', cell, buildInMsg(arena, readInMsg(new Slice(arena, cell))));
}

function rewriteEnvelope({ arena, same }: Rewriter, cell: number): void {
  same('envelope', cell, buildMessageEnvelope(arena, readMessageEnvelope(arena, cell)));
}

function rewriteAccountBlocks(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const root = new Slice(arena, cell).maybeRef();
  const entries: [Buffer, AccountBlock][] = [];
  if (root >= 0)
    walkDictionary(arena, root, 256, (id, value) => {
      skipCurrencyCollection(value);
      entries.push([Buffer.from(id), rewriteAccountBlock(rewriter, value)]);
    });
  const rewritten = rewriter.dictionary('account blocks', SHARD_ACCOUNT_BLOCKS, entries);
  return same('account blocks', cell, buildShardAccountBlocks(arena, rewritten));
}

function rewriteAccountBlock(rewriter: Rewriter, slice: Slice): AccountBlock {
  const { arena, same } = rewriter;
  slice.skip(4);
  const account = slice.hash();
  const transactions: [Buffer, number][] = [];
  const inline = slice.clone();
  for (const { key, value } of dictionaryEntries(inline, 64)) {
    skipCurrencyCollection(value);
    transactions.push([Buffer.from(key), value.ref()]);
  }
  // The last reference, whatever the dictionary before it has.
  const stateUpdate = arena.ref(slice.cell, arena.refCount(slice.cell) - 1);
  const update = new Slice(arena, stateUpdate);
  update.skip(8);
  return {
    account,
    transactions: rewriter.dictionary('transactions', ACCOUNT_TRANSACTIONS, transactions),
    stateUpdate: same('hash update', stateUpdate, buildHashUpdate(arena, update.hash(), update.hash())),
  };
}

function rewriteMasterchainExtra(rewriter: Rewriter, cell: number): number {
  const { arena, same } = rewriter;
  const extra = readMasterchainExtra(arena, cell);
  const fees = readShardFees(arena, extra.shardFees).map(
    (fee) => [shardFeesKey(fee.workchain, fee.shard), fee] as const,
  );
  const shardFees = same('shard fees', extra.shardFees, rewriter.dictionary('shard fees', SHARD_FEES, fees));
  const totalShardFees = new Dictionary(arena, SHARD_FEES).extra(shardFees);
  const messages = readMasterchainMessages(arena, extra.messages);
  const pairs = readSignaturePairs(arena, messages.prevBlockSignatures);
  for (const cell of [messages.recoverCreateMsg, messages.mintMsg])
    if (cell >= 0) rewriteInMsg(rewriter, cell);
  return same(
    'masterchain extra',
    cell,
    buildMasterchainExtra(arena, {
      ...extra,
      shardHashes: same(
        'shard hashes',
        extra.shardHashes,
        buildShardHashes(arena, readShardHashes(arena, extra.shardHashes)),
      ),
      shardFees,
      totalShardFees,
      messages: same(
        'masterchain messages',
        extra.messages,
        buildMasterchainMessages(arena, {
          ...messages,
          prevBlockSignatures: buildSignaturePairs(arena, pairs),
        }),
      ),
      config: extra.config && { ...extra.config, root: rewriter.config(extra.config.root) },
    }),
  );
}

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
    entries.push([int32Key(seqno), block]);
  }
  const root = same('old blocks', blocks.root, rewriter.dictionary('old blocks', OLD_MC_BLOCKS, entries));
  return { root, ...new Dictionary(arena, OLD_MC_BLOCKS).extra(root) };
}
