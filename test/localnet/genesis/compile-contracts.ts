import { readFileSync, writeFileSync } from 'node:fs';
import { runTolkCompiler } from '@ton/tolk-js';
import type { CompiledCode } from '../../../src/localnet/contracts/contract.ts';

/** The contracts of the zero state. */
export const CONTRACTS = ['config-contract', 'elector', 'tick-tock'] as const;

const FOLDER = new URL('../../../src/localnet/genesis/tolk/', import.meta.url);

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
  return `import type { CompiledCode } from '../../contracts/compiled-code.ts';

/** ${name}.tolk, compiled by test/localnet/genesis/compile-contracts.ts. */
export const ${name.replaceAll('-', '_').toUpperCase()}_CODE: CompiledCode = {
  hash: '${hash}',
  boc: '${boc}',
};
`;
}

// Run as a program, it writes all of them anew.
if (import.meta.main)
  for (const name of CONTRACTS) writeFileSync(codeFile(name), codeSource(name, await compileContract(name)));
