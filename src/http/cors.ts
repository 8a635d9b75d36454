import cors from '@fastify/cors';
import fp from 'fastify-plugin';

const DAY_SECONDS = 86400;

/** Lets any web page call both interfaces. */
export const openCors = fp(async (app) => {
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
    ].join(', '),
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
    ].join(', '),
    maxAge: DAY_SECONDS,
    // An OPTIONS request without the headers of a preflight gets the same response.
    strictPreflight: false,
  });
});
