import { readFile } from 'node:fs/promises';
import { type GlobalConfig, parseGlobalConfig } from '../../src/lite/global-config.ts';
import { createChainReader } from '../../src/verify/chain-reader.ts';
import { type Verification, type VerifyOptions, verifyRange } from '../../src/verify/verify-range.ts';

type Range = Omit<VerifyOptions, 'chain'>;

/** Opens the lite servers of a global config, or of a file with one, for several verifications. */
export async function openVerifier(config: GlobalConfig | string) {
  const chain = createChainReader(
    typeof config === 'string' ? parseGlobalConfig(await readFile(config, 'utf8')) : config,
  );
  return { verify: (range: Range) => verifyRange({ ...range, chain }), close: () => chain.close() };
}

/** Compares an index with the chain of such lite servers. */
export async function verifyIndex(config: GlobalConfig | string, range: Range): Promise<Verification> {
  const { verify, close } = await openVerifier(config);
  return verify(range).finally(close);
}
