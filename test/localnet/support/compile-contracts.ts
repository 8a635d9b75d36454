import { readFileSync, writeFileSync } from 'node:fs';
import { runTolkCompiler } from '@ton/tolk-js';

/** Contracts to compile; the other sources are imported by these. */
export const CONTRACTS = [
  'config-contract',
  'dns-collection',
  'dns-item',
  'dns-root',
  'elector',
  'jetton-minter',
  'jetton-wallet',
  'multisig-order',
  'multisig-wallet',
  'nft-collection',
  'nft-item',
  'nft-marketplace',
  'nft-sale',
  'nominator-pool',
  'probe',
  'sbt-item',
  'tick-tock',
] as const;

const FOLDER = new URL('../../../src/localnet/contracts/tolk/', import.meta.url);
/** The file with the compiled contracts. */
export const COMPILED = new URL('compiled.json', FOLDER);

/** Compiles one of the contracts from its source. */
export async function compileContract(name: string): Promise<{ hash: string; boc: string }> {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(new URL(path, FOLDER), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  return { hash: Buffer.from(result.codeHashHex, 'hex').toString('base64'), boc: result.codeBoc64 };
}

/** Text of `compiled.json`. */
export async function compiledText(): Promise<string> {
  const codes: Record<string, unknown> = {};
  for (const name of CONTRACTS) codes[name] = await compileContract(name);
  return `${JSON.stringify(codes, null, 2)}\n`;
}

// Run as a program, it rewrites the file.
if (import.meta.main) writeFileSync(COMPILED, await compiledText());
