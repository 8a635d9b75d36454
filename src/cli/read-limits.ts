import { availableParallelism } from 'node:os';
import { maxOffsetOfPlan } from '../access/plans.ts';
import type { Settings } from '../config/settings.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { V3InterfaceOptions } from '../v3/interface.ts';
import { LARGE_RESPONSES } from '../v3/read-index.ts';
import { type Place, partOf } from '../workers/place.ts';

type ReadLimits = Required<Pick<V3InterfaceOptions, 'reads' | 'maxOffsetOf'>>;

/** Connections that are left to look-ups of keys, to streams and to writes, whatever is read. */
const SPARE_CONNECTIONS = 2;
/** Of slow reads, by default: each takes a processor of PostgreSQL. */
const MAX_SLOW_READS = 4;

/** How much callers of v3 may read, and how much of that at the same time. */
export function readLimitsOf(
  settings: Settings,
  metrics: Pick<Metrics, 'refused' | 'slowRead' | 'observeWaitingReads'>,
  place?: Place | undefined,
): ReadLimits {
  const { rateLimit, readMsPerRps, slowReads, anonymousMaxOffset } = settings;
  const servers = Math.max(1, settings.databaseReplicaUrls.length);
  const connections = settings.databasePoolSize * servers - SPARE_CONNECTIONS;
  const usual = Math.floor(Math.min(MAX_SLOW_READS, availableParallelism() / 2, connections / 3));
  const anonymous = anonymousMaxOffset === 'off' ? undefined : anonymousMaxOffset;
  return {
    reads: {
      msPerRps: rateLimit && readMsPerRps !== 'off' ? readMsPerRps : undefined,
      share: place?.budget('reads'),
      connections,
      slowReads: partOf(slowReads === 'auto' ? usual : Math.min(slowReads, connections - 1), place),
      ...(place && { largeResponses: partOf(LARGE_RESPONSES, place) }),
      onRefused: () => metrics.refused('read_time'),
      onSlow: metrics.slowRead,
      observeWaiting: metrics.observeWaitingReads,
    },
    maxOffsetOf(plan) {
      if (!rateLimit) return undefined;
      return plan === null ? anonymous : maxOffsetOfPlan(plan);
    },
  };
}
