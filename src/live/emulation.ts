import type { AccountId } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { writeShardAccount } from '../chain/tlb/shard-accounts.ts';
import type { Log } from '../lib/log.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import type { LibrarySource } from '../vm/run-with-libraries.ts';
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

/** The chain at one masterchain block: everything that an emulation or a fee estimate starts from. */
export interface ChainSnapshot {
  readonly block: BlockId;
  /** Throws NoSuchShard for a workchain that does not exist. */
  account(account: AccountId): Promise<ProvenAccount>;
  config(): Promise<SnapshotConfig>;
  /** Those of the newest block, also for an older one: a library never changes under its hash. */
  readonly libraries: LibrarySource;
}

/** The config of a snapshot; `genLt` is the logical time at which its block ends. */
export interface SnapshotConfig extends BlockConfig {
  /** Unix time of transactions on top of the block. */
  readonly utime: number;
}

/** Opens the chain at the newest masterchain block, or at the one with a seqno. */
export async function openChainSnapshot(
  call: LiveCall,
  options: SessionOptions = {},
): Promise<ChainSnapshot> {
  const { seqno } = options;
  const { ports } = call;
  const session = await openSession(call, options);
  const block = await session.run((target) => masterchainBlock(target, seqno, ports.check));
  return {
    block,
    account: (account) => session.run((target) => readAccountAtBlock(call, target, block, account)),
    async config() {
      const config = await session.run(({ query }) => readBlockConfig(call, { query, reference: block }));
      const { genUtime } = config;
      // The block after the newest one would be made now; the one after an older block was made at that time.
      const utime = seqno === undefined ? Math.max(genUtime, Math.floor(ports.clock())) : genUtime;
      return { ...config, utime };
    },
    libraries: new RunLibraries(call, {
      query: (request, options) => session.run(({ query }) => query(request, options)),
    }),
  };
}

/** Kept as long as the account itself is cached. */
const shardAccounts = new WeakMap<ProvenAccount, Buffer>();

/** The ShardAccount as a bag of cells; with account_none if the account does not exist. */
export function shardAccountBoc(proven: ProvenAccount): Buffer {
  const cached = shardAccounts.get(proven);
  if (cached !== undefined) return cached;
  const boc = writeShardAccount(proven);
  shardAccounts.set(proven, boc);
  return boc;
}

/** Which snapshot to open, the newest one if `seqno` is left out, and how long that may take. */
export interface SnapshotOptions {
  readonly seqno?: number | undefined;
  readonly group?: LiveCall['group'];
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Opens snapshots of the chain for emulations. */
export interface EmulationContext {
  open(options: SnapshotOptions): Promise<ChainSnapshot>;
}

/** Creates an emulation context that reads from lite servers, with the caches of live. */
export function createEmulationContext(ports: LivePorts, log: Log): EmulationContext {
  return {
    open: ({ seqno, group, budgetMs, signal = new AbortController().signal }) => {
      const deadlineMs = performance.now() + budgetMs;
      const call = { ports, log, group, deadlineMs, usedServers: [], immutable: false, vmMs: 0, signal };
      return openChainSnapshot(call, { seqno });
    },
  };
}
