import type { FastifyInstance } from 'fastify';
import { Failure } from '../../lib/failure.ts';

/** The largest request head an interface accepts; Node's own parser stops at `MAX_HEAD_BYTES`. */
export interface SizeLimits {
  readonly urlBytes: number;
  readonly headerBytes: number;
}

/** Above this the parser refuses before any route is known; v3 needs room for long address lists in a URL. */
export const MAX_HEAD_BYTES = 1024 * 1024 + 65536;

/** Refuses over-long URLs with 414 and over-long headers with 431 in the interface's own envelope. */
export function addSizeLimits(app: FastifyInstance, limits: SizeLimits): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { rawHeaders } = request.raw;
    if (request.originalUrl.length > limits.urlBytes) {
      return done(new Failure('url_too_long', `URL is longer than ${limits.urlBytes} bytes`));
    }
    let bytes = 0;
    for (let i = 0; i < rawHeaders.length; i++) bytes += rawHeaders[i]!.length + 2;
    if (bytes > limits.headerBytes) {
      return done(new Failure('headers_too_large', `Headers are larger than ${limits.headerBytes} bytes`));
    }
    done();
  });
}
