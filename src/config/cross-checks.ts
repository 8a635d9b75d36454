import type { SettingName, Settings } from './settings.ts';

/** A rule between settings; it is asked only when each of the named settings could be read. */
interface CrossCheck {
  readonly names: readonly SettingName[];
  readonly fault: (settings: Settings) => string | undefined;
}

/** What the settings must fulfil together. */
export const crossChecks: readonly CrossCheck[] = [
  {
    names: ['NETWORK', 'TON_CONFIG'],
    fault: ({ network, tonConfig }) =>
      network === 'custom' && tonConfig === undefined
        ? 'TON_CONFIG is not set: expected the path or URL of a global config, because NETWORK is custom'
        : undefined,
  },
  {
    names: ['PORT', 'METRICS_PORT'],
    fault: ({ port, metricsPort }) =>
      metricsPort !== 0 && metricsPort === port
        ? `METRICS_PORT is "${metricsPort}": expected a port other than PORT`
        : undefined,
  },
  {
    names: ['DEFAULT_LIMIT', 'MAX_LIMIT'],
    fault: ({ defaultLimit, maxLimit }) =>
      defaultLimit > maxLimit
        ? `DEFAULT_LIMIT is "${defaultLimit}": expected at most MAX_LIMIT, which is ${maxLimit}`
        : undefined,
  },
  {
    names: ['IMGPROXY_KEY', 'IMGPROXY_SALT'],
    fault: ({ imgproxyKey, imgproxySalt }) =>
      (imgproxyKey === undefined) !== (imgproxySalt === undefined)
        ? `${imgproxyKey === undefined ? 'IMGPROXY_KEY' : 'IMGPROXY_SALT'} is not set: expected both or none of IMGPROXY_KEY and IMGPROXY_SALT`
        : undefined,
  },
  {
    names: ['DATABASE_URL', 'DATABASE_REPLICA_URLS'],
    // The embedded database has no replicas; reads from another database would answer something else.
    fault: ({ databaseUrl, databaseReplicaUrls }) =>
      databaseReplicaUrls.length > 0 && databaseUrl === undefined
        ? 'DATABASE_URL is not set: expected the database of which DATABASE_REPLICA_URLS are replicas'
        : undefined,
  },
];
