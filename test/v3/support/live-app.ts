import type { FastifyInstance } from 'fastify';
import { createLiveChain } from '../../../src/live/chain.ts';
import type { LivePorts } from '../../../src/live/session.ts';
import type { V3Ports } from '../../../src/v3/call.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { createCall } from '../../live/support/make-call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { openLocalnetApp } from '../../v2/support/v2-app.ts';
import { buildV3App, NO_INDEX } from './build-app.ts';

/** The demo chain with v2 and with what v3 reads of lite servers; it stands still unless it is told to mine. */
export async function openLiveApp(ports: Partial<LivePorts> = {}) {
  const chain = await openLocalnetApp({ demo: true, blockMs: 3_600_000, shards: 4 });
  const live = createLiveChain(createCall(chain, ports).ports);
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

/**
 * The accounts of an index of the demo, apart from those that act in its last block: a chain makes one when it starts,
 * and its time is another one each time.
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
