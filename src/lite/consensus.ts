import type { BlockId } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import { LiteTimeout } from './errors.ts';
import type { PooledServer } from './pooled-server.ts';

/** Gets every new head; seqnos may be skipped. */
export type HeadListener = (block: BlockId) => void;

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A server that lags more than this gets no queries. */
const LIVE_BLOCKS = 3;

/** The newest block of the servers of the pool, and which servers are near it. The block never goes back. */
export class Consensus {
  readonly #servers: readonly PooledServer[];
  readonly #log: Log;
  readonly #listeners = new Set<HeadListener>();
  readonly #waiters = new Set<() => void>();
  #block: BlockId | undefined;

  constructor(servers: readonly PooledServer[], log: Log) {
    this.#servers = servers;
    this.#log = log;
  }

  /** The newest block of any server; undefined before the first. */
  get block(): BlockId | undefined {
    return this.#block;
  }

  live(): PooledServer[] {
    return this.#servers.filter((server) => this.isLive(server));
  }

  isLive(server: PooledServer): boolean {
    return server.condition === 'ok' && this.lagOf(server) <= LIVE_BLOCKS;
  }

  lagOf(server: PooledServer): number {
    return (this.#block?.seqno ?? server.seqno) - server.seqno;
  }

  /** Recomputes the newest block after a server has changed. */
  update(): void {
    const before = this.#block;
    for (const { condition, head } of this.#servers)
      if (condition === 'ok' && head !== undefined && head.block.seqno > (this.#block?.seqno ?? -1))
        this.#block = head.block;
    if (this.#block !== undefined && this.#block !== before) this.#notify(this.#block);
    for (const check of [...this.#waiters]) check();
  }

  /** Returns a function that unsubscribes. */
  onHead(listener: HeadListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits for a block with at least this seqno; throws LiteTimeout or the reason of the signal. */
  waitForSeqno(seqno: number, options: WaitOptions): Promise<BlockId> {
    return this.#until(() => ((this.#block?.seqno ?? -1) >= seqno ? this.#block : undefined), options);
  }

  /** Waits for a live server; throws LiteTimeout or the reason of the signal. */
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
        this.#waiters.delete(check);
      };
      const fail = (reason: unknown): void => {
        stop();
        reject(reason);
      };
      const onAbort = (): void => fail(signal?.reason);
      const check = (): void => {
        const result = find();
        if (result === undefined) return;
        stop();
        resolve(result);
      };
      const timer = setTimeout(() => fail(new LiteTimeout()), timeoutMs);
      signal?.addEventListener('abort', onAbort);
      this.#waiters.add(check);
      if (signal?.aborted) onAbort();
      else check();
    });
  }

  #notify(block: BlockId): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(block);
      } catch (error) {
        this.#log.error({ err: error, seqno: block.seqno }, 'Listener for new blocks failed');
      }
    }
  }
}
