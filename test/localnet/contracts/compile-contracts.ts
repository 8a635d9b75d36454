import { readFileSync, writeFileSync } from 'node:fs';
import { runTolkCompiler } from '@ton/tolk-js';
import type { CompiledCode } from '../../../src/localnet/contracts/contract.ts';

/** The contracts that are compiled; the other sources are parts of these. */
export const CONTRACTS = [
  'dns-collection',
  'dns-item',
  'dns-root',
  'jetton-minter',
  'jetton-wallet',
  'multisig-order',
  'multisig-wallet',
  'nft-collection',
  'nft-item',
  'nft-marketplace',
  'nft-sale',
  'probe',
  'sbt-item',
] as const;

const FOLDER = new URL('../../../src/localnet/contracts/tolk/', import.meta.url);

/** Compiles one of the contracts from its source. */
export async function compileContract(name: string): Promise<CompiledCode> {
  const result = await runTolkCompiler({
    entrypointFileName: `${name}.tolk`,
    fsReadCallback: (path) => readFileSync(new URL(path, FOLDER), 'utf8'),
  });
  if (result.status === 'error') throw new Error(result.message);
  return { hash: Buffer.from(result.codeHashHex, 'hex').toString('base64'), boc: result.codeBoc64 };
}

/** The file that keeps a compiled contract. */
export function codeFile(name: string): URL {
  return new URL(`${name}-code.ts`, FOLDER);
}

/** What that file says. */
export function codeSource(name: string, { hash, boc }: CompiledCode): string {
  return `import type { CompiledCode } from '../compiled-code.ts';

/** ${name}.tolk, compiled by test/localnet/contracts/compile-contracts.ts. */
export const ${name.replaceAll('-', '_').toUpperCase()}_CODE: CompiledCode = {
  hash: '${hash}',
  boc: '${boc}',
};
`;
}

// Run as a program, it writes all of them anew.
if (import.meta.main)
  for (const name of CONTRACTS) writeFileSync(codeFile(name), codeSource(name, await compileContract(name)));
