import type { HeadListener } from './consensus.ts';
import type { LitePool } from './pool.ts';

/** A pool that can begin anew, for a chain that went back to an earlier block. Public networks never do. */
export interface RenewablePool extends LitePool {
  /** Forgets all that is known of the chain and connects again. Throws what the opening throws; the old pool stays then. */
  renew(): Promise<void>;
}

/** Opens a pool, and another one in its place at every renewal; listeners for new blocks stay. */
export async function createRenewablePool(open: () => Promise<LitePool>): Promise<RenewablePool> {
  /** Each with what ends its listening to the present pool. */
  const listeners = new Map<HeadListener, () => void>();
  let pool = await open();
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  async function replace(): Promise<void> {
    if (isClosed) return;
    const old = pool;
    pool = await open();
    for (const [listener, unlisten] of listeners) {
      unlisten();
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
    broadcast: (request, count, onAsked) => pool.broadcast(request, count, onAsked),
    distrust: (server, reason) => pool.distrust(server, reason),
    servers: () => pool.servers(),
    check: () => pool.check(),
    renew() {
      const done = turn.then(replace);
      turn = done.catch(() => undefined);
      return done;
    },
    async close() {
      isClosed = true;
      await turn;
      await pool.close();
    },
  };
}
