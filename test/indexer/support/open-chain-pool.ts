import { readFile } from 'node:fs/promises';
import type { Log } from '../../../src/lib/log.ts';
import { createConnection } from '../../../src/lite/connection/create-connection.ts';
import { parseGlobalConfig } from '../../../src/lite/global-config.ts';
import { createPool, type LitePool } from '../../../src/lite/pool.ts';
import { createHeadProver } from '../../../src/lite/proofs/head-prover.ts';

/** Connects to the lite servers of a global config; heads are proven from the first block on. */
export async function openChainPool(configPath: string, log: Log): Promise<LitePool> {
  const config = parseGlobalConfig(await readFile(configPath, 'utf8'));
  const memory = { load: async () => undefined, save: async () => undefined };
  const prover = await createHeadProver({ anchor: config.initBlock, memory, log });
  return createPool({
    ...{ config, connect: createConnection, log },
    proveHead: (from, block) => prover.prove(from.query, block),
  });
}
