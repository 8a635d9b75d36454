import type { FastifyInstance } from 'fastify';
import type { LitePool } from '../lite/pool.ts';
import { V2_VERSION } from './version.ts';

/**
 * Adds `GET /healthcheck`: 200 with nothing in it while a lite server of everybody's is live, else 503. It needs no key
 * and counts against no limit.
 */
export function addHealthcheck(app: FastifyInstance, pool: () => Pick<LitePool, 'check'>): void {
  const config = { gated: false, interface: 'v2', operation: 'healthcheck' };
  app.get('/healthcheck', { config }, async (_request, reply) => {
    await pool().check();
    return reply.headers({ 'x-api-version': V2_VERSION, 'cache-control': 'no-store' }).send();
  });
}
