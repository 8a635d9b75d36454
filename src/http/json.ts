import type { IncomingMessage } from 'node:http';
import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { CALLER_LIMITS, parseJson } from '../lib/parse-json.ts';
import { USUAL_BODY_BYTES } from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Size of the JSON body in characters; 0 without one. */
    bodyChars: number;
  }
}

const LIMITS = { ...CALLER_LIMITS, depth: 2048 };
const JSON_TYPE = 'application/json';
const FASTIFY_JSON_TYPE = 'application/json; charset=utf-8';

/**
 * JSON as the contracts of both interfaces require it. Request bodies are JSON whatever their content type, because
 * clients send JSON labelled as a form or not labelled at all; an empty body arrives as undefined. Responses are
 * `application/json` without a charset.
 */
export const jsonBodies = fp(async (app) => {
  app.decorateRequest('bodyChars', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const { bodyBytes = USUAL_BODY_BYTES, bodyValues = LIMITS.values } = request.routeConfig.limits ?? {};
    readText(payload, bodyBytes, (failure, text) => {
      if (failure !== null) return done(failure);
      // An unknown path is 404 whatever its body is.
      if (request.is404 || text.length === 0) return done(null, undefined);
      request.bodyChars = text.length;
      try {
        done(null, parseJson(text, { ...LIMITS, values: bodyValues }));
      } catch (error) {
        const detail = error instanceof RangeError ? error.message : 'invalid JSON';
        done(new Failure('invalid', `failed to parse post request: ${detail}`, { cause: error }));
      }
    });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.getHeader('content-type') === FASTIFY_JSON_TYPE) reply.header('content-type', JSON_TYPE);
    done();
  });
});

type OnText = (failure: Error | null, text: string) => void;

/**
 * Reads a body as text. One that says it is too large is refused without being read, others as soon as they are; the
 * reader of Fastify does the same but its error does not know the limit.
 */
function readText(payload: IncomingMessage, maxBytes: number, onText: OnText): void {
  const announced = Number(payload.headers['content-length']);
  if (announced > maxBytes) {
    onText(bodyTooLarge(maxBytes), '');
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;

  function onData(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > maxBytes) finish(bodyTooLarge(maxBytes));
    else chunks.push(chunk);
  }

  function onEnd(): void {
    finish(null);
  }

  function finish(failure: Error | null): void {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
    if (failure !== null) onText(failure, '');
    else onText(null, chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks, bytes).toString());
  }

  function onError(error: Error): void {
    const isOurs = error instanceof Failure;
    finish(isOurs ? error : new Failure('bad_request', 'Request body was not received', { cause: error }));
  }

  payload.on('data', onData).on('end', onEnd).on('error', onError);
}

function bodyTooLarge(maxBytes: number): Failure {
  return new Failure('body_too_large', `Request body is larger than ${maxBytes} bytes`);
}
