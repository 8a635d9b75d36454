import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Headers } from '../http/answer-head.ts';
import { elapsedMs } from '../http/entry.ts';
import { statusOf } from '../http/errors.ts';
import { sendJson } from '../http/json-reply.ts';
import { V3_VERSION } from './version.ts';

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
export function v3Headers({ request }: FastifyReply): Headers {
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
