import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { addEntry } from '../../../src/http/entry.ts';
import { addJsonBody } from '../../../src/http/plugins/json-body.ts';
import { createUrlRewriter } from '../../../src/http/rewrite-url.ts';
import type { LiveChain } from '../../../src/live/chain.ts';
import { createLogger } from '../../../src/observe/logger.ts';
import type { V3Ports } from '../../../src/v3/call.ts';
import { createV3Interface, type V3InterfaceOptions } from '../../../src/v3/interface.ts';
import { openGate } from '../../support/app.ts';

const log = createLogger({ level: 'silent' });

/** A chain on which there is nothing, and which takes every message. */
export const EMPTY_CHAIN: LiveChain = {
  accountState: async () => undefined,
  runGetMethod: async () => ({ exitCode: -13, gasUsed: 0, stack: [] }),
  estimateFee: async () => ({ importFee: 0n, storageFee: 0n, gasFee: 0n, forwardFee: 0n }),
  sendMessage: async () => ({ hash: Buffer.alloc(32), normalizedHash: Buffer.alloc(32) }),
};

/** The ports of an application without an index; tests put in what they have. */
export const NO_INDEX: V3Ports = {
  database: {
    read: async () => {
      throw new Error('this application has no index');
    },
  },
  testOnly: false,
  metadataQueue: { add: () => {} },
  live: EMPTY_CHAIN,
  liveFallback: false,
  networkVersion: () => 12,
  pending: { find: async () => [] },
};

/** The v3 interface below its prefix on an application that has only what v3 relies on. */
export async function buildV3App(
  options: Partial<V3InterfaceOptions> = {},
  prepare: (app: FastifyInstance) => void = () => {},
): Promise<FastifyInstance> {
  const rewriteUrl = createUrlRewriter('');
  const app = Fastify({
    rewriteUrl: (request) => rewriteUrl(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true },
  });
  await addEntry(app, {
    log,
    gate: openGate,
    cors: false,
    shedding: { loopDelayMs: 0, heapPercent: 0, onShed: () => {} },
    onRequestDone: () => {},
    writeLine: () => {},
  });
  addJsonBody(app);
  prepare(app);
  const limits = { defaultLimit: 10, maxLimit: 1000 };
  await app.register(createV3Interface({ ports: NO_INDEX, limits, ...options }), { prefix: '/api/v3' });
  await app.ready();
  return app;
}
