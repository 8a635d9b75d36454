import type { AccountId } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { writeShardAccount } from '../chain/tlb/shard-accounts.ts';
import type { Log } from '../lib/log.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import type { LibrarySource } from '../vm/run-with-libraries.ts';
import type { SharedBoc, VmConfig } from '../vm/shared-inputs.ts';
import { accountAtBlock } from './accounts.ts';
import { latestConfig } from './config.ts';
import { RunLibraries } from './libraries.ts';
import type { LatestConfig } from './memory.ts';
import {
  type LiveCall,
  type LivePorts,
  masterchainBlock,
  openSession,
  type SessionOptions,
} from './session.ts';

/** An account as a block left it. */
interface EmulationAccount {
  /** The ShardAccount as a bag of cells; one with account_none where there is no account. */
  readonly boc: Uint8Array;
  /** The shard of its workchain that holds it. */
  readonly shard: bigint;
}

/** The chain as it is at one masterchain block: all that an emulation starts from. */
export interface EmulationSnapshot {
  readonly mcSeqno: number;
  /** Unix seconds that transactions on top of that block would get. */
  readonly utime: number;
  /** The logical time at which that block ends. */
  readonly lt: bigint;
  readonly config: VmConfig;
  readonly prevBlocks: SharedBoc | undefined;
  /** Throws NoSuchShard for a workchain that does not exist. */
  account(place: AccountId): Promise<EmulationAccount>;
  readonly libraries: LibrarySource;
}

/** How the chain is opened for an emulation. */
export interface SnapshotOptions {
  /** The masterchain block to start from; the newest when left out. */
  readonly seqno?: number | undefined;
  /** The group of lite servers that a caller's plan names. */
  readonly group?: string | undefined;
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the chain for emulations, from lite servers. */
export interface EmulationContext {
  open(options: SnapshotOptions): Promise<EmulationSnapshot>;
}

/** The chain for emulations, read by the same means as for v2. */
export function createEmulationContext(ports: LivePorts, log: Log): EmulationContext {
  // As long as an account is remembered, so is what an emulation needs of it.
  const written = new WeakMap<ProvenAccount, Buffer>();

  function write(proven: ProvenAccount): Buffer {
    const known = written.get(proven);
    if (known !== undefined) return known;
    const boc = writeShardAccount(proven);
    written.set(proven, boc);
    return boc;
  }

  async function open({ seqno, group, budgetMs, signal }: SnapshotOptions): Promise<EmulationSnapshot> {
    const moment = await openChainSnapshot(
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
    const { vm: config, prevBlocks, genUtime, genLt } = await moment.config();
    return {
      mcSeqno: moment.block.seqno,
      lt: genLt,
      config,
      prevBlocks,
      libraries: moment.libraries,
      // On top of the newest block the next one is made now; after an older one it was made long ago.
      utime: seqno === undefined ? Math.max(genUtime, Math.floor(ports.clock())) : genUtime,
      account: async (place) => {
        const proven = await moment.account(place);
        return { boc: write(proven), shard: proven.shardBlock.shard };
      },
    };
  }

  return { open };
}

/** The chain at one masterchain block: all that messages can be run with. */
export interface ChainSnapshot {
  readonly block: BlockId;
  account(account: AccountId): Promise<ProvenAccount>;
  config(): Promise<LatestConfig>;
  /** Those of the newest block, also for an older one: a library is its hash. */
  readonly libraries: LibrarySource;
}

/** Opens the chain at the newest masterchain block, or at the one of a seqno. */
export async function openChainSnapshot(call: LiveCall, wish: SessionOptions = {}): Promise<ChainSnapshot> {
  const session = await openSession(call, wish);
  const block = await session.run((target) => masterchainBlock(target, wish.seqno, call.ports.check));
  return {
    block,
    account: (account) => session.run((target) => accountAtBlock(call, target, block, account)),
    config: () => session.run(({ query }) => latestConfig(call, { query, reference: block })),
    libraries: new RunLibraries(call, {
      query: (request, options) => session.run(({ query }) => query(request, options)),
    }),
  };
}
