import type { BlockId } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import { LiteTimeout } from './errors.ts';
import type { PooledServer } from './pooled-server.ts';

/** Hears of every new consensus block; numbers may be skipped. */
export type HeadListener = (block: BlockId) => void;

/** How long one waits for something to happen. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A server that is further behind than this is not asked. */
const LIVE_BLOCKS = 3;

/** The newest block that the servers of the pool have, and who is near it. The block never goes back. */
export class Consensus {
  readonly #servers: readonly PooledServer[];
  readonly #log: Log;
  readonly #listeners = new Set<HeadListener>();
  readonly #waiting = new Set<() => void>();
  #block: BlockId | undefined;

  constructor(servers: readonly PooledServer[], log: Log) {
    this.#servers = servers;
    this.#log = log;
  }

  /** The newest block that any server has had; undefined before the first. */
  get block(): BlockId | undefined {
    return this.#block;
  }

  /** The servers that may be asked. */
  live(): PooledServer[] {
    return this.#servers.filter((server) => this.isLive(server));
  }

  isLive(server: PooledServer): boolean {
    return server.condition === 'ok' && this.lagOf(server) <= LIVE_BLOCKS;
  }

  /** How many blocks a server is behind. */
  lagOf(server: PooledServer): number {
    return (this.#block?.seqno ?? server.seqno) - server.seqno;
  }

  /** Looks at the servers again after one has changed. */
  update(): void {
    const before = this.#block;
    for (const { condition, head } of this.#servers)
      if (condition === 'ok' && head !== undefined && head.block.seqno > (this.#block?.seqno ?? -1))
        this.#block = head.block;
    if (this.#block !== undefined && this.#block !== before) this.#tellAll(this.#block);
    for (const look of [...this.#waiting]) look();
  }

  /** Returns what ends the listening. */
  onHead(listener: HeadListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The consensus block once its number is at least `seqno`; throws LiteTimeout or the reason of the signal. */
  waitForSeqno(seqno: number, options: WaitOptions): Promise<BlockId> {
    return this.#until(() => ((this.#block?.seqno ?? -1) >= seqno ? this.#block : undefined), options);
  }

  /** The live servers once there is one; throws LiteTimeout or the reason of the signal. */
  waitForLive(options: WaitOptions): Promise<PooledServer[]> {
    return this.#until(() => {
      const live = this.live();
      return live.length > 0 ? live : undefined;
    }, options);
  }

  #until<T>(find: () => T | undefined, { timeoutMs, signal }: WaitOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(look);
      };
      const fail = (reason: unknown): void => {
        stop();
        reject(reason);
      };
      const onAbort = (): void => fail(signal?.reason);
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => fail(new LiteTimeout()), timeoutMs);
      signal?.addEventListener('abort', onAbort);
      this.#waiting.add(look);
      if (signal?.aborted) onAbort();
      else look();
    });
  }

  #tellAll(block: BlockId): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(block);
      } catch (error) {
        this.#log.error({ err: error, seqno: block.seqno }, 'a listener for new blocks failed');
      }
    }
  }
}
