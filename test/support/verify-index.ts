import { readFile } from 'node:fs/promises';
import { type GlobalConfig, parseGlobalConfig } from '../../src/lite/global-config.ts';
import { type ChainReader, createChainReader } from '../../src/verify/chain-reader.ts';
import { type Verification, type VerifyOptions, verifyRange } from '../../src/verify/verify-range.ts';

type Range = Omit<VerifyOptions, 'chain'>;

/**
 * Opens the lite servers of a global config, or of a file with one, for several verifications. Blocks and accounts are read
 * once: between verifications only the index changes.
 */
export async function openVerifier(config: GlobalConfig | string) {
  const reader = createChainReader(
    typeof config === 'string' ? parseGlobalConfig(await readFile(config, 'utf8')) : config,
  );
  const chain = {
    ...reader,
    masterchainId: remember(reader.masterchainId),
    block: remember(reader.block),
    account: remember(reader.account),
  };
  return { verify: (range: Range) => verifyRange({ ...range, chain }), close: () => chain.close() };
}

/** Calls with the same arguments share a result. */
function remember<A extends Parameters<ChainReader['masterchainId' | 'block' | 'account']>, R>(
  read: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  const results = new Map<string, Promise<R>>();
  return (...args) => {
    const key = JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    if (!results.has(key)) results.set(key, read(...args));
    return results.get(key)!;
  };
}

/** Compares an index with the chain of such lite servers. */
export async function verifyIndex(config: GlobalConfig | string, range: Range): Promise<Verification> {
  const { verify, close } = await openVerifier(config);
  return verify(range).finally(close);
}
