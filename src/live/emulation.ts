import type { AccountId } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { writeShardAccount } from '../chain/tlb/shard-accounts.ts';
import type { Log } from '../lib/log.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import type { LibrarySource } from '../vm/run-with-libraries.ts';
import type { SharedBoc, VmConfig } from '../vm/shared-inputs.ts';
import { readAccountAtBlock } from './accounts.ts';
import type { BlockConfig } from './caches.ts';
import { readBlockConfig } from './config.ts';
import { RunLibraries } from './libraries.ts';
import {
  type LiveCall,
  type LivePorts,
  masterchainBlock,
  openSession,
  type SessionOptions,
} from './session.ts';

/** An account at the block of a snapshot. */
interface EmulationAccount {
  /** The ShardAccount as a bag of cells; with account_none if the account does not exist. */
  readonly boc: Uint8Array;
  /** The shard that holds it. */
  readonly shard: bigint;
}

/** The chain at one masterchain block: everything that an emulation starts from. */
export interface EmulationSnapshot {
  readonly mcSeqno: number;
  /** Unix time of transactions on top of the block. */
  readonly utime: number;
  /** The logical time at which the block ends. */
  readonly lt: bigint;
  readonly config: VmConfig;
  readonly prevBlocks: SharedBoc | undefined;
  /** Throws NoSuchShard for a workchain that does not exist. */
  account(account: AccountId): Promise<EmulationAccount>;
  readonly libraries: LibrarySource;
}

/** Which snapshot to open, and how long that may take. */
export interface SnapshotOptions {
  /** Seqno of the masterchain block; the newest one when left out. */
  readonly seqno?: number | undefined;
  /** Group of lite servers that the caller's plan names; undefined for the shared ones. */
  readonly group?: string | undefined;
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Opens snapshots of the chain for emulations. */
export interface EmulationContext {
  open(options: SnapshotOptions): Promise<EmulationSnapshot>;
}

/** Creates an emulation context that reads from lite servers, with the caches of live. */
export function createEmulationContext(ports: LivePorts, log: Log): EmulationContext {
  // Kept as long as the account itself is cached.
  const shardAccounts = new WeakMap<ProvenAccount, Buffer>();

  function shardAccountOf(proven: ProvenAccount): Buffer {
    const cached = shardAccounts.get(proven);
    if (cached !== undefined) return cached;
    const boc = writeShardAccount(proven);
    shardAccounts.set(proven, boc);
    return boc;
  }

  async function open({ seqno, group, budgetMs, signal }: SnapshotOptions): Promise<EmulationSnapshot> {
    const snapshot = await openChainSnapshot(
      {
        ports,
        log,
        group,
        deadlineMs: performance.now() + budgetMs,
        usedServers: [],
        immutable: false,
        signal: signal ?? new AbortController().signal,
      },
      { seqno },
    );
    const { vm: config, prevBlocks, genUtime, genLt } = await snapshot.config();
    return {
      mcSeqno: snapshot.block.seqno,
      lt: genLt,
      config,
      prevBlocks,
      libraries: snapshot.libraries,
      // The block after the newest one would be made now; the one after an older block was made at that time.
      utime: seqno === undefined ? Math.max(genUtime, Math.floor(ports.clock())) : genUtime,
      account: async (account) => {
        const proven = await snapshot.account(account);
        return { boc: shardAccountOf(proven), shard: proven.shardBlock.shard };
      },
    };
  }

  return { open };
}

/** The chain at one masterchain block, as it was read. */
export interface ChainSnapshot {
  readonly block: BlockId;
  account(account: AccountId): Promise<ProvenAccount>;
  config(): Promise<BlockConfig>;
  /** Those of the newest block, also for an older one: a library never changes under its hash. */
  readonly libraries: LibrarySource;
}

/** Opens the chain at the newest masterchain block, or at the one with a seqno. */
export async function openChainSnapshot(
  call: LiveCall,
  options: SessionOptions = {},
): Promise<ChainSnapshot> {
  const session = await openSession(call, options);
  const block = await session.run((target) => masterchainBlock(target, options.seqno, call.ports.check));
  return {
    block,
    account: (account) => session.run((target) => readAccountAtBlock(call, target, block, account)),
    config: () => session.run(({ query }) => readBlockConfig(call, { query, reference: block })),
    libraries: new RunLibraries(call, {
      query: (request, options) => session.run(({ query }) => query(request, options)),
    }),
  };
}
