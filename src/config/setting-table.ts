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

/** The settings of the index, of get-methods, and of what is shown of tokens. */
const indexSettings = {
  INDEX: {
    group: 'Index and get-methods',
    kind: onOff,
    default: 'on',
    sentence:
      'Whether `start` fills the index; `off` leaves it to processes of `index`. `serve` never does it.',
  },
  INDEX_FROM: {
    group: 'Index and get-methods',
    kind: either(choice('now', 'genesis'), integer(1, MAX_SEQNO)),
    default: {
      from: (textOf) => (['mainnet', 'testnet'].includes(textOf('NETWORK') ?? '') ? 'now' : 'genesis'),
      shown: '`now` on mainnet and testnet, `genesis` on localnet and custom',
    },
    sentence:
      'Where the index begins: a masterchain seqno, the present, or the first block. An index that exists is made longer when this is earlier, and never shorter.',
  },
  INDEX_KEEP: {
    group: 'Index and get-methods',
    kind: either(choice('all'), duration),
    default: 'all',
    sentence:
      'How much history the index keeps, for example `30d`; older partitions are dropped as a whole, so somewhat more is kept.',
  },
  INDEX_LANES: {
    group: 'Index and get-methods',
    kind: integer(0, 64),
    default: '2',
    sentence:
      'Ranges of history that this process indexes at a time, beside the newest blocks; `0` follows the newest blocks only.',
  },
  INDEX_THREADS: {
    group: 'Index and get-methods',
    kind: either(choice('auto'), integer(1, 256)),
    default: 'auto',
    sentence:
      'Threads in which the indexer decodes blocks, and as many in which it runs get-methods to find out what contracts are; `auto` is one less than there are processors, from 1 to 4.',
  },
  V3_LIVE: {
    group: 'Index and get-methods',
    kind: onOff,
    default: 'on',
    sentence:
      'Whether v3 asks a lite server for accounts that the index does not know yet; what was read so has the header `X-Tongate-Source: lite-server`.',
  },
  GET_METHODS: {
    group: 'Index and get-methods',
    kind: choice('local', 'remote'),
    default: 'local',
    sentence:
      'Where get-methods run: in this process, or on the lite server, which knows the newest rules of TVM but allows less gas.',
  },
  VM_THREADS: {
    group: 'Index and get-methods',
    kind: either(choice('auto'), integer(1, 256)),
    default: 'auto',
    sentence:
      'Most threads in which this process runs get-methods, about 100 MB each; `auto` is one less than there are processors, from 1 to 8.',
  },

  METADATA: {
    group: 'Metadata of tokens',
    kind: onOff,
    default: {
      from: (textOf) => (['mainnet', 'testnet'].includes(textOf('NETWORK') ?? '') ? 'on' : 'off'),
      shown: '`on` on mainnet and testnet, `off` on localnet and custom',
    },
    sentence:
      'Whether processes that fill the index also fetch what tokens keep outside the chain: names, descriptions, images. What is on the chain is shown in any case.',
  },
  METADATA_CONCURRENCY: {
    group: 'Metadata of tokens',
    kind: integer(1, 256),
    default: '16',
    sentence: 'Documents of tokens that one process fetches at once.',
  },
  METADATA_IPFS_GATEWAY: {
    group: 'Metadata of tokens',
    kind: url('http', 'https'),
    default: 'https://ipfs.io/ipfs/',
    sentence:
      'What stands before the name of a file of IPFS. It may be a server in a private network; other private addresses are never asked.',
  },
  METADATA_STORAGE_GATEWAY: {
    group: 'Metadata of tokens',
    kind: url('http', 'https'),
    sentence: 'The same for bags of TON Storage. Unset, documents there cannot be fetched.',
  },
  IMGPROXY_URL: {
    group: 'Metadata of tokens',
    kind: url('http', 'https'),
    sentence: 'An imgproxy as clients reach it: images of tokens are then also shown in three sizes.',
  },
  IMGPROXY_KEY: {
    group: 'Metadata of tokens',
    kind: hexBytes(MAX_SECRET_BYTES),
    secret: true,
    sentence: 'The key by which paths of the imgproxy are signed; unset, they are not signed.',
  },
  IMGPROXY_SALT: {
    group: 'Metadata of tokens',
    kind: hexBytes(MAX_SECRET_BYTES),
    secret: true,
    sentence: 'The salt that belongs to `IMGPROXY_KEY`.',
  },
} as const satisfies Record<string, Setting>;

/** The settings of messages that are not in a block yet, and of emulations. */
const pendingSettings = {
  PENDING: {
    group: 'Pending and emulation',
    kind: onOff,
    default: 'on',
    sentence:
      'Whether what a message will do is shown as soon as it was sent; `off` emulates no message that is sent.',
  },
  PENDING_LIMIT: {
    group: 'Pending and emulation',
    kind: integer(1, 1_000_000),
    default: '10000',
    sentence:
      'Most pending messages that this process keeps; the oldest make room. A thousand take about 20 MB.',
  },
  PENDING_PER_RPS: {
    group: 'Pending and emulation',
    kind: integer(1, 10_000),
    default: '20',
    sentence:
      'Pending messages that one caller may have at a time for each request a second that it may make; those beyond are sent and not shown.',
  },
  PENDING_FEED_URL: {
    group: 'Pending and emulation',
    kind: url('http', 'https'),
    secret: true,
    sentence:
      'Where messages that others send can be had as they come: a bag of cells in base64 on each line, or as server-sent events.',
  },
  EMULATION_THREADS: {
    group: 'Pending and emulation',
    kind: either(choice('auto'), integer(1, 64)),
    default: 'auto',
    sentence:
      'Threads in which messages are emulated, apart from those of get-methods; `auto` is a quarter of the processors, from 1 to 4. A thread takes about 100 MB once it is used.',
  },
  EMULATION_MS_PER_RPS: {
    group: 'Pending and emulation',
    kind: integer(1, 10_000),
    default: '50',
    sentence:
      'Milliseconds of emulation that one caller may use in a second for each request a second that it may make.',
  },
} as const satisfies Record<string, Setting>;

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

/** A default that depends on another setting: how it is found, and how the docs put it. */
interface ComputedDefault {
  readonly from: (textOf: (name: string) => string | undefined) => string | undefined;
  readonly shown: string;
}

/** One setting: all that the reader, the docs page and the log need to know of it. */
export interface Setting {
  readonly group: SettingGroup;
  readonly kind: Kind<unknown>;
  /** Text read when the variable is unset; without it the value of an unset variable is undefined. */
  readonly default?: string | ComputedDefault;
  /** The value is never shown in a fault, and only without its credentials in the log. */
  readonly secret?: true;
  readonly sentence: string;
}

export type SettingGroup = (typeof settingGroups)[number];

/** Headings of the docs page, in their order. */
export const settingGroups = [
  'Network',
  'Localnet',
  'Server',
  'Storage',
  'Access',
  'Requests and load',
  'Index and get-methods',
  'Metadata of tokens',
  'Pending and emulation',
  'Observation',
] as const;
