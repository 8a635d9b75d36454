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
import {
  BLOCK_CREATE_STATS,
  type BlockCounters,
  buildMcStateExtra,
  buildMcStateInfo,
  CREATOR_STATS,
  OLD_MC_BLOCKS,
} from '../../chain/tlb/masterchain-state.ts';
import { buildShardHashes } from '../../chain/tlb/shard-hashes.ts';
import { validatorSetHash } from '../../chain/tlb/validators.ts';
import type { BlockDraft } from './block-draft.ts';
import { nextConfigOf } from './chain-config.ts';
import type { BlockFrame, MasterchainParts } from './finish-block.ts';
import { lastKeyBlock, viewRef } from './masterchain-view.ts';
import { planShards, type Registered } from './shard-config.ts';
import type { OpenAccount } from './transactions.ts';
import { masterchainGroup } from './validator-group.ts';
import { type BlockIncome, sumOf } from './value-flow.ts';

/** Decisions about a masterchain block that are made before its special parts are built. */
interface MasterchainDecisions {
  readonly registered: Registered;
  readonly income: BlockIncome;
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
  const { registered, income, shardCreators, recoverCreateMsg, mintMsg } = decisions;
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
  const { blockCreateStats } = view.info;
  const info = buildMcStateInfo(arena, {
    // The group of the next block, without its number.
    validatorListHashShort: validatorSetHash(masterchainGroup(config, catchainSeqno).validators, 0),
    catchainSeqno,
    nextCatchainUpdated: newGroup && newShardGroups,
    prevBlocks: { root: oldRoot, ...oldBlocks.extra(oldRoot) },
    afterKeyBlock: keyBlock,
    lastKeyBlock: lastKeyBlock(view),
    blockCreateStats: withStats
      ? { augmented: false, root: countCreators(draft, frame, shardCreators, blockCreateStats?.root ?? -1) }
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
    for (const [name, cell] of old)
      if (!now.has(name)) publish(name, cell, (others) => others.filter((other) => !other.equals(id)));
    for (const [name, cell] of now) if (!old.has(name)) publish(name, cell, (others) => [...others, id]);
  }
  return libraries;

  function publish(name: string, library: number, change: (publishers: Buffer[]) => Buffer[]): void {
    const hash = Buffer.from(name, 'hex');
    const changed = change(libraryPublishers(arena, libraries, hash));
    const publishers = changed.length === 0 ? -1 : buildPublishers(arena, changed);
    libraries =
      publishers < 0
        ? dictionary.delete(libraries, hash)
        : dictionary.set(libraries, hash, { library, publishers });
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

/** Stands for all validators together. */
const EVERYONE = Buffer.alloc(32);

/** Counts the blocks of one step for their creators; returns the root of the new statistics. */
function countCreators(
  { input: { arena, now } }: BlockDraft,
  { createdBy }: BlockFrame,
  shards: readonly Buffer[],
  root: number,
): number {
  const dictionary = new Dictionary(arena, BLOCK_CREATE_STATS);
  const count = (before: number, key: Buffer, mcBlocks: number, shardBlocks: number): number => {
    const entry = dictionary.get(before, key);
    const old = entry ? CREATOR_STATS.read(entry) : { mcBlocks: NO_BLOCKS, shardBlocks: NO_BLOCKS };
    return dictionary.set(before, key, {
      mcBlocks: mcBlocks === 0 ? old.mcBlocks : addBlocks(old.mcBlocks, mcBlocks, now),
      shardBlocks: shardBlocks === 0 ? old.shardBlocks : addBlocks(old.shardBlocks, shardBlocks, now),
    });
  };
  let stats = root;
  for (const [, made] of Map.groupBy(shards, (key) => key.toString('latin1')))
    stats = count(stats, made[0]!, 0, made.length);
  stats = count(stats, createdBy, 1, 0);
  return count(stats, EVERYONE, 1, shards.length);
}

export const NO_BLOCKS: BlockCounters = { lastUpdated: 0, total: 0n, count2048: 0n, count65536: 0n };

const UNIT_BITS = 32n;
const MAX_SECONDS_2048 = 48 * 2048;
const WORD_BITS = 64n;
const WORD = 1n << WORD_BITS;
const MAX_WHOLE = 45;

/** Counts more blocks at a time. The averages are fixed-point numbers with 32 bits after the point. */
export function addBlocks(counters: BlockCounters, blocks: number, now: number): BlockCounters {
  const added = BigInt(blocks) << UNIT_BITS;
  if (counters.total === 0n)
    return { lastUpdated: now, total: BigInt(blocks), count2048: added, count65536: added };
  const seconds = Math.max(0, now - counters.lastUpdated);
  const faded2048 = seconds >= MAX_SECONDS_2048 ? 0n : decay(counters.count2048, seconds * 32);
  return {
    lastUpdated: now,
    total: counters.total + BigInt(blocks),
    count2048: faded2048 + added,
    count65536: decay(counters.count65536, seconds) + added,
  };
}

/**
 * `value` times exp(-k / 65536), in steps of the powers 1, 1/256 and 1/65536 with the roundings of the node: its
 * state is compared by hash.
 */
export function decay(value: bigint, k: number): bigint {
  if (k === 0 || value === 0n) return value;
  const whole = Math.floor(k / 65536);
  if (whole > MAX_WHOLE) return 0n;
  const shift = WORD_BITS - BigInt(value.toString(2).length);
  let x = value << shift;
  const small = k & 0xff;
  const middle = (k >> 8) & 0xff;
  if (small > 0) x -= (roundedHigh(x * lost(small, 65536n, 72n)) + 0x80n) >> 8n;
  if (middle > 0) x -= roundedHigh(x * lost(middle, 256n, 64n));
  if (whole > 0) {
    const { mantissa, scale } = powerOf(whole);
    return ((((x * mantissa) >> (scale + shift)) % WORD) + 1n) >> 1n;
  }
  return shift === 0n ? x : ((x >> (shift - 1n)) + 1n) >> 1n;
}

function roundedHigh(product: bigint): bigint {
  return (product + (WORD >> 1n)) >> WORD_BITS;
}

/** 1 - exp(-count / parts), with `bits` after the point, rounded. */
function lost(count: number, parts: bigint, bits: bigint): bigint {
  const one = 1n << PRECISION;
  return rounded(one - exponential(BigInt(count), parts), PRECISION - bits);
}

/** exp(-whole) as a number of 64 bits over a power of two (one less than that power is the scale). */
function powerOf(whole: number): { mantissa: bigint; scale: bigint } {
  const value = exponential(BigInt(whole), 1n);
  const length = BigInt(value.toString(2).length);
  return { mantissa: rounded(value, length - WORD_BITS), scale: PRECISION - length + WORD_BITS - 1n };
}

const PRECISION = 320n;

/** exp(-count / parts) with PRECISION bits after the point, by its series around a small step. */
function exponential(count: bigint, parts: bigint): bigint {
  const halvings = 16n;
  const step = (count << (PRECISION - halvings)) / parts;
  let term = 1n << PRECISION;
  let sum = 0n;
  for (let i = 1n; term !== 0n; i++) {
    sum += term;
    term = -((term * step) >> PRECISION) / i;
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) >> PRECISION;
  return sum;
}

function rounded(value: bigint, bits: bigint): bigint {
  return (value + (1n << (bits - 1n))) >> bits;
}
