import { readFile } from 'node:fs/promises';
import { type GlobalConfig, parseGlobalConfig } from '../../src/lite/global-config.ts';
import { createChainReader } from '../../src/verify/chain-reader.ts';
import { type Verification, type VerifyOptions, verifyRange } from '../../src/verify/verify-range.ts';

/** Compares an index with the chain of the lite servers of a global config, or of a file with one. */
export async function verifyIndex(
  config: GlobalConfig | string,
  options: Omit<VerifyOptions, 'chain'>,
): Promise<Verification> {
  const chain = createChainReader(
    typeof config === 'string' ? parseGlobalConfig(await readFile(config, 'utf8')) : config,
  );
  try {
    return await verifyRange({ ...options, chain });
  } finally {
    await chain.close();
  }
}
