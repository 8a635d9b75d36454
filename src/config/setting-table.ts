import { shortDuration } from './duration.ts';
import { indexSettings } from './index-settings.ts';
import { choice, either, integer, type Kind, list, onOff, path, pathPrefix, url } from './kinds.ts';
import { namedSources } from './named-sources.ts';
import { host, trustProxy } from './network-kinds.ts';
import { pendingSettings } from './pending-settings.ts';
import type { Setting } from './setting.ts';

const database = url('postgres', 'postgresql');

const SHARD_COUNTS = [1, 2, 4, 8, 16] as const;
const shardCount: Kind<(typeof SHARD_COUNTS)[number]> = {
  expected: choice('1', '2', '4', '8', '16').expected,
  read: (text) => SHARD_COUNTS.find((count) => String(count) === text),
};

/** Every setting of tongate, under the name of its environment variable. */
export const settingTable = {
  NETWORK: {
    group: 'Network',
    kind: choice('localnet', 'mainnet', 'testnet', 'custom'),
    default: 'localnet',
    sentence: 'The chain that is served; `localnet` is a small chain of its own.',
  },
  TON_CONFIG: {
    group: 'Network',
    kind: either(url('http', 'https'), path),
    sentence:
      'Global config of the network: its lite servers and the block that is trusted. Required when `NETWORK` is `custom`; mainnet and testnet publish theirs, and the last good copy is kept in `DATA_DIR`. `start` on localnet uses that of its own chain, `serve` that of the chain in `DATA_DIR` unless this names another.',
  },
  LITE_VERIFY: {
    group: 'Network',
    kind: onOff,
    default: 'on',
    sentence:
      'Whether the answers of lite servers are checked by their proofs, down to a block that the global config names; `off` believes them.',
  },
  LITE_GROUPS: {
    group: 'Network',
    kind: namedSources,
    default: '',
    sentence:
      'Private lite servers: the name of a plan and the global config that names its lite servers, for example `pro=/etc/tongate/pro.json`. Calls with a key of that plan are answered by them, all others by those of `TON_CONFIG`; a comma inside a URL is written `%2C`.',
  },

  LOCALNET_BLOCK_MS: {
    group: 'Localnet',
    kind: integer(10, 3_600_000),
    default: '1000',
    sentence: 'Milliseconds from one block of the local chain to the next.',
  },
  LOCALNET_MINE: {
    group: 'Localnet',
    kind: choice('interval', 'message'),
    default: 'interval',
    sentence:
      'When the local chain makes blocks: at a steady pace, or only at once when a message comes, until all that follows from it is done.',
  },
  LOCALNET_SHARDS: {
    group: 'Localnet',
    kind: shardCount,
    default: '1',
    sentence:
      'Shards of the basechain of a new local chain; one that exists keeps its number until `localnet --reset`.',
  },
  LOCALNET_DEMO: {
    group: 'Localnet',
    kind: onOff,
    default: 'on',
    sentence: 'Whether a new local chain begins with wallets, tokens and transfers to look at.',
  },
  LOCALNET_LITE_HOST: {
    group: 'Localnet',
    kind: host,
    default: '127.0.0.1',
    sentence: 'Address on which the lite server of the local chain listens.',
  },
  LOCALNET_LITE_PORT: {
    group: 'Localnet',
    kind: integer(0, 65535),
    default: '0',
    sentence:
      'Port of the lite server of the local chain; `0` takes a free one, and the same again where it can. `localnet/global.config.json` in `DATA_DIR` names it.',
  },
  LOCALNET_CONTROL: {
    group: 'Localnet',
    kind: choice('loopback', 'all'),
    default: 'loopback',
    sentence:
      'Who may use the faucet, the clock and the snapshots under `/localnet/`: callers on this machine, or everybody who reaches the server.',
  },

  HOST: {
    group: 'Server',
    kind: host,
    default: '127.0.0.1',
    sentence: 'Address to listen on; `0.0.0.0` or `::` for every interface.',
  },
  PORT: {
    group: 'Server',
    kind: integer(0, 65535),
    default: '8081',
    sentence: 'Port to listen on; `0` takes any free port.',
  },
  PATH_PREFIX: {
    group: 'Server',
    kind: pathPrefix,
    default: '',
    sentence: 'Path under which a reverse proxy forwards requests here; it is stripped before routing.',
  },
  TRUST_PROXY: {
    group: 'Server',
    kind: trustProxy,
    default: 'off',
    sentence:
      'Which proxies are believed when `X-Forwarded-For` names the caller: none, every one (`on`, only when callers cannot reach the port themselves), a number of hops, or the listed addresses and ranges.',
  },
  CORS: {
    group: 'Server',
    kind: onOff,
    default: 'on',
    sentence: 'Whether web pages of other origins may call the server.',
  },
  COMPRESS: {
    group: 'Server',
    kind: onOff,
    default: 'on',
    sentence: 'Whether answers are compressed for callers that ask for it.',
  },
  RECEIVE_TIMEOUT_MS: {
    group: 'Server',
    kind: integer(1000, 600_000),
    default: '30000',
    sentence: 'Milliseconds in which a whole request must have been received.',
  },
  STOP_TIMEOUT_MS: {
    group: 'Server',
    kind: integer(0, 60_000),
    default: '10000',
    sentence: 'Milliseconds that a graceful stop may take before the process exits all the same.',
  },

  DATA_DIR: {
    group: 'Storage',
    kind: path,
    default: 'data',
    sentence:
      'Directory of what tongate keeps itself, such as the embedded PostgreSQL; relative to where it is started.',
  },
  DATABASE_URL: {
    group: 'Storage',
    kind: database,
    secret: true,
    sentence: 'PostgreSQL to use; when unset, an embedded PostgreSQL runs in `DATA_DIR`.',
  },
  DATABASE_REPLICA_URLS: {
    group: 'Storage',
    kind: list(database, 'URLs that start with `postgres://` or `postgresql://`, separated by commas'),
    default: '',
    secret: true,
    sentence:
      'Streaming replicas of `DATABASE_URL` that answer reads; a comma inside a URL is written `%2C`.',
  },
  DATABASE_REPLICA_MAX_LAG: {
    group: 'Storage',
    kind: shortDuration,
    default: '5s',
    sentence:
      'How far a replica may be behind `DATABASE_URL`; one that is further behind answers no reads until it has caught up.',
  },
  DATABASE_KEEP_PLANS: {
    group: 'Storage',
    kind: onOff,
    default: 'on',
    sentence:
      'Keeps the plans of frequent look-ups on each connection; `off` for poolers that cannot keep prepared statements.',
  },
  DATABASE_POOL_SIZE: {
    group: 'Storage',
    kind: integer(1, 500),
    default: '10',
    sentence: 'Most connections that this process opens to each database.',
  },
  REDIS_URL: {
    group: 'Storage',
    kind: url('redis', 'rediss'),
    secret: true,
    sentence:
      'Redis that several processes share for their limits and their pending messages; when unset, each process is alone with its own.',
  },

  RATE_LIMIT: {
    group: 'Access',
    kind: onOff,
    default: 'on',
    sentence: 'Whether requests are counted against limits; `off` lets everybody call without bound.',
  },
  ANONYMOUS_RPS: {
    group: 'Access',
    kind: integer(1, 1_000_000),
    default: '1',
    sentence: 'Requests a second that one address may make without an API key.',
  },

  REQUEST_TIMEOUT_MS: {
    group: 'Requests and load',
    kind: integer(100, 600_000),
    default: '10000',
    sentence: 'Milliseconds that the answer to a v2 call may take; what takes longer is answered with 504.',
  },
  MAX_BATCH: {
    group: 'Requests and load',
    kind: integer(1, 1000),
    default: '100',
    sentence: 'Most JSON-RPC calls in one batch.',
  },
  DEFAULT_LIMIT: {
    group: 'Requests and load',
    kind: integer(1, 10_000),
    default: '10',
    sentence: 'Rows in an answer when the request does not say how many; at most `MAX_LIMIT`.',
  },
  MAX_LIMIT: {
    group: 'Requests and load',
    kind: integer(1, 10_000),
    default: '1000',
    sentence: 'Most rows that a request may ask for.',
  },
  SHED_LOOP_DELAY_MS: {
    group: 'Requests and load',
    kind: integer(0, 60_000),
    default: '1000',
    sentence: 'Event-loop delay in milliseconds above which requests are answered with 503; `0` is off.',
  },
  SHED_HEAP_PERCENT: {
    group: 'Requests and load',
    kind: either(integer(0, 0), integer(50, 100)),
    default: '95',
    sentence: 'Percent of the heap limit above which requests are answered with 503; `0` is off.',
  },

  ...indexSettings,
  ...pendingSettings,

  LOG_LEVEL: {
    group: 'Observation',
    kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    sentence: 'The least important lines that are logged.',
  },
  METRICS_PORT: {
    group: 'Observation',
    kind: either(choice('off'), integer(0, 65535)),
    default: 'off',
    sentence: 'Port of its own on which Prometheus reads `/metrics`; `0` takes any free port.',
  },
  METRICS_HOST: {
    group: 'Observation',
    kind: host,
    default: { from: (textOf) => textOf('HOST'), shown: 'the value of `HOST`' },
    sentence: 'Address on which the metrics port listens.',
  },
} as const satisfies Record<string, Setting>;
