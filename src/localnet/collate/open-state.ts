import { childShards, parentShard, shardPrefixBits } from '../../chain/shards.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import { Dictionary } from '../../chain/tlb/dictionary.ts';
import { OUT_MSG_QUEUE, readOutMsgQueueInfo } from '../../chain/tlb/queues.ts';
import {
  readDepthBalanceInfo,
  readShardAccount,
  readShardAccounts,
  SHARD_ACCOUNTS,
  type ShardAccount,
} from '../../chain/tlb/shard-accounts.ts';
import type { ShardDescr } from '../../chain/tlb/shard-hashes.ts';
import { readShardState, readShardStateTotals } from '../../chain/tlb/shard-state.ts';
import { allMessages, openQueued, walkPrefix } from './out-queue.ts';
import { readProcessed, splitProcessed } from './processed-upto.ts';
import { holds } from './routing.ts';
import { coins } from './value-flow.ts';

/** State that a block starts from: the one after the previous block, or one half of it after a split. */
export type OpenState = Readonly<ReturnType<typeof openState>>;

export function openState(arena: BuildingArena, root: number) {
  const state = readShardState(arena, root);
  const queue = readOutMsgQueueInfo(arena, state.outMsgQueueInfo);
  return {
    /** Full state after the previous block. */
    root,
    state,
    totals: readShardStateTotals(arena, state.totals),
    /** Roots of dictionaries, -1 where they are empty. */
    accounts: readShardAccounts(arena, state.accounts).root,
    queue: queue.outQueue,
    queueSize: queue.extra?.outQueueSize ?? allMessages(arena, queue.outQueue).length,
    dispatchQueue: queue.extra?.dispatchQueue ?? -1,
    processed: readProcessed(arena, queue.processedInfo, state),
  };
}

export function splitState(arena: BuildingArena, open: OpenState, half: bigint): OpenState {
  const { state, totals } = open;
  if (parentShard(half) !== state.shard) throw new Error('a shard splits into its halves only');
  if (open.dispatchQueue >= 0) throw new Error('a shard with deferred messages does not split');
  const accounts = accountsOf(arena, open.accounts, half);
  const queue = queueOf(arena, open.queue, { workchain: state.workchain, shard: half });
  const isRight = childShards(state.shard)[1] === half;
  const fees = (totals.totalValidatorFees.grams + (isRight ? 1n : 0n)) >> 1n;
  const { balance: totalBalance } = new Dictionary(arena, SHARD_ACCOUNTS).extra(accounts);
  const noHistory = { overloadHistory: 0n, underloadHistory: 0n };
  return {
    ...open,
    state: { ...state, shard: half },
    totals: { ...totals, ...noHistory, totalBalance, totalValidatorFees: coins(fees) },
    accounts,
    queue: queue.root,
    queueSize: queue.size,
    processed: splitProcessed(open.processed, half),
  };
}

function accountsOf(arena: BuildingArena, accounts: number, half: bigint): number {
  const prefix = Buffer.alloc(8);
  prefix.writeBigInt64BE(half);
  const entries: [Buffer, ShardAccount][] = [];
  walkPrefix(arena, accounts, 256, prefix, shardPrefixBits(half), (id, value) => {
    readDepthBalanceInfo(value);
    entries.push([Buffer.from(id), readShardAccount(value)]);
  });
  return new Dictionary(arena, SHARD_ACCOUNTS).build(entries);
}

function queueOf(arena: BuildingArena, queue: number, half: ShardIdent) {
  const entries = allMessages(arena, queue).filter((entry) => holds(half, openQueued(arena, entry).current));
  const root = new Dictionary(arena, OUT_MSG_QUEUE).build(
    entries.map(({ key, enqueuedLt, envelope }) => [key, { enqueuedLt, envelope }]),
  );
  return { root, size: entries.length };
}

/** A shard that sends messages here and imports ours; a shard is its own neighbour too. */
export type Neighbour = Readonly<ReturnType<typeof neighbourOf>>;

/** A shard as a neighbour, by the state after its last block. */
export function neighbourOf({ state, queue, processed }: OpenState) {
  const { workchain, shard, genLt } = state;
  return { workchain, shard, queue, processed, endLt: genLt };
}

/**
 * Shards as neighbours, each by the state after the block that the masterchain names. Of a shard that has just split,
 * its halves see each other; all others see it whole until the masterchain names blocks of the halves.
 */
export function neighboursOf(
  arena: BuildingArena,
  shards: readonly ShardDescr[],
  stateOf: (descr: ShardDescr) => OpenState,
  viewer: ShardIdent,
): Neighbour[] {
  return shards.flatMap((descr) => {
    const state = stateOf(descr);
    const halves: readonly bigint[] = descr.beforeSplit ? childShards(descr.shard) : [];
    if (descr.workchain !== viewer.workchain || !halves.includes(viewer.shard)) return [neighbourOf(state)];
    return halves.map((half) => neighbourOf(splitState(arena, state, half)));
  });
}
