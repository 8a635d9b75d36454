import fp from 'fastify-plugin';
import { Failure } from '../lib/errors.ts';
import { CALLER_LIMITS, parseJson } from '../lib/parse-json.ts';

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
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, text: string, done) => {
    // An unknown path is 404 whatever its body is.
    if (request.is404 || text.length === 0) return done(null, undefined);
    request.bodyChars = text.length;
    const { bodyValues = LIMITS.values } = request.routeOptions.config.limits ?? {};
    try {
      done(null, parseJson(text, { ...LIMITS, values: bodyValues }));
    } catch (error) {
      const detail = error instanceof RangeError ? error.message : 'invalid JSON';
      done(new Failure('invalid', `failed to parse post request: ${detail}`, { cause: error }));
    }
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.getHeader('content-type') === FASTIFY_JSON_TYPE) reply.header('content-type', JSON_TYPE);
    done();
  });
});
