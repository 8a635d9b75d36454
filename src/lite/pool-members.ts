import type { BlockId } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import { StartError } from '../lib/start-error.ts';
import { Consensus } from './consensus.ts';
import { distrust } from './distrust.ts';
import { LiteNetworkError } from './errors.ts';
import type { LiteServerAddress } from './global-config.ts';
import type { PoolMetrics } from './pool-metrics.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';
import { QueryGate } from './query-gate.ts';
import { type Connect, type ProveHead, startServer } from './start-server.ts';

interface MembersOptions {
  readonly addresses: readonly LiteServerAddress[];
  readonly zeroState: BlockId;
  readonly connect: Connect;
  readonly proveHead: ProveHead | undefined;
  readonly log: Log;
  readonly metrics: PoolMetrics;
  readonly maxInFlight: number;
  readonly timing: PoolTiming;
  readonly now: () => number;
  readonly random: () => number;
}

/** The servers of a pool, each followed, and what they agree on. */
export interface PoolMembers {
  readonly servers: readonly PooledServer[];
  readonly consensus: Consensus;
  /** Comes when the pool is closed. */
  readonly ended: AbortSignal;
  distrust(server: PooledServer, reason: string): void;
  close(): Promise<void>;
}

/** Servers whose heads are proven at a time before the first proof has succeeded. */
const FIRST_PROOFS = 2;
const FIRST_PROOF_MS = 600_000;

/** Connects to all servers and follows them until the close. Throws StartError when one of them cannot exist. */
export function startMembers(options: MembersOptions): PoolMembers {
  const { addresses, proveHead, log } = options;
  const end = new AbortController();
  const servers: PooledServer[] = [];
  const tasks: Promise<void>[] = [];
  const consensus = new Consensus(servers, log);
  const firstProofs = new QueryGate(FIRST_PROOFS);

  /** The first proof may lead through years of key blocks; it would be too much to go that way with all servers. */
  const prove: ProveHead = async (server, block) => {
    if (proveHead === undefined || consensus.block !== undefined) return proveHead?.(server, block);
    await firstProofs.enter(FIRST_PROOF_MS, end.signal);
    try {
      await proveHead(server, block);
    } finally {
      firstProofs.leave();
    }
  };

  function loseTrust(server: PooledServer, reason: string): void {
    distrust(server, reason, options);
    consensus.update();
  }

  async function close(): Promise<void> {
    end.abort(new LiteNetworkError('Cancelled'));
    for (const { connection } of servers) connection.close();
    await Promise.all(tasks);
    for (const server of servers) server.condition = 'down';
  }

  for (const address of addresses) {
    try {
      const { server, done } = startServer({
        ...options,
        ...{ address, prove, signal: end.signal, distrust: loseTrust, onChange: () => consensus.update() },
      });
      servers.push(server);
      tasks.push(done);
    } catch (error) {
      void close();
      const name = `${address.host}:${address.port}`;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`Lite server ${name} of the global config cannot be used: ${reason}`, {
        cause: error,
      });
    }
  }
  return { servers, consensus, ended: end.signal, distrust: loseTrust, close };
}
