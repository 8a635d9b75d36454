import type { FastifyRequest } from 'fastify';
import { Failure } from '../lib/errors.ts';

/** The largest request head that a route accepts; Node's own parser stops at `MAX_HEAD_BYTES`. */
export interface SizeLimits {
  readonly urlBytes: number;
  readonly headerBytes: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    limits?: SizeLimits;
  }
}

/** Above this the parser refuses before any route is known; v3 needs room for long address lists in a URL. */
export const MAX_HEAD_BYTES = 1024 * 1024 + 65536;

/** What is too large about a request's head: 414 or 431 in the envelope of its interface. */
export function sizeFailure(
  { originalUrl, raw: { rawHeaders } }: FastifyRequest,
  { urlBytes, headerBytes }: SizeLimits,
): Failure | undefined {
  if (originalUrl.length > urlBytes) {
    return new Failure('url_too_long', `URL is longer than ${urlBytes} bytes`);
  }
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i++) bytes += rawHeaders[i]!.length + 2;
  if (bytes <= headerBytes) return undefined;
  return new Failure('headers_too_large', `Headers are larger than ${headerBytes} bytes`);
}
