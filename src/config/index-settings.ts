import { duration } from './duration.ts';
import { choice, either, hexBytes, integer, onOff, url } from './kinds.ts';
import type { Setting } from './setting.ts';

const MAX_SEQNO = 2 ** 32 - 1;

const MAX_SECRET_BYTES = 256;

/** The settings of the index, of get-methods, and of what is shown of tokens. */
export const indexSettings = {
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
