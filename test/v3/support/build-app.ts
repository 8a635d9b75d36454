import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../src/lib/errors.ts';
import type { LiveChain } from '../../../src/live/chain.ts';
import { createV3Interface, type V3InterfaceOptions } from '../../../src/v3/interface.ts';
import type { V3Ports } from '../../../src/v3/operation.ts';
import { createTestApp } from '../../support/app.ts';

/** An empty chain that accepts every message. */
export const EMPTY_CHAIN: LiveChain = {
  accountState: async () => undefined,
  config: async () => {
    throw new Failure('no_lite_server', 'this chain has no config');
  },
  runGetMethod: async () => ({ exitCode: -13, gasUsed: 0, stack: [] }),
  estimateFee: async () => ({ importFee: 0n, storageFee: 0n, gasFee: 0n, forwardFee: 0n }),
  sendMessage: async () => ({ hash: Buffer.alloc(32), normalizedHash: Buffer.alloc(32) }),
};

/** The ports of an application without an index; tests override what they need. */
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

/** An application with the v3 interface alone; `prepare` may add hooks before it. */
export async function buildV3App(
  options: Partial<V3InterfaceOptions> = {},
  prepare: (app: FastifyInstance) => void = () => {},
): Promise<FastifyInstance> {
  const limits = { defaultLimit: 10, maxLimit: 1000 };
  const v3 = createV3Interface({ ports: NO_INDEX, limits, ...options });
  return createTestApp({
    overrides: {
      cors: false,
      compress: false,
      interfaces: [
        {
          prefix: '/api/v3',
          plugin: async (app) => {
            prepare(app);
            await v3(app, {});
          },
        },
      ],
    },
  });
}
