import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TAG_CHARS = 22;

/** The weak tag of a response whose meaning is this text; what surrounds it may differ between responses. */
export function weakTag(text: string | Buffer): string {
  return tagOfDigest(hash('sha256', text, 'base64url'));
}

/** The same from the SHA-256 of the text, in base64url. */
export function tagOfDigest(digest: string): string {
  return `W/"${digest.slice(0, TAG_CHARS)}"`;
}

/**
 * `onSend` hook of a route: 304 without a body for a request whose `If-None-Match` has the `ETag` of the response.
 * @fastify/etag would tag every body, errors and changing envelopes included, and knows no lists in `If-None-Match`.
 */
export function sendNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload?: unknown) => void,
): void {
  const ifNoneMatch = request.headers['if-none-match'];
  const tag = ifNoneMatch === undefined ? undefined : reply.getHeader('etag');
  if (tag === undefined || !matchesTag(ifNoneMatch, String(tag))) {
    done(null, payload);
    return;
  }
  reply.code(304).removeHeader('content-type');
  // The hook that Fastify adds to HEAD routes does not accept null, and gives other payloads than streams a length.
  done(null, request.method === 'HEAD' ? Readable.from([]) : null);
}

/** Whether an `If-None-Match` has the tag; weak and strong forms of a tag are the same, as HTTP says. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque);
}
