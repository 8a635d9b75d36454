import type { Log } from '../lib/log.ts';
import { createConnection } from '../lite/connection/create-connection.ts';
import type { GlobalConfig } from '../lite/global-config.ts';
import { createPool, type LitePool } from '../lite/pool.ts';
import type { PoolMetrics } from '../lite/pool-metrics.ts';
import { createHeadMemory, type HeadMemory } from '../lite/proofs/head-memory.ts';
import { createHeadProver } from '../lite/proofs/head-prover.ts';
import type { ProveHead } from '../lite/start-server.ts';

interface OpenPoolOptions {
  readonly config: GlobalConfig;
  /** Whether heads are proven. */
  readonly verify: boolean;
  /** Where the last proven key block is kept; undefined where a proof from the first block is short. */
  readonly memoryPath: string | undefined;
  readonly metrics: PoolMetrics;
  readonly log: Log;
  /** Time for all queries of a request. */
  readonly requestMs: number;
}

const NO_MEMORY: HeadMemory = { load: async () => undefined, save: async () => {} };

/** Connects to the lite servers of a global config; it is not waited for any of them. */
export async function openPool(options: OpenPoolOptions): Promise<LitePool> {
  const { config, verify, metrics, log, requestMs } = options;
  return createPool({
    ...{ config, connect: createConnection, metrics, log },
    timing: { requestMs },
    proveHead: verify ? await createProof(options) : undefined,
  });
}

async function createProof({ config, memoryPath, log }: OpenPoolOptions): Promise<ProveHead> {
  const memory = memoryPath === undefined ? NO_MEMORY : createHeadMemory(memoryPath, log);
  const prover = await createHeadProver({ anchor: config.initBlock, memory, log });
  return ({ query }, block) => prover.prove(query, block);
}
