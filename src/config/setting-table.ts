import {
  choice,
  duration,
  either,
  hexBytes,
  host,
  integer,
  type Kind,
  list,
  namedSources,
  onOff,
  path,
  pathPrefix,
  shortDuration,
  trustProxy,
  url,
} from './kinds.ts';

const MAX_SEQNO = 2 ** 32 - 1;

const MAX_SECRET_BYTES = 256;

/** Index, get-methods and token metadata. */
const indexSettings = {
  INDEX: {
    group: 'Index and get-methods',
    kind: onOff,
    default: 'on',
    description:
      'Whether `start` runs the indexer. With `off`, run `index` processes instead. `serve` never indexes.',
  },
  INDEX_FROM: {
    group: 'Index and get-methods',
    kind: either(choice('now', 'genesis'), integer(1, MAX_SEQNO)),
    default: {
      from: (textOf) => (['mainnet', 'testnet'].includes(textOf('NETWORK') ?? '') ? 'now' : 'genesis'),
      shown: '`now` on mainnet and testnet, `genesis` on localnet and custom',
    },
    description:
      'First masterchain seqno of the index: a seqno, the current head, or the first block. An earlier value extends an existing index; a later one does not shorten it.',
  },
  INDEX_KEEP: {
    group: 'Index and get-methods',
    kind: either(choice('all'), duration),
    default: 'all',
    description:
      'How much history the index keeps, for example `30d`. Whole partitions are dropped, so it keeps slightly more.',
  },
  INDEX_LANES: {
    group: 'Index and get-methods',
    kind: integer(0, 64),
    default: '2',
    description:
      'History chunks that this process backfills in parallel, in addition to new blocks; `0` only follows new blocks.',
  },
  INDEX_THREADS: {
    group: 'Index and get-methods',
    kind: either(choice('auto'), integer(1, 256)),
    default: 'auto',
    description:
      'Indexer threads for decoding blocks, and as many for get-methods that detect contract interfaces; `auto` is the number of CPUs minus one, from 1 to 4.',
  },
  V3_LIVE: {
    group: 'Index and get-methods',
    kind: onOff,
    default: 'on',
    description:
      'Whether v3 reads accounts that are not indexed yet from a lite server. Such responses have the header `X-Tongate-Source: lite-server`.',
  },
  GET_METHODS: {
    group: 'Index and get-methods',
    kind: choice('local', 'remote'),
    default: 'local',
    description:
      'Where get-methods run: in this process, or on the lite server, which has the newest TVM version but a lower gas limit.',
  },
  VM_THREADS: {
    group: 'Index and get-methods',
    kind: either(choice('auto'), integer(1, 256)),
    default: 'auto',
    description:
      'Maximum number of threads for get-methods, about 100 MB each; `auto` is the number of CPUs minus one, from 1 to 8.',
  },

  METADATA: {
    group: 'Token metadata',
    kind: onOff,
    default: {
      from: (textOf) => (['mainnet', 'testnet'].includes(textOf('NETWORK') ?? '') ? 'on' : 'off'),
      shown: '`on` on mainnet and testnet, `off` on localnet and custom',
    },
    description:
      'Whether indexing processes also fetch off-chain token metadata: names, descriptions, images. On-chain metadata is always available.',
  },
  METADATA_CONCURRENCY: {
    group: 'Token metadata',
    kind: integer(1, 256),
    default: '16',
    description: 'Concurrent metadata fetches per process.',
  },
  METADATA_IPFS_GATEWAY: {
    group: 'Token metadata',
    kind: list(url('http', 'https'), 'URLs that start with `http://` or `https://`, separated by commas'),
    default: 'https://ipfs.io/ipfs/',
    description:
      'URL prefixes for IPFS files; the next one is tried where one fails. They may point into a private network; metadata is never fetched from other private addresses.',
  },
  METADATA_STORAGE_GATEWAY: {
    group: 'Token metadata',
    kind: url('http', 'https'),
    description: 'URL prefix for TON Storage bags. If unset, metadata in TON Storage is not fetched.',
  },
  IMGPROXY_URL: {
    group: 'Token metadata',
    kind: url('http', 'https'),
    description:
      'Public URL of an imgproxy server. If set, token images are also available in three sizes, except those at private addresses. It should not reach private networks itself (`IMGPROXY_ALLOW_PRIVATE_SOURCE_ADDRESSES=false`), since a public name may lead there.',
  },
  IMGPROXY_KEY: {
    group: 'Token metadata',
    kind: hexBytes(MAX_SECRET_BYTES),
    secret: true,
    description: 'Key for signing imgproxy paths; if unset, they are not signed.',
  },
  IMGPROXY_SALT: {
    group: 'Token metadata',
    kind: hexBytes(MAX_SECRET_BYTES),
    secret: true,
    description: 'Salt for signing imgproxy paths, together with `IMGPROXY_KEY`.',
  },
} as const satisfies Record<string, Setting>;

/** Pending messages and emulation. */
const pendingSettings = {
  PENDING: {
    group: 'Pending messages and emulation',
    kind: onOff,
    default: 'on',
    description: 'Whether sent messages are emulated and available as pending traces.',
  },
  PENDING_LIMIT: {
    group: 'Pending messages and emulation',
    kind: integer(1, 1_000_000),
    default: '10000',
    description:
      'Maximum number of pending messages in this process; the oldest are evicted. A thousand take about 20 MB.',
  },
  PENDING_PER_RPS: {
    group: 'Pending messages and emulation',
    kind: integer(1, 10_000),
    default: '20',
    description:
      'Maximum number of pending messages per caller, for each request per second of its rate limit. Further messages are sent but not followed.',
  },
  PENDING_FEED_URL: {
    group: 'Pending messages and emulation',
    kind: url('http', 'https'),
    secret: true,
    description:
      'Stream of external messages sent elsewhere: one base64 bag of cells per line, or server-sent events.',
  },
  EMULATION_THREADS: {
    group: 'Pending messages and emulation',
    kind: either(choice('auto'), integer(1, 64)),
    default: 'auto',
    description:
      'Threads for message emulation, separate from those for get-methods; `auto` is a quarter of the CPUs, from 1 to 4. Each takes about 100 MB once it is used.',
  },
  EMULATION_MS_PER_RPS: {
    group: 'Pending messages and emulation',
    kind: integer(1, 10_000),
    default: '50',
    description:
      'Emulation time in milliseconds per second that a caller may use, for each request per second of its rate limit.',
  },
} as const satisfies Record<string, Setting>;

const database = url('postgres', 'postgresql');

const SHARD_COUNTS = [1, 2, 4, 8, 16] as const;
const shardCount: Kind<(typeof SHARD_COUNTS)[number]> = {
  expected: choice('1', '2', '4', '8', '16').expected,
  read: (text) => SHARD_COUNTS.find((count) => String(count) === text),
};

/** All settings by the names of their environment variables. */
export const settingTable = {
  NETWORK: {
    group: 'Network',
    kind: choice('localnet', 'mainnet', 'testnet', 'custom'),
    default: 'localnet',
    description: 'Network to serve; `localnet` is a local chain run by tongate itself.',
  },
  TON_CONFIG: {
    group: 'Network',
    kind: either(url('http', 'https'), path),
    description:
      'Global config of the network: lite servers and the trusted block. Required if `NETWORK` is `custom`. For mainnet and testnet the published config is downloaded, and the last good copy is kept in `DATA_DIR`. On localnet, `start` uses its own chain, and `serve` the chain in `DATA_DIR` unless this is set.',
  },
  LITE_VERIFY: {
    group: 'Network',
    kind: onOff,
    default: 'on',
    description:
      'Whether responses of lite servers are verified by their proofs, starting from the trusted block of the global config.',
  },
  LITE_GROUPS: {
    group: 'Network',
    kind: namedSources,
    default: '',
    description:
      'Lite servers for the keys of a plan, as plan name and global config, for example `pro=/etc/tongate/pro.json`. All other requests use the lite servers of `TON_CONFIG`. Write `%2C` for a comma in a URL.',
  },
  HEAD_MAX_AGE: {
    group: 'Network',
    kind: either(choice('off'), shortDuration),
    default: {
      from: (textOf) => (textOf('NETWORK') === 'localnet' ? 'off' : '60s'),
      shown: '`60s`, and `off` on localnet',
    },
    description:
      'How old the newest masterchain block may be, and how far the index may be behind it, before `/readyz` warns. If the lite servers of a process are further than this behind the index, its `/readyz` returns 503.',
  },

  LOCALNET_BLOCK_MS: {
    group: 'Localnet',
    kind: integer(10, 3_600_000),
    default: '1000',
    description: 'Block interval of the local chain in milliseconds.',
  },
  LOCALNET_MINE: {
    group: 'Localnet',
    kind: choice('interval', 'message'),
    default: 'interval',
    description:
      'When the local chain makes blocks: at a fixed interval, or immediately on each message until its trace is complete.',
  },
  LOCALNET_SHARDS: {
    group: 'Localnet',
    kind: shardCount,
    default: '1',
    description:
      'Number of basechain shards of a new local chain; an existing chain keeps its number until `localnet --reset`.',
  },
  LOCALNET_DEMO: {
    group: 'Localnet',
    kind: onOff,
    default: 'on',
    description: 'Whether a new local chain starts with demo wallets, tokens and transfers.',
  },
  LOCALNET_LITE_HOST: {
    group: 'Localnet',
    kind: host,
    default: '127.0.0.1',
    description: 'Listen address of the lite server of the local chain.',
  },
  LOCALNET_LITE_PORT: {
    group: 'Localnet',
    kind: integer(0, 65535),
    default: '0',
    description:
      'Port of the lite server of the local chain; `0` picks a free port and reuses it if possible. It is written to `localnet/global.config.json` in `DATA_DIR`.',
  },
  LOCALNET_CONTROL: {
    group: 'Localnet',
    kind: choice('loopback', 'all'),
    default: 'loopback',
    description:
      'Who may use the faucet, clock and snapshots under `/localnet/`: callers on this machine, or everyone.',
  },

  HOST: {
    group: 'Server',
    kind: host,
    default: '127.0.0.1',
    description: 'Address to listen on; `0.0.0.0` or `::` for all interfaces.',
  },
  PORT: {
    group: 'Server',
    kind: integer(0, 65535),
    default: '8081',
    description: 'Port to listen on; `0` picks a free port.',
  },
  PATH_PREFIX: {
    group: 'Server',
    kind: pathPrefix,
    default: '',
    description: 'Path prefix of a reverse proxy; it is stripped before routing.',
  },
  TRUST_PROXY: {
    group: 'Server',
    kind: trustProxy,
    default: 'off',
    description:
      'Which proxies are trusted to set `X-Forwarded-For`: none, all (`on`; only if clients cannot reach the port directly), a number of hops, or the listed addresses and ranges.',
  },
  CORS: {
    group: 'Server',
    kind: onOff,
    default: 'on',
    description: 'Whether web pages of other origins may call the server (CORS).',
  },
  COMPRESS: {
    group: 'Server',
    kind: onOff,
    default: 'on',
    description: 'Whether responses are compressed for clients that accept it.',
  },
  MAX_CONNECTIONS: {
    group: 'Server',
    kind: either(choice('auto'), integer(16, 1_000_000)),
    default: 'auto',
    description:
      'How many connections callers may have at the same time; `auto` is what the limit on open files allows, up to 20000. Without `TRUST_PROXY`, one address may have a quarter of them.',
  },
  RECEIVE_TIMEOUT_MS: {
    group: 'Server',
    kind: integer(1000, 600_000),
    default: '30000',
    description: 'Timeout in milliseconds for receiving a whole request.',
  },
  DRAIN_MS: {
    group: 'Server',
    kind: integer(0, 600_000),
    default: {
      from: (textOf) => (textOf('NETWORK') === 'localnet' ? '0' : '5000'),
      shown: '`5000`, and `0` on localnet',
    },
    description:
      'How long a server goes on serving after SIGTERM, in milliseconds, while `/readyz` returns 503, so that load balancers stop sending before it closes. A second signal ends the process at once; other signals do not drain.',
  },
  STOP_TIMEOUT_MS: {
    group: 'Server',
    kind: integer(0, 60_000),
    default: '10000',
    description:
      'Timeout in milliseconds for a graceful shutdown, after `DRAIN_MS`; after it the process exits anyway.',
  },

  DATA_DIR: {
    group: 'Storage',
    kind: path,
    default: 'data',
    description:
      'Directory for local data such as the embedded PostgreSQL; relative to the working directory. It belongs to one network.',
  },
  DATABASE_URL: {
    group: 'Storage',
    kind: database,
    secret: true,
    description: 'PostgreSQL database; if unset, an embedded PostgreSQL runs in `DATA_DIR`.',
  },
  DATABASE_REPLICA_URLS: {
    group: 'Storage',
    kind: list(database, 'URLs that start with `postgres://` or `postgresql://`, separated by commas'),
    default: '',
    secret: true,
    description: 'Streaming replicas of `DATABASE_URL` for reads. Write `%2C` for a comma in a URL.',
  },
  DATABASE_REPLICA_MAX_LAG: {
    group: 'Storage',
    kind: shortDuration,
    default: '5s',
    description:
      'Maximum lag of a replica; a replica that is further behind is not used until it has caught up.',
  },
  DATABASE_KEEP_PLANS: {
    group: 'Storage',
    kind: onOff,
    default: 'on',
    description:
      'Whether prepared statements are used for frequent queries; set `off` for connection poolers without support for them.',
  },
  DATABASE_POOL_SIZE: {
    group: 'Storage',
    kind: integer(1, 500),
    default: '10',
    description: 'Maximum number of connections of this process to each database.',
  },
  REDIS_URL: {
    group: 'Storage',
    kind: url('redis', 'rediss'),
    secret: true,
    description:
      'Redis for rate limits and pending messages shared between processes; if unset, each process has its own.',
  },

  RATE_LIMIT: {
    group: 'Access',
    kind: onOff,
    default: 'on',
    description: 'Whether rate limits apply; with `off`, all requests are unlimited.',
  },
  ANONYMOUS_RPS: {
    group: 'Access',
    kind: integer(1, 1_000_000),
    default: '1',
    description: 'Rate limit in requests per second for each IP address without an API key.',
  },

  REQUEST_TIMEOUT_MS: {
    group: 'Requests and load',
    kind: integer(100, 600_000),
    default: '10000',
    description: 'Timeout of v2 calls in milliseconds; slower calls get a 504 response.',
  },
  MAX_BATCH: {
    group: 'Requests and load',
    kind: integer(1, 1000),
    default: '100',
    description: 'Maximum number of JSON-RPC calls in one batch.',
  },
  STRICT_PARAMS: {
    group: 'Requests and load',
    kind: onOff,
    default: 'off',
    description:
      'Whether v2 and v3 refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. A caller can ask for it with `X-Strict-Params: true`.',
  },
  DEFAULT_LIMIT: {
    group: 'Requests and load',
    kind: integer(1, 10_000),
    default: '10',
    description: 'Default page size of lists; at most `MAX_LIMIT`.',
  },
  MAX_LIMIT: {
    group: 'Requests and load',
    kind: integer(1, 10_000),
    default: '1000',
    description: 'Maximum page size of lists.',
  },
  SHED_LOOP_DELAY_MS: {
    group: 'Requests and load',
    kind: integer(0, 60_000),
    default: '1000',
    description: 'Event-loop delay in milliseconds above which requests get a 503 response; `0` disables it.',
  },
  SHED_HEAP_PERCENT: {
    group: 'Requests and load',
    kind: either(integer(0, 0), integer(50, 100)),
    default: '95',
    description:
      'Heap usage in percent of its limit above which requests get a 503 response; `0` disables it.',
  },

  ...indexSettings,
  ...pendingSettings,

  LOG_LEVEL: {
    group: 'Logs and metrics',
    kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    description: 'Minimum log level.',
  },
  METRICS_PORT: {
    group: 'Logs and metrics',
    kind: either(choice('off'), integer(0, 65535)),
    default: 'off',
    description: 'Separate port for Prometheus metrics at `/metrics`; `0` picks a free port.',
  },
  METRICS_HOST: {
    group: 'Logs and metrics',
    kind: host,
    default: { from: (textOf) => textOf('HOST'), shown: 'the value of `HOST`' },
    description: 'Listen address of the metrics port.',
  },
} as const satisfies Record<string, Setting>;

/** A default that depends on another setting, and its description in the docs. */
interface ComputedDefault {
  readonly from: (textOf: (name: string) => string | undefined) => string | undefined;
  readonly shown: string;
}

/** A setting. */
export interface Setting {
  readonly group: SettingGroup;
  readonly kind: Kind<unknown>;
  /** Text that is read if the variable is unset; without a default the value is undefined. */
  readonly default?: string | ComputedDefault;
  /** Never shown in an error, and only without credentials in the log. */
  readonly secret?: true;
  readonly description: string;
}

export type SettingGroup = (typeof settingGroups)[number];

/** Headings of the docs page, in order. */
export const settingGroups = [
  'Network',
  'Localnet',
  'Server',
  'Storage',
  'Access',
  'Requests and load',
  'Index and get-methods',
  'Token metadata',
  'Pending messages and emulation',
  'Logs and metrics',
] as const;
