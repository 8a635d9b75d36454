import { createHash } from 'node:crypto';
import {
  type BlockId,
  MASTERCHAIN,
  sameBlock,
  shortBlockName,
  WHOLE_SHARD,
} from '../../src/chain/block-id.ts';
import { splitWaitPrefix, type WaitPrefix } from '../../src/chain/tl/lite-envelope.ts';
import { createConnection } from '../../src/lite/connection.ts';
import { LiteServerError } from '../../src/lite/errors.ts';
import type { GlobalConfig } from '../../src/lite/global-config.ts';
import {
  decodeResponse,
  encodeRequest,
  encodeResponse,
  type LiteRequest,
} from '../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../src/lite/methods/proofs.ts';
import { createPool, type LitePool, type PoolOptions } from '../../src/lite/pool.ts';
import type { PoolTiming } from '../../src/lite/pool-timing.ts';
import type { LiteTarget } from '../../src/lite/session.ts';
import { decodeRequest, startLiteServer } from './lite-server.ts';
import { createQuietLog } from './quiet-log.ts';

/** A masterchain without content: blocks are only ids, and the state of an account is a hash of account and block. */
export interface FakeChain {
  readonly zeroState: BlockId;
  /** Seqno of the head. */
  readonly seqno: number;
  block(seqno: number): BlockId;
  /** Whether a block belongs to this chain. */
  has(block: BlockId): boolean;
  stateOf(account: Buffer, block: BlockId): Buffer;
  /** Adds blocks. */
  grow(count?: number): void;
  /** Resolves when the chain grows next. */
  grown(): Promise<void>;
}

/** Creates a chain up to a block; another `name` gives other blocks. */
export function createFakeChain(seqno: number, name = 'chain'): FakeChain {
  let head = seqno;
  let next = Promise.withResolvers<void>();
  const digest = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const block = (number: number): BlockId => ({
    workchain: MASTERCHAIN,
    shard: WHOLE_SHARD,
    seqno: number,
    rootHash: digest(`${name} root ${number}`),
    fileHash: digest(`${name} file ${number}`),
  });
  return {
    zeroState: block(0),
    get seqno() {
      return head;
    },
    block,
    has: (id) => id.seqno <= head && sameBlock(id, block(id.seqno)),
    stateOf: (account, { rootHash }) => digest(account, rootHash),
    grow(count = 1) {
      head += count;
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    grown: () => next.promise,
  };
}

/** Deviations of one server; a test may change them at any time. */
export interface ServerTraits {
  /** Number of blocks behind the head. */
  lag?: number;
  /** Number of blocks, behind that one, of which it does not have the shards yet. */
  shardLag?: number;
  /** The last block that it receives. */
  stuckAt?: number | undefined;
  /** The oldest block it has. */
  oldest?: number;
  /** What it forges. */
  lies?: 'head' | 'state' | undefined;
  /** Functions and prefixes that it does not support. */
  lacks?: readonly ('wait' | 'mode 1' | LiteRequest['method'])[];
}

const EMPTY = Buffer.alloc(0);
const ACCEPTED = 1;
const NO_TIME = 1_700_000_000;

/** Responds like a lite server of the chain. */
export function answerFromChain(
  chain: FakeChain,
  traits: ServerTraits,
): (bytes: Buffer) => Buffer | Promise<Buffer> {
  const newest = () => Math.min(chain.seqno - (traits.lag ?? 0), traits.stuckAt ?? chain.seqno);
  const unknownFunction = () => new LiteServerError(0, 'Unknown constructor found 0xbaeab892 at 4');

  function head(behind = 0): BlockId {
    const block = chain.block(newest() - behind);
    return traits.lies === 'head' ? { ...block, seqno: block.seqno + 5 } : block;
  }

  function find(seqno: number): BlockId {
    if (seqno <= newest() && seqno >= (traits.oldest ?? 0)) return chain.block(seqno);
    const hint = seqno > newest() ? ` (last known masterchain block: ${newest()})` : '';
    const shard = '(-1,8000000000000000)';
    throw new LiteServerError(651, `cannot find block ${shard} seqno=${seqno}: ltdb: block not found${hint}`);
  }

  function answer(request: LiteRequest): Buffer {
    if (traits.lacks?.includes(request.method)) throw unknownFunction();
    switch (request.method) {
      case 'getMasterchainInfo':
      case 'getMasterchainInfoExt': {
        const withShards = 'mode' in request && request.mode === 1;
        if (withShards && traits.lacks?.includes('mode 1'))
          throw new LiteServerError(-400, 'unsupported getMasterchainInfo mode');
        const last = head(withShards ? traits.shardLag : 0);
        const info = { last, stateRootHash: Buffer.alloc(32, 1), init: chain.zeroState };
        const ext = { mode: 0, version: 0x101, capabilities: 7n, lastUtime: NO_TIME, now: NO_TIME };
        return request.method === 'getMasterchainInfo'
          ? encodeResponse('getMasterchainInfo', info)
          : encodeResponse('getMasterchainInfoExt', { ...ext, ...info });
      }
      case 'lookupBlock': {
        const id = find(request.id.seqno);
        return encodeResponse('lookupBlock', { id, mode: request.mode, headerProof: EMPTY });
      }
      case 'getAccountState': {
        if (request.id.seqno > newest() || request.id.seqno < (traits.oldest ?? 0))
          throw new LiteServerError(651, `block ${shortBlockName(request.id)} is not in db`);
        const truth = chain.stateOf(request.account.hash, request.id);
        return encodeResponse('getAccountState', {
          id: request.id,
          shardBlock: request.id,
          shardProof: EMPTY,
          proof: EMPTY,
          state: traits.lies === 'state' ? Buffer.from(truth).reverse() : truth,
        });
      }
      case 'getTime':
        return encodeResponse('getTime', { now: NO_TIME });
      case 'sendMessage':
        return encodeResponse('sendMessage', { status: ACCEPTED });
      default:
        throw unknownFunction();
    }
  }

  async function waitThenAnswer({ seqno, timeoutMs }: WaitPrefix, request: LiteRequest): Promise<Buffer> {
    const late = Promise.withResolvers<void>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      late.resolve();
    }, timeoutMs);
    while (newest() < seqno && !isLate) await Promise.race([chain.grown(), late.promise]);
    clearTimeout(timer);
    if (newest() < seqno) throw new LiteServerError(652, 'timeout');
    return answer(request);
  }

  return (bytes) => {
    const { wait, request } = splitWaitPrefix(bytes);
    if (wait === undefined) return answer(decodeRequest(request));
    if (traits.lacks?.includes('wait')) throw unknownFunction();
    return waitThenAnswer(wait, decodeRequest(request));
  };
}

/** The timing of a real pool, shortened; what ends in an error on a busy machine is not. */
const SHORT_TIMING: Partial<PoolTiming> = {
  queryMs: 10_000,
  requestMs: 20_000,
  startMs: 5000,
  headWaitMs: 300,
  pollMs: 20,
  referenceWaitMs: 500,
  recheckFirstMs: 30,
  recheckMaxMs: 60,
  distrustFirstMs: 100,
  distrustMaxMs: 400,
  firstProbeMs: 10,
  probeMs: 100,
};

interface FakeNetOptions extends Partial<Omit<PoolOptions, 'config' | 'connect' | 'log'>> {
  readonly chain?: FakeChain;
  readonly servers: readonly ServerTraits[];
  /** Whether heads are accepted without a proof. */
  readonly trustHeads?: boolean;
  readonly zeroState?: GlobalConfig['zeroState'];
}

/** Starts lite servers over ADNL that share one chain, and a pool over them. */
export async function startFakeNet({
  servers: traits,
  trustHeads = false,
  zeroState,
  ...options
}: FakeNetOptions) {
  const chain = options.chain ?? createFakeChain(100);
  const servers = await Promise.all(
    traits.map((each) => startLiteServer({ answer: answerFromChain(chain, each) })),
  );
  const log = createQuietLog();
  const config: GlobalConfig = {
    liteServers: servers.map(({ host, port, publicKey }, index) => ({ index, host, port, publicKey })),
    zeroState: zeroState ?? chain.zeroState,
    initBlock: chain.zeroState,
    hardforks: [],
  };
  const pool: LitePool = createPool({
    ...options,
    config,
    log,
    connect: (server) => createConnection({ ...server, reconnectFirstMs: 10, reconnectMaxMs: 40 }),
    timing: { ...SHORT_TIMING, ...options.timing },
    // Replaces the proof through key blocks: checks whether the block belongs to the chain.
    proveHead: trustHeads
      ? undefined
      : (options.proveHead ??
        (async (_server, block) => {
          if (!chain.has(block)) throw new ProofFailure('VALIDATE_BLOCK_PROOF', ': no such block');
        })),
  });
  return {
    chain,
    servers,
    pool,
    log,
    names: servers.map(({ host, port }) => `${host}:${port}`),
    async close(): Promise<void> {
      await pool.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** Reads and verifies an account state, like a query with a proof. */
export async function readState(
  { query, reference }: LiteTarget,
  chain: FakeChain,
  { account = 7, block = reference }: { account?: number; block?: BlockId } = {},
): Promise<Buffer> {
  const hash = Buffer.alloc(32);
  hash.writeUInt32BE(account);
  const request = encodeRequest({ method: 'getAccountState', id: block, account: { workchain: 0, hash } });
  const { state } = decodeResponse('getAccountState', await query(request));
  if (!state.equals(chain.stateOf(hash, block)))
    throw new ProofFailure('VALIDATE_ACCOUNT_STATE', ': account state hash mismatch');
  return state;
}
