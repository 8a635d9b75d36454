import type { BlockId } from '../../chain/block-id.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { MessageEnd } from './mempool.ts';
import type { MineMode } from './miner.ts';
import type { GenesisOptions } from './record.ts';

/** What can be said about a chain at a moment. */
export interface ChainStatus {
  readonly seqno: number;
  readonly rootHash: string;
  /** Unix seconds of the newest block, and what the chain's clock shows. */
  readonly blockTime: number;
  readonly time: number;
  /** How far the chain's clock is ahead of the machine's. */
  readonly offsetSeconds: number;
  readonly shards: number;
  readonly mine: MineMode;
  readonly blockMs: number;
  readonly waitingMessages: number;
  readonly snapshots: readonly string[];
  /** Why the newest step could not be made, if it could not. */
  readonly fault: string | undefined;
}

/** A chain that runs in this process. */
export interface Localnet {
  /** The chain as others see it; it shows another one after `restore`. */
  readonly store: ChainStore;
  readonly genesis: GenesisOptions;
  /** The chain's clock in unix seconds. */
  now(): number;
  /** Begins to make blocks. */
  start(): void;
  /**
   * Takes an external message. Throws LiteRefusal in the words of a node if it is not good; gives what tells in the
   * end whether it got into a block.
   */
  send(body: Buffer): Promise<{ readonly id: string; readonly end: Promise<MessageEnd> }>;
  /** Makes so many masterchain blocks now; gives the last one. */
  mine(count?: number): Promise<BlockId>;
  /** Makes blocks now until all messages are delivered and all shards are there, but not without end. */
  drain(): Promise<BlockId>;
  /** Makes the next block soon instead of at its time. */
  wake(): void;
  /** Moves the chain's clock forward and makes a block. */
  advance(seconds: number): Promise<BlockId>;
  snapshot(name: string): Promise<void>;
  /** Puts the chain back to a snapshot. Messages that wait are forgotten. */
  restore(name: string): Promise<BlockId>;
  status(): ChainStatus;
  /** Finishes the step under way and closes the files. */
  stop(): Promise<void>;
}
