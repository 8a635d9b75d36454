import type { FastifyInstance } from 'fastify';
import { createV3Live } from '../../../src/cli/v3-live.ts';
import type { V2Ports } from '../../../src/v2/call.ts';
import type { V3Ports } from '../../../src/v3/call.ts';
import { makeCall } from '../../v2/support/make-call.ts';
import { openLocalnetGround } from '../../v2/support/v2-ground.ts';
import { buildV3App, NO_INDEX } from '../build-app.ts';

/** The demo chain with v2 and with what v3 reads of lite servers; it stands still unless it is told to mine. */
export async function openLiveGround(ports: Partial<V2Ports> = {}) {
  const chain = await openLocalnetGround({ demo: true, blockMs: 3_600_000, shards: 4 });
  const live = createV3Live(makeCall(chain, ports).ports);
  const apps: FastifyInstance[] = [];
  return {
    ...chain,
    live,
    /** v3 in front of an index and this chain. */
    async openV3(index: Pick<V3Ports, 'database'> & Partial<V3Ports>): Promise<FastifyInstance> {
      const app = await buildV3App({
        ports: { ...NO_INDEX, testOnly: true, live, liveFallback: true, ...index },
      });
      apps.push(app);
      return app;
    },
    close: async () => {
      for (const app of apps) await app.close();
      await chain.close();
    },
  };
}
