import { WHOLE_SHARD } from '../../chain/block-id.ts';
import { childShards, parentShard, shardPrefixBits } from '../../chain/shards.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { WorkchainDescr } from '../../chain/tlb/config.ts';
import { NO_CURRENCY } from '../../chain/tlb/currency.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import { SHARD_FEES, shardFeesKey } from '../../chain/tlb/masterchain-block.ts';
import type { FutureSplitMerge, ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import type { BuiltBlock } from './finish-block.ts';
import { sumOf } from './value-flow.ts';

/** Shard config of the masterchain after importing new shard blocks, and their fees. */
export type Registered = Readonly<ReturnType<typeof registerShards>>;

const NO_SEQNO = 0xffffffff;
const MAX_SPLIT_BITS = 60;
/** Where parameter 12 does not say when shards split. */
const DEFAULT_TIMINGS = { delay: 100, interval: 100 };

/** Adds workchains that have just started, and the new blocks of all shards. */
export function registerShards(
  arena: BuildingArena,
  registered: readonly ShardDescr[],
  workchains: readonly WorkchainDescr[],
  blocks: readonly BuiltBlock[],
  seqno: number,
  now: number,
) {
  const started = workchains
    .filter(({ active, enabledSince }) => active && enabledSince <= now)
    .filter(({ workchain }) => !registered.some((descr) => descr.workchain === workchain))
    .map((workchain) => firstDescr(workchain, seqno));
  const chains = [...Map.groupBy(blocks, ({ id }) => nameOf(id.workchain, id.shard)).values()];
  const fresh = chains.map((chain) => describe(arena, chain, registered, seqno));
  const replaced = new Set(
    blocks.map(({ info }) => nameOf(info.workchain, info.afterSplit ? parentShard(info.shard) : info.shard)),
  );
  const unchanged = registered.filter(({ workchain, shard }) => !replaced.has(nameOf(workchain, shard)));
  const dictionary = new Dictionary(arena, SHARD_FEES);
  let fees = -1;
  for (const { workchain, shard, sums } of [...started, ...fresh]) {
    const paid = { fees: sums!.feesCollected, create: sums!.fundsCreated };
    fees = dictionary.set(fees, shardFeesKey(workchain, shard), paid);
  }
  return {
    shards: [...unchanged, ...started, ...fresh],
    /** Root of the fee dictionary, and its sum. */
    fees,
    totalFees: dictionary.extra(fees),
  };
}

/** Plans splits where a workchain has too few shards or a shard wants it; new validator groups get new numbers. */
export function planShards(
  shards: readonly ShardDescr[],
  workchains: readonly WorkchainDescr[],
  now: number,
  newGroups: boolean,
): ShardDescr[] {
  return shards.map((descr) => {
    const { splitMergeAt: plan, nextCatchainSeqno } = descr;
    const isOver = plan !== undefined && (now >= plan.utime + plan.interval || descr.beforeSplit);
    const workchain = workchains.find((registered) => registered.workchain === descr.workchain);
    return {
      ...descr,
      splitMergeAt: plan !== undefined && !isOver ? plan : planSplit(descr, workchain, now),
      nextCatchainSeqno: newGroups ? nextCatchainSeqno + 1 : nextCatchainSeqno,
    };
  });
}

function planSplit(
  { shard, beforeSplit, wantSplit }: ShardDescr,
  workchain: WorkchainDescr | undefined,
  now: number,
): FutureSplitMerge | undefined {
  if (workchain === undefined || beforeSplit) return undefined;
  const bits = shardPrefixBits(shard);
  if ((!wantSplit && bits >= workchain.minSplit) || bits >= workchain.maxSplit || bits >= MAX_SPLIT_BITS)
    return undefined;
  const { delay, interval } = workchain.splitMergeTimings ?? DEFAULT_TIMINGS;
  return { kind: 'split', utime: now + delay, interval };
}

/** A workchain before its first block. */
function firstDescr(descr: WorkchainDescr, seqno: number): ShardDescr {
  return {
    workchain: descr.workchain,
    shard: WHOLE_SHARD,
    seqno: 0,
    regMcSeqno: seqno,
    startLt: 0n,
    endLt: 0n,
    rootHash: descr.zeroStateRootHash,
    fileHash: descr.zeroStateFileHash,
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nxCcUpdated: false,
    flags: 0,
    nextCatchainSeqno: 0,
    nextValidatorShard: WHOLE_SHARD,
    minRefMcSeqno: NO_SEQNO,
    genUtime: 0,
    splitMergeAt: undefined,
    sums: { feesCollected: NO_CURRENCY, fundsCreated: NO_CURRENCY },
  };
}

/** A shard after its new blocks, of which the masterchain references only the last. */
function describe(
  arena: BuildingArena,
  chain: readonly BuiltBlock[],
  registered: readonly ShardDescr[],
  seqno: number,
): ShardDescr {
  const { id, info } = chain.at(-1)!;
  const { workchain, shard } = id;
  const old = registered.find((descr) => descr.workchain === workchain && descr.shard === shard);
  return {
    ...id,
    regMcSeqno: seqno,
    startLt: info.startLt,
    endLt: info.endLt,
    beforeSplit: info.beforeSplit,
    beforeMerge: false,
    wantSplit: info.wantSplit,
    wantMerge: info.wantMerge,
    nxCcUpdated: false,
    flags: 0,
    nextCatchainSeqno: info.genCatchainSeqno,
    nextValidatorShard: shard,
    minRefMcSeqno: info.minRefMcSeqno,
    genUtime: info.genUtime,
    splitMergeAt: old?.splitMergeAt,
    sums: {
      feesCollected: sumOf(arena, ...chain.map(({ flow }) => flow.feesCollected)),
      fundsCreated: sumOf(arena, ...chain.map(({ flow }) => flow.created)),
    },
  };
}

function nameOf(workchain: number, shard: bigint): string {
  return `${workchain}:${shard}`;
}

/** The shards that follow a shard: itself, or its halves if it ends with a split. */
export function successors({ shard, beforeSplit }: ShardDescr): readonly bigint[] {
  return beforeSplit ? childShards(shard) : [shard];
}
