import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const SANE_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Makes request ids: the caller's `X-Request-Id` where it is sane, else a counter behind a random prefix,
 * which is unique across processes and costs no randomness per request.
 */
export function createRequestIds(): (request: { headers: IncomingHttpHeaders }) => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && SANE_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
