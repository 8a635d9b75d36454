import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { CLIENT_GONE } from './errors.ts';

/** Called for every finished request. */
export type OnRequestDone = (
  interfaceName: string,
  operation: string,
  status: number,
  seconds: number,
) => void;

interface RequestLogOptions {
  readonly onRequestDone: OnRequestDone;
}

/** One log line and one measurement for every request; never the query of a URL, which may contain a key. */
export const requestLog = fp(async (app, { onRequestDone }: RequestLogOptions) => {
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  // Fastify calls `onResponse` only when the response was written, which it is not to a closed connection.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.raw.socket.destroyed) record(request, CLIENT_GONE, reply.elapsedTime);
    done();
  });

  function record(request: FastifyRequest, status: number, ms: number): void {
    const { routeConfig, calledOperation } = request;
    const interfaceName = routeConfig.interface ?? 'none';
    const operation = calledOperation ?? routeConfig.operation ?? 'none';
    onRequestDone(interfaceName, operation, status, ms / 1000);
    if (routeConfig.public === true) return;
    const line = {
      interface: interfaceName,
      operation,
      keyId: request.keyId,
      ip: request.ip,
      status,
      ms: Math.round(ms * 1000) / 1000,
    };
    if (status >= 500) request.log.error(line, 'Request failed');
    else request.log.info(line, 'Request completed');
  }
});
