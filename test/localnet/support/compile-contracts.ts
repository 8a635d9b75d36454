import { readFileSync, writeFileSync } from 'node:fs';
import { runTolkCompiler } from '@ton/tolk-js';
import type { CompiledCode } from '../../../src/localnet/contracts/contract.ts';

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
export const COMPILED = new URL('compiled.ts', FOLDER);

/** Compiles one of the contracts from its source. */
export async function compileContract(name: string): Promise<CompiledCode> {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(new URL(path, FOLDER), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  return { hash: Buffer.from(result.codeHashHex, 'hex').toString('base64'), boc: result.codeBoc64 };
}

/** Name of the constant that holds the code of a contract. */
export function constantOf(name: string): string {
  return `${name.replaceAll('-', '_').toUpperCase()}_CODE`;
}

/** Source text of the constant of a contract. */
export async function constantSource(name: string): Promise<string> {
  const { hash, boc } = await compileContract(name);
  return `/** ${name}.tolk, compiled by test/localnet/support/compile-contracts.ts. */
export const ${constantOf(name)} = {
  hash: '${hash}',
  boc: '${boc}',
};
`;
}

/** Source text of `compiled.ts`. */
export async function compiledSource(): Promise<string> {
  const parts: string[] = [];
  for (const name of CONTRACTS) parts.push(await constantSource(name));
  return parts.join('\n');
}

// Run as a program, it rewrites the file.
if (import.meta.main) writeFileSync(COMPILED, await compiledSource());
