import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Headers } from '../http/answer-head.ts';
import { namesTag, weakTag } from '../http/entity-tag.ts';
import { elapsedMs } from '../http/entry.ts';
import { statusOf } from '../http/errors.ts';
import { sendJson, sendNotModified } from '../http/json-reply.ts';
import type { V3AnswerNotes } from './call.ts';

/** Body of every failure; `code` repeats the HTTP status. */
export const v3ErrorSchema = Type.Object({ code: Type.Integer(), error: Type.String() });

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Writes the characters that the reference server escapes; in JSON text they stand inside strings only. */
function escapeJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char]!);
}

/** The headers of every v3 answer. */
function v3Headers({ request }: FastifyReply): Headers {
  return {
    'x-api-version': V3_VERSION,
    'server-timing': `app;dur=${elapsedMs(request).toFixed(3)}ms`,
  };
}

/** Sends finished JSON with them, and others. */
export function sendV3(reply: FastifyReply, json: string, headers: Headers = {}): FastifyReply {
  return sendJson(reply, escapeJson(json), { ...v3Headers(reply), ...headers });
}

/** Turns anything thrown into the error body. */
export function addV3Envelope(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, text, retryAfterSeconds, unexpected } = statusOf(error);
    if (unexpected) request.log.error({ err: error }, 'unexpected error');
    if (retryAfterSeconds !== undefined) request.head?.header('retry-after', retryAfterSeconds);
    return sendV3(reply.code(status), JSON.stringify({ code: status, error: text }));
  });
}

/** Sends the answer of an operation with its headers, or that the caller has it already. */
export function sendV3Result(
  reply: FastifyReply,
  json: string,
  { nextCursor, isLive }: V3AnswerNotes,
  isTagged: boolean,
): FastifyReply {
  const { request } = reply;
  const headers: Headers = {
    ...(nextCursor !== undefined && { link: `<${nextPage(request.originalUrl, nextCursor)}>; rel="next"` }),
    ...(isLive && { 'x-tongate-source': 'lite-server' }),
  };
  if (!isTagged || request.method === 'POST') return sendV3(reply, json, headers);
  // Every use passes keys and limits, so it may be kept only to ask whether it is still so.
  const tagged = { ...headers, etag: weakTag(json), 'cache-control': 'no-cache' };
  if (namesTag(request.headers['if-none-match'], tagged.etag))
    return sendNotModified(reply, { ...v3Headers(reply), ...tagged });
  return sendV3(reply, json, tagged);
}

/** The same question about the next page, as a reference relative to this one. */
function nextPage(url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  for (const name of [...query.keys()])
    if (/^(?:offset|cursor|api_key)(?:\[\])?$/i.test(name)) query.delete(name);
  query.set('cursor', cursor);
  return `?${query}`;
}

/**
 * Sent as `X-API-Version`. The reference server sends the version of its database schema there; 1.2.10 is the one
 * whose behaviour this interface follows, so clients that look at it see the features they will find.
 */
export const V3_VERSION = '1.2.10';
