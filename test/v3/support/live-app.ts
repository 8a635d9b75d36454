import type { FastifyInstance } from 'fastify';
import { createLiveChain } from '../../../src/live/chain.ts';
import type { LivePorts } from '../../../src/live/session.ts';
import type { V3Ports } from '../../../src/v3/operation.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { createCall } from '../../live/support/make-call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { openLocalnetApp } from '../../v2/support/v2-app.ts';
import { buildV3App, NO_INDEX } from './build-app.ts';

/** The demo chain with v2 and the live ports of v3; it produces blocks only on request. */
export async function openLiveApp(ports: Partial<LivePorts> = {}) {
  const chain = await openLocalnetApp({ demo: true, blockMs: 3_600_000, shards: 4 });
  const live = createLiveChain(createCall(chain, ports).ports);
  const apps: FastifyInstance[] = [];
  return {
    ...chain,
    live,
    /** v3 with an index and this chain. */
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

/**
 * The accounts of a demo index except those of its last block, which a chain produces at start and whose time differs in
 * every run.
 */
export async function steadyAccounts({
  database,
}: TestDatabase): Promise<{ readonly address: string; readonly status: string }[]> {
  const rows = await database.primary
    .selectFrom('latest_account_states')
    .select(['account', 'status'])
    .where('mc_seqno', '<', (query) =>
      query.selectFrom('latest_account_states').select((max) => max.fn.max('mc_seqno').as('last')),
    )
    .execute();
  return rows.map(({ account, status }) => ({ address: formatAccount(account), status }));
}
