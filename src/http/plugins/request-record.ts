import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Operation that a JSON-RPC call turned out to be; null where the route itself is the operation. */
    calledOperation: string | null;
  }
  interface FastifyContextConfig {
    /** Interface that the route belongs to, as metrics and logs call it. */
    interface?: string;
  }
}

/** Told about every answered request. */
export type OnRequestDone = (
  interfaceName: string,
  operation: string,
  status: number,
  seconds: number,
) => void;

/** Writes one log line and one measurement for every answered request; never a URL's query, which may hold a key. */
export function addRequestRecord(app: FastifyInstance, onRequestDone: OnRequestDone): void {
  app.decorateRequest('calledOperation', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { config } = request.routeOptions;
    const interfaceName = config.interface ?? 'none';
    const operation = request.calledOperation ?? config.operation ?? 'none';
    const ms = reply.elapsedTime;
    onRequestDone(interfaceName, operation, reply.statusCode, ms / 1000);
    if (config.gated !== false) {
      const line = {
        reqId: request.id,
        interface: interfaceName,
        operation,
        keyId: request.keyId,
        ip: request.ip,
        status: reply.statusCode,
        ms: Math.round(ms * 1000) / 1000,
      };
      if (reply.statusCode >= 500) app.log.error(line, 'request failed');
      else app.log.info(line, 'request');
    }
    done();
  });
}
