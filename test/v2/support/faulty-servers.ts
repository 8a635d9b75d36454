import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { BlockId } from '../../../src/chain/block-id.ts';
import { decodeLiteError, splitWaitPrefix } from '../../../src/chain/tl/lite-envelope.ts';
import { listen } from '../../../src/http/listen.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { type GlobalConfig, parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createHeadProver } from '../../../src/lite/head-proof.ts';
import { decodeResponse, type LiteRequest } from '../../../src/lite/methods/codec.ts';
import { createPool, type HeadServer, type LitePool } from '../../../src/lite/pool.ts';
import type { PoolTiming } from '../../../src/lite/pool-timing.ts';
import { createLiveCaches, type LiveCaches } from '../../../src/live/caches.ts';
import type { LivePorts } from '../../../src/live/session.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { type RunningLocalnet, startLocalnet } from '../../../src/localnet/chain/start-localnet.ts';
import { RecentMessages } from '../../../src/localnet/lite-server/methods/method-context.ts';
import { createRequestHandler } from '../../../src/localnet/lite-server/request-handler.ts';
import { createResultCache, type ResultCache } from '../../../src/v2/cache.ts';
import { createTestApp, testAccess } from '../../support/app.ts';
import { copyDemoChain } from '../../support/demo-chain.ts';
import {
  decodeRequest,
  type LiteServer,
  type Misbehaviour,
  type Script,
  startLiteServer,
} from '../../support/lite-server.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { createChainView, type ViewLimits } from './chain-view.ts';
import { callV2, type Transport, type TransportResponse } from './transports.ts';

/** v2 with lite servers that misbehave on demand and a local chain that makes blocks on demand. */
export interface FaultyServers {
  readonly running: RunningLocalnet;
  readonly folder: string;
  readonly servers: readonly FaultyServer[];
  readonly pool: LitePool;
  readonly log: ReturnType<typeof createQuietLog>;
  readonly app: Awaited<ReturnType<typeof createTestApp>>;
  readonly cache: ResultCache;
  readonly port: number;
  /** Number of requests received. */
  readonly arrived: number;
  /** The request records. */
  readonly answered: { operation: string; status: number }[];
  call(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    transport?: Transport,
  ): Promise<TransportResponse>;
  /** Makes blocks and waits until the pool has seen them. */
  mine(count?: number): Promise<void>;
  /** Clears the caches. */
  forget(): void;
  close(): Promise<void>;
}

interface ShakyOptions {
  readonly servers?: number;
  readonly timing?: Partial<PoolTiming>;
  readonly ports?: Partial<LivePorts>;
  /** Deploys the demo first. */
  readonly demo?: boolean;
  /** Whether heads are proven; skipping that saves a proof per server. Other responses are always verified. */
  readonly provesHeads?: boolean;
}

const HOUR_MS = 3_600_000;
/** Longer than any test waits, for a busy machine. */
const REQUEST_MS = 30_000;

/** Starts chain, servers and v2. */
export async function openFaultyServers({
  servers: count = 1,
  timing = {},
  ports,
  demo = false,
  provesHeads = false,
}: ShakyOptions = {}): Promise<FaultyServers> {
  const log = createQuietLog();
  const folder = makeTemporaryDirectory('shaky');
  if (demo) await copyDemoChain(folder, 1);
  const running = await startLocalnet({
    routineTransactions: true,
    vm: sharedVm(),
    folder,
    settings: { blockMs: HOUR_MS, mine: 'interval', shards: 1 },
    host: '127.0.0.1',
    port: 0,
    log,
  });
  const ended = new AbortController();
  const servers = await Promise.all(
    Array.from({ length: count }, () => startShakyServer(running.localnet, log, ended.signal)),
  );
  const config = parseGlobalConfig(await readFile(running.globalConfigPath, 'utf8'));
  const liteServers = servers.map(({ host, port, publicKey }, index) => ({ index, host, port, publicKey }));
  const pool = createPool({
    config: { ...config, liteServers },
    log,
    timing,
    connect: (server) => createConnection({ ...server, reconnectFirstMs: 10, reconnectMaxMs: 40 }),
    proveHead: provesHeads ? await proverOf(config, log) : undefined,
  });
  const cache = createResultCache();
  const { memory, forget } = createForgetfulMemory();
  const answered: FaultyServers['answered'] = [];
  let arrived = 0;
  const admit = async () => {
    arrived += 1;
  };
  const app = await createTestApp({
    access: testAccess(admit),
    ports: { pool: () => pool, caches: memory, requestMs: REQUEST_MS, ...ports },
    cache,
    overrides: {
      onRequestDone: (_interface, operation, status) => void answered.push({ operation, status }),
    },
  });
  await listen(app, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  // The chain makes a block when it starts; after that no block is made by itself.
  const { seqno } = await running.localnet.mine();
  await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
  return {
    running,
    folder,
    servers,
    pool,
    log,
    app,
    cache,
    answered,
    get arrived() {
      return arrived;
    },
    port: (app.server.address() as AddressInfo).port,
    call: (method, params = {}, transport = 'post') => callV2(app, transport, method, params),
    async mine(blocks = 1) {
      const { seqno } = await running.localnet.mine(blocks);
      await pool.waitForSeqno(seqno, { timeoutMs: 120_000 });
    },
    forget() {
      cache.clear();
      forget();
    },
    async close() {
      await app.close();
      await pool.close();
      ended.abort();
      for (const server of servers) await server.stop();
      await running.stop();
    },
  };
}

async function proverOf(config: GlobalConfig, log: ReturnType<typeof createQuietLog>) {
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, store: memory, log });
  return (from: HeadServer, block: BlockId) => prover.prove(from.query, block);
}

/** Caches that can be cleared while others hold a reference to them. */
function createForgetfulMemory(): { memory: LiveCaches; forget: () => void } {
  let now = createLiveCaches();
  return {
    memory: new Proxy(now, {
      get: (_first, name) => Reflect.get(now, name),
      set: (_first, name, value) => Reflect.set(now, name, value),
    }),
    forget() {
      now = createLiveCaches();
    },
  };
}

/** A lite server of a local chain that behaves correctly until told otherwise. */
export interface FaultyServer extends LiteServer {
  /** Number of queries by method. */
  count(method: LiteRequest['method']): number;
  /** Limits the part of the chain it has from now on; without limits it has the whole chain. */
  limit(limits?: ViewLimits): void;
  /** Receives no more blocks from now on. */
  freeze(): void;
  /** Whether it flips a bit of each proof or other bag of cells in its responses. */
  lies: boolean;
}

/** Anything shorter is a hash. */
const LEAST_PROOF_BYTES = 40;
const VERSION = { version: 0x101, capabilities: 15n };

/** Misbehaviour for some methods only, so that the head is still followed. */
export function only(methods: LiteRequest['method'] | RegExp, misbehaviour: Misbehaviour): Script {
  const fits =
    typeof methods === 'string' ? (name: string) => name === methods : (name: string) => methods.test(name);
  return (request) => (fits(methodOf(request)) ? misbehaviour : undefined);
}

/** Starts a server for a chain; the signal stops queries that wait for a block. */
async function startShakyServer(
  localnet: Localnet,
  log: ReturnType<typeof createQuietLog>,
  signal: AbortSignal,
): Promise<FaultyServer> {
  const counts = new Map<LiteRequest['method'], number>();
  const store = createChainView(localnet.store);
  const { now } = localnet;
  const answer = createRequestHandler(
    {
      store,
      now,
      version: VERSION,
      recentMessages: new RecentMessages(now),
      sendMessage: async (body) => void (await localnet.send(body)),
    },
    log,
  );
  let flips = 0;
  const server = await startLiteServer({
    async answer(request) {
      const method = methodOf(request);
      counts.set(method, (counts.get(method) ?? 0) + 1);
      const bytes = await answer(request, signal);
      return shaky.lies ? withChangedBit(method, Buffer.from(bytes), flips++) : bytes;
    },
  });
  const shaky: FaultyServer = Object.assign(Object.create(server) as LiteServer, {
    lies: false,
    count: (method: LiteRequest['method']) => counts.get(method) ?? 0,
    limit: (limits: ViewLimits = {}) => store.limit(limits),
    freeze: () => store.limit({ newest: store.head.seqno }),
  });
  return shaky;
}

function methodOf(request: Buffer): LiteRequest['method'] {
  return decodeRequest(splitWaitPrefix(request).request).method;
}

/** Flips one bit in one of the bags of cells or signatures of a response; an error has none. */
function withChangedBit(method: LiteRequest['method'], answer: Buffer, flip: number): Buffer {
  if (decodeLiteError(answer) !== undefined) return answer;
  // Decoded buffers are views of the response.
  const proofs = proofsIn(decodeResponse(method, answer));
  if (proofs.length === 0) return answer;
  const proof = proofs[flip % proofs.length]!;
  const bit = (flip * 7919) % (proof.length * 8);
  proof[bit >> 3]! ^= 1 << (bit & 7);
  return answer;
}

function proofsIn(value: unknown): Buffer[] {
  if (Buffer.isBuffer(value)) return value.length >= LEAST_PROOF_BYTES ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(proofsIn) : [];
}
