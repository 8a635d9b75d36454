import type { HeadListener } from './consensus.ts';
import type { LitePool } from './pool.ts';

/** A pool that can start over, for a chain that went back to an earlier block. Public networks never do. */
export interface RenewablePool extends LitePool {
  /** Replaces the pool by a new one that knows nothing of the chain. When opening it fails, the old pool stays. */
  renew(): Promise<void>;
}

/** Opens a pool, and a new one at every renewal; listeners for new blocks stay subscribed. */
export async function createRenewablePool(open: () => Promise<LitePool>): Promise<RenewablePool> {
  /** Each with the function that unsubscribes it from the current pool. */
  const listeners = new Map<HeadListener, () => void>();
  let pool = await open();
  let renewal: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function replace(): Promise<void> {
    if (isClosed) return;
    const old = pool;
    pool = await open();
    for (const [listener, unsubscribe] of listeners) {
      unsubscribe();
      listeners.set(listener, pool.onHead(listener));
    }
    await old.close();
  }

  return {
    get zeroState() {
      return pool.zeroState;
    },
    get head() {
      return pool.head;
    },
    consensusBlock: () => pool.consensusBlock(),
    onHead(listener) {
      listeners.set(listener, pool.onHead(listener));
      return () => {
        listeners.get(listener)?.();
        listeners.delete(listener);
      };
    },
    waitForSeqno: (seqno, options) => pool.waitForSeqno(seqno, options),
    session: (options) => pool.session(options),
    broadcast: (request, count, onSent) => pool.broadcast(request, count, onSent),
    distrust: (server, reason) => pool.distrust(server, reason),
    servers: () => pool.servers(),
    check: () => pool.check(),
    renew() {
      const done = renewal.then(replace);
      renewal = done.catch(() => undefined);
      return done;
    },
    async close() {
      isClosed = true;
      await renewal;
      await pool.close();
    },
  };
}
