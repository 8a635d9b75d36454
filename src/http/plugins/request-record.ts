import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import type { Logger } from '../../observe/logger.ts';
import { createRequestLines } from '../request-lines.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Operation that a JSON-RPC call turned out to be; null where the route itself is the operation. */
    calledOperation: string | null;
    /** The config of the route; `routeOptions`, where Fastify keeps it, is built anew on every access. */
    route: FastifyContextConfig;
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

const NO_ROUTE: FastifyContextConfig = {};

interface RequestRecordOptions {
  readonly log: Logger;
  readonly onRequestDone: OnRequestDone;
}

/** Writes one log line and one measurement for every answered request; never a URL's query, which may hold a key. */
export function addRequestRecord(app: FastifyInstance, { log, onRequestDone }: RequestRecordOptions): void {
  const lines = createRequestLines(log);
  app.addHook('onClose', async () => lines.flush());
  app.decorateRequest('calledOperation', null);
  app.decorateRequest('route');
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions.config ?? NO_ROUTE;
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { route, calledOperation } = request;
    const interfaceName = route.interface ?? 'none';
    const operation = calledOperation ?? route.operation ?? 'none';
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    onRequestDone(interfaceName, operation, status, ms / 1000);
    if (route.gated !== false) {
      lines.add({
        reqId: request.id,
        interface: interfaceName,
        operation,
        keyId: request.keyId,
        ip: request.ip,
        status,
        ms: Math.round(ms * 1000) / 1000,
      });
    }
    done();
  });
}
