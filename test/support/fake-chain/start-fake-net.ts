import { createConnection } from '../../../src/lite/connection/create-connection.ts';
import { ProofFailure } from '../../../src/lite/errors.ts';
import type { GlobalConfig } from '../../../src/lite/global-config.ts';
import { createPool, type LitePool, type PoolOptions } from '../../../src/lite/pool.ts';
import type { PoolTiming } from '../../../src/lite/pool-timing.ts';
import { startLiteServer } from '../lite-server/start-lite-server.ts';
import { createQuietLog } from '../quiet-log.ts';
import { answerFromChain, type ServerTraits } from './answer-from-chain.ts';
import { createFakeChain, type FakeChain } from './fake-chain.ts';

/** The times of a pool in service, made short. */
const SHORT_TIMES: Partial<PoolTiming> = {
  queryMs: 1000,
  requestMs: 2000,
  startMs: 500,
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
  /** Whether heads are believed. */
  readonly believe?: boolean;
  readonly zeroState?: GlobalConfig['zeroState'];
}

/** Starts lite servers over ADNL that share one chain, and a pool over them. */
export async function startFakeNet({
  servers: traits,
  believe = false,
  zeroState,
  ...options
}: FakeNetOptions) {
  const chain = options.chain ?? createFakeChain(100);
  const servers = await Promise.all(
    traits.map((one) => startLiteServer({ answer: answerFromChain(chain, one) })),
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
    timing: { ...SHORT_TIMES, ...options.timing },
    // Stands for the proof through key blocks: it says whether the block is one of the chain's.
    proveHead: believe
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
