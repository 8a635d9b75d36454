import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';

const MAX_JSON_DEPTH = 2048;

/**
 * Reads every body as JSON whatever its content type says: clients in the field send JSON labelled as a form
 * or not labelled at all. An empty body arrives as undefined.
 */
export function addJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    // A path that does not exist answers 404, not what is wrong with the body sent to it.
    if (request.is404 || body.length === 0) return done(null, undefined);
    try {
      done(null, parseJson(body as string, MAX_JSON_DEPTH));
    } catch (error) {
      const detail = error instanceof RangeError ? error.message : 'invalid JSON';
      done(new Failure('invalid', `failed to parse post request: ${detail}`, { cause: error }));
    }
  });
}

/** Gives every body the same label: Fastify answers 415 to labels that are not even media types. */
export function relabelBody({ method, raw }: FastifyRequest): void {
  if (method === 'GET' || raw.headers['content-type'] === undefined) return;
  raw.headers['content-type'] = 'application/json';
}
