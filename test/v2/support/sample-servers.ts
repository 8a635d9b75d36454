import { splitWaitPrefix } from '../../../src/chain/tl/lite-envelope.ts';
import { createConnection } from '../../../src/lite/connection.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import { encodeResponse, type LiteRequest } from '../../../src/lite/methods/codec.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import { createLiveCaches } from '../../../src/live/caches.ts';
import type { LivePorts } from '../../../src/live/session.ts';
import { createTestApp } from '../../support/app.ts';
import { type SampleChain, sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { answerRequest } from '../../support/chain-builder/sample-server.ts';
import type { LiteResponse } from '../../support/lite-response.ts';
import { decodeRequest, startLiteServer } from '../../support/lite-server.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { callV2, type Transport, type TransportResponse } from './transports.ts';

/** How one lite server of a built network behaves. */
export interface SampleServer {
  /** The oldest masterchain block it has. */
  readonly oldest?: number;
  /** Responds slowly, so that others are tried first. */
  readonly isSlow?: boolean;
  /** Overrides the honest response; throws for an error, returns undefined for the honest one. */
  readonly answer?: (request: LiteRequest, honest: () => LiteResponse) => LiteResponse | undefined;
}

/** v2 with lite servers of a built network. */
export interface SampleServers {
  readonly chain: SampleChain;
  readonly pool: LitePool;
  readonly ports: Pick<LivePorts, 'pool' | 'check' | 'caches'>;
  /** What each server was asked, apart from how far it is. */
  readonly requests: readonly LiteRequest[][];
  call(method: string, params: object, transport?: Transport): Promise<TransportResponse>;
  close(): Promise<void>;
}

const WATCHED = new Set<LiteRequest['method']>([
  'getMasterchainInfo',
  'getMasterchainInfoExt',
  'lookupBlock',
]);

const SLOW_MS = 60;

/** Starts the servers; heads are not proven, because built blocks are not signed, but all other responses are verified. */
export async function openSampleServers(
  servers: readonly SampleServer[],
  chain: SampleChain = sampleChain(),
): Promise<SampleServers> {
  const requests: LiteRequest[][] = servers.map(() => []);
  const started = await Promise.all(
    servers.map(({ oldest = 0, isSlow, answer }, index) =>
      startLiteServer({
        ...(isSlow && { misbehave: { kind: 'slow', delayMs: SLOW_MS } }),
        answer: (bytes) => {
          const request = decodeRequest(splitWaitPrefix(bytes).request);
          if (!WATCHED.has(request.method)) requests[index]!.push(request);
          if (request.method === 'lookupBlock' && request.id.seqno < oldest)
            throw new LiteServerError(651, 'cannot find block: ltdb: block not found');
          const honest = () => answerRequest(chain, request);
          return encodeResponse(request.method, (answer?.(request, honest) ?? honest()) as never);
        },
      }),
    ),
  );
  const pool = createPool({
    config: {
      liteServers: started.map(({ host, port, publicKey }, index) => ({ index, host, port, publicKey })),
      zeroState: chain.zeroState.id,
      initBlock: chain.zeroState.id,
      hardforks: [],
    },
    connect: createConnection,
    log: createQuietLog(),
    timing: { firstProbeMs: 10 },
  });
  const ports = { pool: () => pool, check: { verify: true }, caches: createLiveCaches() };
  const app = await createTestApp({ ports });
  await untilKnown(pool);
  return {
    chain,
    pool,
    ports,
    requests,
    call: (method, params, transport = 'post') => callV2(app, transport, method, { ...params }),
    async close() {
      await app.close();
      await pool.close();
      for (const server of started) await server.stop();
    },
  };
}

/** Waits until every server is live and its archive depth is known. */
async function untilKnown(pool: LitePool): Promise<void> {
  while (pool.servers().some(({ state, oldestSeqno }) => state !== 'live' || oldestSeqno === undefined))
    await new Promise((resolve) => setTimeout(resolve, 5));
}
