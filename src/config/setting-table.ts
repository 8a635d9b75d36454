import { indexSettings } from './index-settings.ts';
import {
  choice,
  duration,
  either,
  host,
  integer,
  type Kind,
  list,
  namedSources,
  onOff,
  path,
  pathPrefix,
  shortDuration,
  text,
  trustProxy,
  url,
} from './kinds.ts';
import { inGroup } from './setting.ts';
import { streamSettings } from './stream-settings.ts';

const MAX_PASSWORD_LENGTH = 256;

const pendingSettings = inGroup('Pending messages and emulation', {
  PENDING: {
    kind: onOff,
    default: 'on',
    description: 'Whether sent messages are emulated and available as pending traces.',
  },
  PENDING_LIMIT: {
    kind: integer(1, 1_000_000),
    default: '10000',
    description:
      'Maximum number of pending messages in this server; the oldest are evicted. A thousand take about 20 MB.',
  },
  PENDING_PER_RPS: {
    kind: integer(1, 10_000),
    default: '20',
    description:
      'Maximum number of pending messages per caller, for each request per second of its rate limit. Further messages are sent but not followed.',
  },
  PENDING_FEED_URL: {
    kind: url('http', 'https'),
    secret: 'url',
    description:
      'Stream of external messages sent elsewhere: one base64 bag of cells per line, or server-sent events.',
  },
  EMULATION_THREADS: {
    kind: either(choice('auto'), integer(1, 64)),
    default: 'auto',
    description:
      'Threads for message emulation, separate from those for get-methods; `auto` is a quarter of the CPUs, from 1 to 4. Each takes about 100 MB once it is used.',
  },
});

const database = url('postgres', 'postgresql');

const SHARD_COUNTS = [1, 2, 4, 8, 16] as const;
const shardCount: Kind<(typeof SHARD_COUNTS)[number]> = {
  expected: choice('1', '2', '4', '8', '16').expected,
  read: (text) => SHARD_COUNTS.find((count) => String(count) === text),
};

/** They renamed their coin in June 2026. */
const PUBLIC_NETWORKS = ['mainnet', 'testnet'];

const coinName: Kind<string> = {
  expected: '1 to 12 letters and digits',
  read: (text) => (/^[\p{L}\p{N}]{1,12}$/u.test(text) ? text : undefined),
};

/** All settings by the names of their environment variables. */
export const settingTable = {
  ...inGroup('Network', {
    NETWORK: {
      kind: choice('localnet', 'mainnet', 'testnet', 'custom'),
      default: 'localnet',
      description: 'Network to serve; `localnet` is a local chain run by tongate itself.',
    },
    TON_CONFIG: {
      kind: either(url('http', 'https'), path),
      description:
        'Global config of the network: lite servers and the trusted block. Required if `NETWORK` is `custom`. For mainnet and testnet the published config is downloaded by default, and no config of another chain is accepted. The last good copy of a URL is kept in `DATA_DIR`. On localnet, `start` uses its own chain, and `serve` the chain in `DATA_DIR` unless this is set.',
    },
    COIN_NAME: {
      kind: coinName,
      default: {
        from: (textOf) => (PUBLIC_NETWORKS.includes(textOf('NETWORK') ?? '') ? 'GRAM' : 'TON'),
        shown: '`GRAM` on mainnet and testnet, else `TON`',
      },
      description:
        'What the coin of the network is called on the pages. Names of the APIs are the same on all networks.',
    },
    LITE_VERIFY: {
      kind: onOff,
      default: 'on',
      description:
        'Whether responses of lite servers are verified by their proofs, starting from the trusted block of the global config.',
    },
    LITE_GROUPS: {
      kind: namedSources,
      default: '',
      description:
        'Lite servers for the keys of a plan, as plan name and global config, for example `pro=/etc/tongate/pro.json`. All other requests use the lite servers of `TON_CONFIG`. Write `%2C` for a comma in a URL.',
    },
    HEAD_MAX_AGE: {
      kind: either(choice('off'), shortDuration),
      default: {
        from: (textOf) => (textOf('NETWORK') === 'localnet' ? 'off' : '60s'),
        shown: '`60s`, and `off` on localnet',
      },
      description:
        'How old the newest masterchain block may be, and how far the lite servers of a process may be behind the index, before its `/readyz` returns 503, and how far the index may be behind before it warns. On localnet `/readyz` returns 503 if blocks that are due are not made, whatever this is.',
    },
  }),
  ...inGroup('Localnet', {
    LOCALNET_BLOCK_MS: {
      kind: integer(10, 3_600_000),
      default: '1000',
      description: 'Block interval of the local chain in milliseconds.',
    },
    LOCALNET_MINE: {
      kind: choice('interval', 'message'),
      default: 'interval',
      description:
        'When the local chain makes blocks: at a fixed interval, or immediately on each message until its trace is complete.',
    },
    LOCALNET_SHARDS: {
      kind: shardCount,
      default: '1',
      description:
        'Number of basechain shards of a new local chain; an existing chain keeps its number until `localnet --reset`.',
    },
    LOCALNET_SIGNED_MS: {
      kind: integer(0, 60_000),
      default: '0',
      description:
        'Milliseconds for which the lite server of the local chain shows shard blocks as signed before a masterchain block takes them, as finality `confirmed` is on public networks. `0` makes both at once, and refuses queries for such blocks as nodes do by default.',
    },
    LOCALNET_DEMO: {
      kind: onOff,
      default: 'on',
      description: 'Whether a new local chain starts with demo wallets, tokens and transfers.',
    },
    LOCALNET_LITE_HOST: {
      kind: host,
      default: '127.0.0.1',
      description: 'Listen address of the lite server of the local chain.',
    },
    LOCALNET_LITE_PORT: {
      kind: integer(0, 65535),
      default: '0',
      description:
        'Port of the lite server of the local chain; `0` picks a free port and reuses it if possible. It is written to `localnet/global.config.json` in `DATA_DIR`.',
    },
    LOCALNET_CONTROL: {
      kind: choice('key', 'all'),
      default: 'key',
      description:
        'Who may use the faucet, clock and snapshots under `/localnet/`: callers with the key of the local chain (or `ADMIN_KEY`), or everyone.',
    },
  }),
  ...inGroup('Server', {
    HOST: {
      kind: host,
      default: '127.0.0.1',
      description: 'Address to listen on; `0.0.0.0` or `::` for all interfaces.',
    },
    PORT: {
      kind: integer(0, 65535),
      default: '8081',
      description: 'Port to listen on; `0` picks a free port.',
    },
    WORKERS: {
      kind: either(choice('auto'), integer(1, 256)),
      default: {
        from: (textOf) => (textOf('NETWORK') === 'localnet' ? '1' : 'auto'),
        shown: '`auto`, and `1` on localnet',
      },
      description:
        'Processes of `start` and `serve` that answer requests, which share the port and all limits; `auto` is one per CPU, as far as their connections to the database (`DATABASE_POOL_SIZE` each) are 80 at most. With `1` everything is one process.',
    },
    PUBLIC_URL: {
      kind: url('http', 'https'),
      description:
        'Address under which clients reach this server, for the banner of the start; by default the address it listens on.',
    },
    PATH_PREFIX: {
      kind: pathPrefix,
      default: '',
      description: 'Path prefix of a reverse proxy; it is stripped before routing.',
    },
    ALLOWED_HOSTS: {
      kind: list(host, 'host names or IP addresses, separated by commas'),
      default: '',
      description:
        'Names under which clients reach the administration and the commands to a local chain, as they are in the `Host` header, without ports. Loopback names, the address that was connected to and a name in `HOST` need not be listed; requests to other names are refused.',
    },
    TRUST_PROXY: {
      kind: trustProxy,
      default: 'off',
      description:
        'Which proxies are trusted to set `X-Forwarded-For` and `X-Forwarded-Host`: none, all (`on`; only if clients cannot reach the port directly), a number of hops, or the listed addresses and ranges.',
    },
    CORS: {
      kind: onOff,
      default: 'on',
      description: 'Whether web pages of other origins may call the server (CORS).',
    },
    COMPRESS: {
      kind: onOff,
      default: 'on',
      description: 'Whether responses are compressed for clients that accept it.',
    },
    MAX_CONNECTIONS: {
      kind: either(choice('auto'), integer(16, 1_000_000)),
      default: 'auto',
      description:
        'How many connections callers may have at the same time; `auto` is what the limit on open files allows, up to 20000. A larger number than that limit allows has no effect. Without `TRUST_PROXY`, one address may have a quarter of them. When there are many, those that have sent nothing are closed first, then idle ones.',
    },
    RECEIVE_TIMEOUT_MS: {
      kind: integer(1000, 600_000),
      default: '30000',
      description: 'Timeout in milliseconds for receiving a whole request.',
    },
    DRAIN_MS: {
      kind: integer(0, 600_000),
      default: {
        from: (textOf) => (textOf('NETWORK') === 'localnet' ? '0' : '5000'),
        shown: '`5000`, and `0` on localnet',
      },
      description:
        'How long a server goes on serving after SIGTERM, in milliseconds, while `/readyz` returns 503, so that load balancers stop sending before it closes. A second SIGINT or SIGTERM ends the process at once; other signals do not drain.',
    },
    STOP_TIMEOUT_MS: {
      kind: integer(0, 60_000),
      default: '10000',
      description:
        'Timeout in milliseconds for a graceful shutdown, after `DRAIN_MS`; after it the process exits anyway.',
    },
  }),
  ...inGroup('Storage', {
    DATA_DIR: {
      kind: path,
      default: 'data',
      description:
        'Directory for local data such as the embedded PostgreSQL; relative to the working directory. It belongs to one network, and to one chain if `NETWORK` is `custom`.',
    },
    DISK_MIN_FREE_MB: {
      kind: integer(0, 1_000_000_000),
      default: '100',
      description:
        'Megabytes that must be free on the disk of `DATA_DIR`; with less, `/readyz` returns 503. `0` does not look.',
    },
    DATABASE_URL: {
      kind: database,
      secret: 'url',
      description: 'PostgreSQL database; if unset, an embedded PostgreSQL runs in `DATA_DIR`.',
    },
    DATABASE_PASSWORD: {
      kind: text(MAX_PASSWORD_LENGTH),
      secret: 'whole',
      description:
        'Password for `DATABASE_URL` and `DATABASE_REPLICA_URLS`, if these have a user but no password.',
    },
    DATABASE_REPLICA_URLS: {
      kind: list(database, 'URLs that start with `postgres://` or `postgresql://`, separated by commas'),
      default: '',
      secret: 'url',
      description: 'Streaming replicas of `DATABASE_URL` for reads. Write `%2C` for a comma in a URL.',
    },
    DATABASE_REPLICA_MAX_LAG: {
      kind: shortDuration,
      default: '5s',
      description:
        'Maximum lag of a replica; a replica that is further behind is not used until it has caught up.',
    },
    DATABASE_CLUSTER: {
      kind: choice('auto', 'none', 'citus'),
      default: 'auto',
      description:
        'Whether the tables of the index are distributed over a Citus cluster, of which `DATABASE_URL` is the coordinator; `auto` does it if the database has the extension.',
    },
    DATABASE_SHARDS: {
      kind: integer(1, 1024),
      default: '16',
      description:
        'Shards of each distributed table, decided when it is distributed: at least one per worker that the cluster may ever have. A search that does not know the distribution column asks all of them.',
    },
    DATABASE_KEEP_PLANS: {
      kind: onOff,
      default: 'on',
      description:
        'Whether prepared statements are used for frequent queries; set `off` for connection poolers without support for them.',
    },
    DATABASE_POOL_SIZE: {
      kind: integer(1, 500),
      default: '10',
      description: 'Maximum number of connections of each process to each database.',
    },
    SLOW_READS: {
      kind: either(choice('auto'), integer(1, 500)),
      default: 'auto',
      description:
        'Maximum number of slow reads of v3 at the same time: those that take more than 0.2 s or skip more than 50000 rows. Callers take turns. `auto`: half as many as there are CPUs, at most four, and at most a third of the connections.',
    },
    REDIS_URL: {
      kind: url('redis', 'rediss'),
      secret: 'url',
      description:
        'Redis for rate limits shared between processes; if unset, each process counts on its own. It should not evict keys (`maxmemory-policy noeviction`): an evicted counter starts again at zero.',
    },
    PENDING_REDIS_URL: {
      kind: url('redis', 'rediss'),
      default: { from: (textOf) => textOf('REDIS_URL'), shown: 'the value of `REDIS_URL`' },
      secret: 'url',
      description:
        'Redis for pending messages shared between processes. They can fill its memory, so where `REDIS_URL` has a memory limit this should be another instance, which may evict keys.',
    },
  }),
  ...inGroup('Access', {
    RATE_LIMIT: {
      kind: onOff,
      default: 'on',
      description: 'Whether rate limits apply; with `off`, all requests are unlimited.',
    },
    ANONYMOUS_RPS: {
      kind: integer(1, 1_000_000),
      default: '1',
      description: 'Rate limit in requests per second for each IP address without an API key.',
    },
    ANONYMOUS_MAX_OFFSET: {
      kind: either(choice('off'), integer(0, 2_147_483_647)),
      default: '10000',
      description:
        'Largest `offset` in lists of v3 without an API key; plans have their own, and cursors have no limit. `off` for no limit.',
    },
    READ_MS_PER_RPS: {
      kind: either(choice('off'), integer(1, 1_000_000)),
      default: '100',
      description:
        'Milliseconds of reading from the database per second that a caller of v3 may use, for each request per second of its rate limit; `off` for no limit. What is not used is saved for 20 s, at least 4 s of it.',
    },
    RESPONSE_KB_PER_RPS: {
      kind: either(choice('off'), integer(1, 1_000_000)),
      default: {
        from: (textOf) => (textOf('NETWORK') === 'localnet' ? 'off' : '400'),
        shown: '`off` on localnet, else `400`',
      },
      description:
        'Kilobytes of responses per second that a caller may get, before compression, for each request per second of its rate limit; `off` for no limit. What is not used is saved for 50 s, at least 4 MB. A page of 1000 transactions has about 3.5 MB.',
    },
    USAGE: {
      kind: onOff,
      default: 'on',
      description: 'Whether the calls of every API key are counted by operation and day.',
    },
    USAGE_FLUSH: {
      kind: shortDuration,
      default: '10s',
      description:
        'How often counted calls are written to the database; a killed process loses no more than this.',
    },
    USAGE_RETENTION: {
      kind: duration,
      default: '400d',
      description: 'How long counted calls are kept.',
    },
    ADMIN_KEY: {
      kind: text(MAX_PASSWORD_LENGTH),
      secret: 'whole',
      description:
        'Key of the administration (`/admin`, `/api/admin`) and of the details of the dashboard, sent in the header `X-Admin-Key`. If unset, the key in the file `admin-key` of `DATA_DIR`, which the first start makes, is used instead; on localnet the API key of the local chain.',
    },
  }),
  ...inGroup('Requests and load', {
    REQUEST_TIMEOUT_MS: {
      kind: integer(100, 600_000),
      default: '10000',
      description: 'Timeout of v2 calls in milliseconds; slower calls get a 504 response.',
    },
    MAX_BATCH: {
      kind: integer(1, 1000),
      default: '100',
      description: 'Maximum number of JSON-RPC calls in one batch.',
    },
    STRICT_PARAMS: {
      kind: onOff,
      default: 'off',
      description:
        'Whether v2 and v3 refuse unknown parameters with 422; otherwise the header `X-Tongate-Unknown-Params` names them. A caller can ask for it with `X-Strict-Params: true`.',
    },
    DEFAULT_LIMIT: {
      kind: integer(1, 10_000),
      default: '10',
      description: 'Default page size of lists; at most `MAX_LIMIT`.',
    },
    MAX_LIMIT: {
      kind: integer(1, 10_000),
      default: '1000',
      description: 'Maximum page size of lists.',
    },
    SHED_LOOP_DELAY_MS: {
      kind: integer(0, 60_000),
      default: '1000',
      description:
        'Event-loop delay in milliseconds above which requests get a 503 response; `0` disables it.',
    },
    SHED_HEAP_PERCENT: {
      kind: either(integer(0, 0), integer(50, 100)),
      default: '95',
      description:
        'Heap usage in percent of its limit above which requests get a 503 response; `0` disables it.',
    },
  }),
  ...indexSettings,
  ...pendingSettings,
  ...streamSettings,
  ...inGroup('Logs and metrics', {
    LOG_LEVEL: {
      kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      default: 'info',
      description: 'Minimum log level.',
    },
    METRICS_PORT: {
      kind: either(choice('off'), integer(0, 65535)),
      default: 'off',
      description: 'Separate port for Prometheus metrics at `/metrics`; `0` picks a free port.',
    },
    GRAFANA_URL: {
      kind: url('http', 'https'),
      description: 'Address of the Grafana board that the dashboard links to.',
    },
    METRICS_HOST: {
      kind: host,
      default: { from: (textOf) => textOf('HOST'), shown: 'the value of `HOST`' },
      description: 'Listen address of the metrics port.',
    },
  }),
};
