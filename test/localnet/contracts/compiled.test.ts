import { readdirSync, readFileSync } from 'node:fs';
import { type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { methodIdByName } from '../../../src/chain/contracts/method-ids.ts';
import { type CompiledCode, codeCell } from '../../../src/localnet/contracts/contract.ts';
import { CONTRACTS, codeFile, codeSource, compileContract } from './compile-contracts.ts';

/** By these methods readers of a chain know what a contract is. */
const METHODS: Record<(typeof CONTRACTS)[number], string[]> = {
  'dns-collection': ['get_collection_data', 'get_nft_address_by_index', 'get_nft_content', 'dnsresolve'],
  'dns-item': [
    'get_nft_data',
    'get_editor',
    'get_domain',
    'get_auction_info',
    'get_last_fill_up_time',
    'dnsresolve',
  ],
  'dns-root': ['dnsresolve'],
  'jetton-minter': ['get_jetton_data', 'get_wallet_address'],
  'jetton-wallet': ['get_wallet_data'],
  'multisig-order': ['get_order_data'],
  'multisig-wallet': ['get_multisig_data', 'get_order_address'],
  'nft-collection': ['get_collection_data', 'get_nft_address_by_index', 'get_nft_content', 'royalty_params'],
  'nft-item': ['get_nft_data'],
  'nft-marketplace': [],
  'nft-sale': ['get_fix_price_data_v4'],
  probe: ['get_probe_data'],
  'sbt-item': ['get_nft_data', 'get_authority_address', 'get_revoked_time'],
};

async function committed(name: string): Promise<CompiledCode> {
  const [code] = Object.values(await import(codeFile(name).href));
  return code as CompiledCode;
}

/** The numbers of all methods, from code that begins as the index expects: the machine, then a dictionary of methods. */
function methodsOf(code: Cell): number[] {
  const slice = code.beginParse();
  expect([slice.loadUint(16), slice.loadUint(14)]).toEqual([0xff00, 0b11110100101001]);
  const keyBits = slice.loadUint(10);
  const methods = Dictionary.loadDirect(
    Dictionary.Keys.Uint(keyBits),
    { serialize: () => {}, parse: () => true },
    slice.loadRef(),
  );
  return methods.keys();
}

describe('the compiled contracts', () => {
  it.each(CONTRACTS)('%s is what its source compiles to', async (name) => {
    const compiled = await compileContract(name);
    expect(readFileSync(codeFile(name), 'utf8')).toBe(codeSource(name, compiled));
  });

  it.each(CONTRACTS)('%s has the hash and the methods by which it is known', async (name) => {
    const code = await committed(name);
    const cell = codeCell(code);
    expect(cell.hash().toString('base64')).toBe(code.hash);
    expect(methodsOf(cell)).toEqual(expect.arrayContaining([0, ...METHODS[name].map(methodIdByName)]));
  });

  it('are all that is in the folder', () => {
    const files = readdirSync(new URL('.', codeFile('probe'))).filter((file) => file.endsWith('-code.ts'));
    expect(files).toEqual(CONTRACTS.map((name) => `${name}-code.ts`));
  });
});
