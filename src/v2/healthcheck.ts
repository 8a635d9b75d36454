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

/** The same for the OpenAPI document. */
export const healthcheckPath = {
  get: {
    operationId: 'healthcheck_get',
    tags: ['service'],
    security: [{}],
    summary: 'Whether a lite server can be asked',
    description: 'Needs no key and counts against no limit.',
    responses: {
      200: { description: 'At least one lite server is live; the body is empty' },
      503: { $ref: '#/components/responses/Error503' },
    },
  },
};
