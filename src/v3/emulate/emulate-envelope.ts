import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { statusOf } from '../../http/errors.ts';
import { sendV3 } from '../envelope.ts';

/** Body of every failure. */
export const emulateErrorSchema = Type.Object({ error: Type.String() });

const [BAD_REQUEST, UNPROCESSABLE, SERVER_FAULT, OVERLOADED] = [400, 422, 500, 503];

/** Turns anything thrown into the error body. What is wrong with a request is 400 here, what is wrong elsewhere 500. */
export function addEmulateEnvelope(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, text, retryAfterSeconds, unexpected } = statusOf(error);
    if (unexpected) request.log.error({ err: error }, 'unexpected error');
    if (retryAfterSeconds !== undefined) request.head?.header('retry-after', retryAfterSeconds);
    if (status === BAD_REQUEST || status === UNPROCESSABLE)
      return sendV3(reply.code(BAD_REQUEST), JSON.stringify({ error: `invalid request: ${text}` }));
    const isOfServer = status > SERVER_FAULT && status !== OVERLOADED;
    return sendV3(reply.code(isOfServer ? SERVER_FAULT : status), JSON.stringify({ error: text }));
  });
}
