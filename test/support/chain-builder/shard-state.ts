import { type Builder, beginCell, type Cell, Dictionary } from '@ton/core';
import type { BuiltAccount } from './accounts.ts';
import { DEPTH_AND_BALANCE, LOWEST_LT, storeAmount } from './amounts.ts';
import { storeAugmentedE } from './augmented-dictionary.ts';
import { type BlockRef, storeBlockRef, storeShardIdent } from './block-names.ts';
import { type MasterchainStateParts, masterchainStateExtra } from './masterchain-state.ts';

/** The network that all built blocks and states belong to. */
export const GLOBAL_ID = -3;

/** What a shard state is made from. */
export interface ShardStateParts {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly utime: number;
  readonly lt: bigint;
  readonly accounts?: readonly BuiltAccount[];
  /** Public libraries with their publishers; the masterchain alone has them. */
  readonly libraries?: readonly Cell[];
  /** Left out: a state from before states knew the size of their queue. */
  readonly queueSize?: bigint | undefined;
  readonly masterRef?: BlockRef | undefined;
  readonly masterchain?: MasterchainStateParts;
}

/** Makes a ShardStateUnsplit. Its references: out-queue, accounts, a group with the libraries, masterchain extra. */
export function buildShardState(parts: ShardStateParts): Cell {
  const { accounts = [], libraries = [] } = parts;
  const balance = accounts.reduce((sum, account) => sum + account.balance, 0n);
  const state = beginCell().storeUint(0x9023afe2, 32).storeInt(GLOBAL_ID, 32);
  storeShardIdent(state, parts.workchain, parts.shard)
    .storeUint(parts.seqno, 32)
    .storeUint(0, 32)
    .storeUint(parts.utime, 32)
    .storeUint(parts.lt, 64)
    .storeUint(0, 32)
    .storeRef(queueInfo(parts.queueSize))
    .storeBit(0)
    .storeRef(shardAccounts(accounts));
  const group = storeAmount(beginCell().storeUint(0, 64).storeUint(0, 64), balance);
  storeAmount(group, 0n).storeDict(libraryDictionary(libraries));
  if (parts.masterRef === undefined) group.storeBit(0);
  else storeBlockRef(group.storeBit(1), parts.masterRef);
  const extra = parts.masterchain && masterchainStateExtra(parts.masterchain);
  return state.storeRef(group).storeMaybeRef(extra).endCell();
}

function shardAccounts(accounts: readonly BuiltAccount[]): Cell {
  const entries = accounts.map((account) => ({
    key: BigInt(`0x${account.id.hash.toString('hex')}`),
    extra: account.balance,
    value: beginCell()
      .storeRef(account.cell)
      .storeBuffer(account.lastTransHash)
      .storeUint(account.lastTransLt, 64),
  }));
  return storeAugmentedE(beginCell(), entries, 256, DEPTH_AND_BALANCE).endCell();
}

/** An empty queue that says it has `size` messages: nobody counts them. */
function queueInfo(size: bigint | undefined): Cell {
  const info = storeAugmentedE(beginCell(), [], 352, LOWEST_LT).storeBit(0);
  if (size === undefined) return info.storeBit(0).endCell();
  info.storeBit(1).storeUint(0, 4);
  return storeAugmentedE(info, [], 256, LOWEST_LT).storeBit(1).storeUint(size, 48).endCell();
}

function libraryDictionary(libraries: readonly Cell[]): Dictionary<Buffer, Cell> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: (library: Cell, builder: Builder) => {
      const publishers = Dictionary.empty(Dictionary.Keys.Buffer(32), TRUE);
      publishers.set(Buffer.alloc(32, 7), true);
      builder.storeUint(0, 2).storeRef(library).storeDictDirect(publishers);
    },
    parse: () => {
      throw new Error('only written');
    },
  });
  for (const library of libraries) dictionary.set(library.hash(), library);
  return dictionary;
}

const TRUE = { serialize() {}, parse: () => true };
