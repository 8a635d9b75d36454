import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const DAY_SECONDS = 86400;

/** Lets any web page call both interfaces; a keyless GET needs no preflight, a preflight costs no request. */
export async function addCrossOrigin(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    allowedHeaders: [
      'Content-Type',
      'X-API-Key',
      'X-Ton-Client-Version',
      'X-Actions-Version',
      'X-Timeout',
      'X-No-Address-Book',
      'X-No-Metadata',
      'X-Request-Id',
      'If-None-Match',
    ],
    exposedHeaders: [
      'X-API-Version',
      'X-Request-Id',
      'Retry-After',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Server-Timing',
      'ETag',
      'Link',
    ],
    maxAge: DAY_SECONDS,
    strictPreflight: false,
    preflightContinue: false,
    optionsSuccessStatus: 204,
  });
}
