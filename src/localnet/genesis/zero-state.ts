import { hash } from 'node:crypto';
import { type BlockId, WHOLE_SHARD } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { BuildingArena } from '../../chain/state/building-arena.ts';
import type { CurrencyCollection } from '../../chain/tlb/currency.ts';
import { NO_CURRENCY } from '../../chain/tlb-write/currency.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { buildOutMsgQueueInfo } from '../../chain/tlb-write/out-msg-queue-info.ts';
import { buildShardAccounts, SHARD_ACCOUNTS } from '../../chain/tlb-write/shard-accounts.ts';
import { buildShardState, buildShardStateTotals } from '../../chain/tlb-write/shard-state.ts';
import { buildGenesisAccounts, type GenesisAccount } from './genesis-accounts.ts';

/** The state that a workchain starts from, named like a block. */
export interface ZeroState {
  readonly id: BlockId;
  /** The bag of cells. */
  readonly bytes: Buffer;
  readonly totalBalance: CurrencyCollection;
}

/** What makes a zero state. */
export interface ZeroStateParts {
  readonly workchain: number;
  readonly globalId: number;
  /** Unix seconds. */
  readonly now: number;
  readonly accounts: readonly GenesisAccount[];
  /** Makes what the state of the masterchain has in addition. */
  readonly buildCustom?: (totalBalance: CurrencyCollection) => number;
}

/** No masterchain block is referred to. */
const NO_SEQNO = 0xffffffff;

/** Makes the zero state of a workchain. */
export function buildZeroState(arena: BuildingArena, parts: ZeroStateParts): ZeroState {
  const { workchain, globalId, now, buildCustom } = parts;
  const accounts = buildGenesisAccounts(arena, parts.accounts);
  const totalBalance = new Dictionary(arena, SHARD_ACCOUNTS).extra(accounts).balance;
  const root = buildShardState(arena, {
    globalId,
    workchain,
    shard: WHOLE_SHARD,
    seqno: 0,
    vertSeqno: 0,
    genUtime: now,
    genLt: 0n,
    minRefMcSeqno: NO_SEQNO,
    outMsgQueueInfo: buildOutMsgQueueInfo(arena, { outQueue: -1, processedInfo: -1, extra: undefined }),
    beforeSplit: false,
    accounts: buildShardAccounts(arena, accounts),
    totals: buildShardStateTotals(arena, {
      overloadHistory: 0n,
      underloadHistory: 0n,
      totalBalance,
      totalValidatorFees: NO_CURRENCY,
      libraries: -1,
      masterRef: undefined,
    }),
    custom: buildCustom?.(totalBalance) ?? -1,
  });
  const bytes = writeBoc({ cells: arena, roots: [root] }, { order: 'tonlib', index: true });
  const rootHash = Buffer.from(arena.hash(root));
  const fileHash = hash('sha256', bytes, 'buffer');
  return { id: { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash }, bytes, totalBalance };
}
