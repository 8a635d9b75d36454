import { choice, duration, either, hexBytes, integer, list, onOff, url } from './kinds.ts';
import { inGroup } from './setting.ts';

const MAX_SEQNO = 2 ** 32 - 1;
const MAX_SECRET_BYTES = 256;

/** Index, get-methods and token metadata. */
export const indexSettings = {
  ...inGroup('Index and get-methods', {
    INDEX: {
      kind: onOff,
      default: 'on',
      description:
        'Whether `start` runs the indexer. With `off`, run `index` processes instead. `serve` never indexes.',
    },
    INDEX_FROM: {
      kind: either(choice('now', 'genesis'), integer(1, MAX_SEQNO)),
      default: {
        from: (textOf) => (['mainnet', 'testnet'].includes(textOf('NETWORK') ?? '') ? 'now' : 'genesis'),
        shown: '`now` on mainnet and testnet, `genesis` on localnet and custom',
      },
      description:
        'First masterchain seqno of the index: a seqno, the current head, or the first block. An earlier value extends an existing index; a later one does not shorten it.',
    },
    INDEX_KEEP: {
      kind: either(choice('all'), duration),
      default: 'all',
      description:
        'How much history the index keeps, for example `30d`. Whole partitions are dropped, so it keeps slightly more.',
    },
    INDEX_LANES: {
      kind: integer(0, 64),
      default: '2',
      description:
        'History chunks that this process backfills in parallel, in addition to new blocks; `0` only follows new blocks.',
    },
    INDEX_THREADS: {
      kind: either(choice('auto'), integer(1, 256)),
      default: 'auto',
      description:
        'Indexer threads for decoding blocks, and as many for get-methods that detect contract interfaces; `auto` is the number of CPUs minus one, from 1 to 4, and `import --states` then has one more for get-methods.',
    },
    V3_LIVE: {
      kind: onOff,
      default: 'on',
      description:
        'Whether v3 reads accounts that are not indexed yet from a lite server. Such responses have the header `X-Tongate-Source: lite-server`.',
    },
    REINDEX_PER_RPS: {
      kind: integer(1, 10_000),
      default: '1',
      description:
        'Accounts per minute that a key may have indexed again by `/api/v3/accounts/reindex`, for each request per second of its rate limit; 10 at least at once.',
    },
    GET_METHODS: {
      kind: choice('auto', 'local', 'remote'),
      default: 'auto',
      description:
        'Where get-methods run: in this process, or on the lite server, which has the newest TVM version but a lower gas limit. `auto` is in this process as long as its TVM knows the version of the network (config param 8).',
    },
    VM_THREADS: {
      kind: either(choice('auto'), integer(1, 256)),
      default: 'auto',
      description:
        'Maximum number of threads for get-methods, about 100 MB each; `auto` is the number of CPUs minus one, from 1 to 8. Half as many, at least one, are started for heavy runs when there are some.',
    },
    VM_MS_PER_RPS: {
      kind: integer(1, 10_000),
      default: '50',
      description:
        'TVM time in milliseconds per second that a caller may use, for each request per second of its rate limit: get-methods, token data, DNS names, fee estimates and emulation together. Unused time is saved for 20 s, and 4 s at least.',
    },
  }),
  ...inGroup('Token metadata', {
    METADATA: {
      kind: onOff,
      default: {
        from: (textOf) => (['mainnet', 'testnet'].includes(textOf('NETWORK') ?? '') ? 'on' : 'off'),
        shown: '`on` on mainnet and testnet, `off` on localnet and custom',
      },
      description:
        'Whether indexing processes also fetch off-chain token metadata: names, descriptions, images. On-chain metadata is always available. Private addresses are reached on localnet only.',
    },
    METADATA_CONCURRENCY: {
      kind: integer(1, 256),
      default: '16',
      description: 'Concurrent metadata fetches per process.',
    },
    METADATA_IPFS_GATEWAY: {
      kind: list(url('http', 'https'), 'URLs that start with `http://` or `https://`, separated by commas'),
      default: 'https://ipfs.io/ipfs/',
      description:
        'URL prefixes for IPFS files; the next one is tried where one fails. They may point into a private network; metadata is never fetched from other private addresses.',
    },
    METADATA_STORAGE_GATEWAY: {
      kind: url('http', 'https'),
      description: 'URL prefix for TON Storage bags. If unset, metadata in TON Storage is not fetched.',
    },
    MINTLESS_DISK_MB: {
      kind: integer(0, 2000),
      default: '0',
      description:
        'Megabytes on disk for airdrops of mintless jettons, in `mintless` of `DATA_DIR`; `jetton/wallets` shows them as `mintless_info`. Indexing processes with `METADATA=on` download them, none that is larger. Twice as much is used while one is converted, and several times its size in memory. `0` downloads none.',
    },
    IMGPROXY_URL: {
      kind: url('http', 'https'),
      description:
        'Public URL of an imgproxy server. If set, token images are also available in three sizes, except those at private addresses. It should not reach private networks itself (`IMGPROXY_ALLOW_PRIVATE_SOURCE_ADDRESSES=false`), since a public name may lead there.',
    },
    IMGPROXY_KEY: {
      kind: hexBytes(MAX_SECRET_BYTES),
      secret: 'whole',
      description: 'Key for signing imgproxy paths; if unset, they are not signed.',
    },
    IMGPROXY_SALT: {
      kind: hexBytes(MAX_SECRET_BYTES),
      secret: 'whole',
      description: 'Salt for signing imgproxy paths, together with `IMGPROXY_KEY`.',
    },
  }),
};
