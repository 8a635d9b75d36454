import type { GlobalConfig } from '../lite/global-config.ts';
import type { LitePool } from '../lite/pool.ts';
import type { PoolMetrics } from '../lite/pool-metrics.ts';
import type { LiteGroupFigures, LiteMetrics } from '../observe/lite-metrics.ts';

/** The pool knows servers by their addresses; figures, which the public may see, by their positions in the config. */
export function poolMetrics(metrics: LiteMetrics, group: string, { liteServers }: GlobalConfig): PoolMetrics {
  const counts = metrics.countsOf(group);
  const positions = new Map(liteServers.map(({ host, port, index }) => [`${host}:${port}`, index]));
  return {
    queryDone: counts.queryDone,
    serverFailed: (server, fault) => counts.serverFailed(positions.get(server) ?? -1, fault),
  };
}

/** The state of a group for figures and for `/status`. */
export function groupFigures(group: string, pool: LitePool, unixSeconds: number): LiteGroupFigures {
  const servers = pool.servers();
  const headSeqno = pool.head?.seqno;
  const utime = servers.find((server) => server.seqno === headSeqno && server.utime !== undefined)?.utime;
  const headAgeSeconds = utime === undefined ? undefined : Math.max(0, unixSeconds - utime);
  return { group, headSeqno, headAgeSeconds, servers };
}
