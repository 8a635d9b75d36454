import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { parentShard, shardHalves } from '../../chain/tlb/block-shard.ts';
import { readOutMsgQueueInfo } from '../../chain/tlb/out-msg-queue-info.ts';
import type { DepthBalanceInfo, ShardAccount } from '../../chain/tlb/shard-account.ts';
import { readDepthBalanceInfo, readShardAccount, readShardAccounts } from '../../chain/tlb/shard-account.ts';
import { readShardState, type ShardState } from '../../chain/tlb/shard-state.ts';
import { readShardStateTotals, type ShardStateTotals } from '../../chain/tlb/shard-state-totals.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { OUT_MSG_QUEUE } from '../../chain/tlb-write/out-msg-queue.ts';
import { SHARD_ACCOUNTS } from '../../chain/tlb-write/shard-accounts.ts';
import { shardPrefixBits } from '../../chain/tlb-write/shard-ident.ts';
import { coins } from './currency-math.ts';
import { type ProcessedList, readProcessed, splitProcessed } from './processed-upto.ts';
import { allMessages, openQueued } from './queued-message.ts';
import { holds } from './routing.ts';
import { walkPrefix } from './walk-prefix.ts';

/** The state that a block starts from: that after the block before, or one half of it after a split. */
export interface OpenState {
  /** The state after the block before, whole. */
  readonly root: number;
  readonly state: ShardState;
  readonly totals: ShardStateTotals;
  /** Roots of dictionaries, -1 where they are empty. */
  readonly accounts: number;
  readonly queue: number;
  readonly queueSize: number;
  readonly dispatchQueue: number;
  readonly processed: ProcessedList;
}

/** Opens a state. */
export function openState(arena: BuildingArena, root: number): OpenState {
  const state = readShardState(arena, root);
  const queue = readOutMsgQueueInfo(arena, state.outMsgQueueInfo);
  return {
    root,
    state,
    totals: readShardStateTotals(arena, state.totals),
    accounts: readShardAccounts(arena, state.accounts).root,
    queue: queue.outQueue,
    queueSize: queue.extra?.outQueueSize ?? allMessages(arena, queue.outQueue).length,
    dispatchQueue: queue.extra?.dispatchQueue ?? -1,
    processed: readProcessed(arena, queue.processedInfo, state),
  };
}

/** What one half of a shard takes over from the state before a split. */
export function splitState(arena: BuildingArena, open: OpenState, half: bigint): OpenState {
  const { state, totals } = open;
  if (parentShard(half) !== state.shard) throw new Error('a shard splits into its halves only');
  if (open.dispatchQueue >= 0) throw new Error('a shard with deferred messages does not split');
  const accounts = accountsOf(arena, open.accounts, half);
  const queue = queueOf(arena, open.queue, { workchain: state.workchain, shard: half });
  const isRight = shardHalves(state.shard)[1] === half;
  const fees = (totals.totalValidatorFees.grams + (isRight ? 1n : 0n)) >> 1n;
  const { balance } = new Dictionary(arena, SHARD_ACCOUNTS).extra(accounts) as DepthBalanceInfo;
  return {
    root: open.root,
    state: { ...state, shard: half },
    totals: {
      ...totals,
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance: balance,
      totalValidatorFees: coins(fees),
    },
    accounts,
    queue: queue.root,
    queueSize: queue.size,
    dispatchQueue: -1,
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

function queueOf(
  arena: BuildingArena,
  queue: number,
  half: { workchain: number; shard: bigint },
): { root: number; size: number } {
  const kept = allMessages(arena, queue).filter((entry) => holds(half, openQueued(arena, entry).current));
  const root = new Dictionary(arena, OUT_MSG_QUEUE).build(
    kept.map(({ key, enqueuedLt, envelope }) => [key, { enqueuedLt, envelope }]),
  );
  return { root, size: kept.length };
}
