import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySerializerCompiler } from 'fastify';
import Type from 'typebox';
import { WrittenBody } from '../http/body.ts';
import { startErrorReply } from '../http/errors.ts';
import { compileSerializer, type Serializer } from '../http/serializer.ts';
import { JsonText } from '../lib/json-text.ts';
import type { V3ResponseNotes } from './operation.ts';

/** The body of every error; `code` repeats the HTTP status. */
export const v3ErrorSchema = Type.Object({ code: Type.Integer(), error: Type.String() }, { title: 'Error' });

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Escapes the characters that the reference server escapes; in JSON they only occur inside strings. */
export function escapeJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char]!);
}

/** Compiles a schema into a writer of texts that responses take in as they are, so they must be escaped. */
export function compileReadyText(schema: object): (value: unknown) => JsonText {
  const write = compileSerializer(schema);
  return (value) => new JsonText(escapeJson(write(value)));
}

/** The serializer compiler of v3. Results of its operations arrive written, because that is done in slices. */
const compileResponse: FastifySerializerCompiler<unknown> = ({ schema }) => {
  let write: Serializer | undefined;
  return (value) => {
    if (value instanceof WrittenBody) return value.payload() as string;
    write ??= compileSerializer(schema as object);
    return escapeJson(write(value));
  };
};

/** Serialises the responses of the routes that are added after it, and gives them their headers. */
export function addV3Responses(app: FastifyInstance): void {
  app.setSerializerCompiler(compileResponse);
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-api-version', V3_VERSION);
    // In milliseconds, as the standard says.
    reply.header('server-timing', `app;dur=${reply.elapsedTime.toFixed(3)}`);
    const { indexedSeqno, missingSeqnos } = request.v3Notes ?? {};
    if (indexedSeqno !== undefined) reply.header('x-tongate-seqno', indexedSeqno);
    if (missingSeqnos) reply.header('x-tongate-missing-seqnos', missingSeqnos);
    done();
  });
}

export function addV3Errors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, text } = startErrorReply(error, request, reply);
    return { code: status, error: text };
  });
}

export function setResultHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { nextCursor, isLive }: V3ResponseNotes,
): void {
  if (nextCursor !== undefined) {
    reply.header('x-tongate-next-cursor', nextCursor);
    // A URL cannot have what was sent in a body.
    const next = request.method === 'POST' ? undefined : nextPage(request.originalUrl, nextCursor);
    if (next !== undefined && next.length <= MAX_LINK_LENGTH) reply.header('link', `<${next}>; rel="next"`);
  }
  if (isLive) reply.header('x-tongate-source', 'lite-server');
}

/** `onSend` hook of a route: every request has to pass keys and limits, so caches must revalidate results. */
export function requireRevalidation(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload?: unknown) => void,
): void {
  if (reply.statusCode === 200) reply.header('cache-control', 'no-cache');
  done(null, payload);
}

/** Clients refuse response heads of 16 kB in all; a query can have a thousand addresses. */
const MAX_LINK_LENGTH = 4096;

function nextPage(url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '');
  for (const name of [...query.keys()])
    if (/^(?:offset|cursor|api_key)(?:\[\])?$/i.test(name)) query.delete(name);
  query.set('cursor', cursor);
  return `?${query}`;
}

/**
 * Sent as `X-API-Version`. The reference server sends the version of its database schema there; 1.3.0 is the one
 * whose behaviour this interface follows, so clients that look at it see the features they will find.
 */
export const V3_VERSION = '1.3.0';
