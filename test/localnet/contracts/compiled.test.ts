import { readFileSync } from 'node:fs';
import { type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { methodIdByName } from '../../../src/chain/contracts/method-ids.ts';
import { compiledCode } from '../../../src/localnet/contracts/contract.ts';
import compiled from '../../../src/localnet/contracts/tolk/compiled.json' with { type: 'json' };
import { isLongRun, sampleOf } from '../../support/long-run.ts';
import { COMPILED, CONTRACTS, compileContract, compiledText } from '../support/compile-contracts.ts';

/** Methods by which a contract is recognised. */
const METHODS: Record<(typeof CONTRACTS)[number], string[]> = {
  'config-contract': ['seqno', 'get_config_param'],
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
  elector: [
    'active_election_id',
    'participant_list_extended',
    'past_elections',
    'compute_returned_stake',
    'list_complaints',
    'complaint_storage_price',
  ],
  'jetton-minter': ['get_jetton_data', 'get_wallet_address'],
  'jetton-wallet': ['get_wallet_data'],
  'multisig-order': ['get_order_data'],
  'multisig-wallet': ['get_multisig_data', 'get_order_address'],
  'nft-collection': ['get_collection_data', 'get_nft_address_by_index', 'get_nft_content', 'royalty_params'],
  'nft-item': ['get_nft_data'],
  'nft-marketplace': [],
  'nft-sale': ['get_fix_price_data_v4'],
  'nominator-pool': ['get_pool_data', 'list_nominators', 'get_nominator_data', 'has_withdraw_requests'],
  probe: ['get_probe_data'],
  'sbt-item': ['get_nft_data', 'get_authority_address', 'get_revoked_time'],
  'tick-tock': ['ticks', 'tocks'],
};

/** Ids of all methods, from code that starts as the index expects: the selector, then a method dictionary. */
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

describe('compiled contracts', () => {
  it('equal what their sources compile to', async () => {
    if (isLongRun) expect(readFileSync(COMPILED, 'utf8')).toBe(await compiledText());
    else
      for (const name of sampleOf(CONTRACTS, 1)) expect(compiled[name]).toEqual(await compileContract(name));
  });

  it.each(CONTRACTS)('%s has its recorded hash and the methods by which it is recognised', (name) => {
    const cell = compiledCode(name);
    expect(cell.hash().toString('base64')).toBe(compiled[name].hash);
    expect(methodsOf(cell)).toEqual(expect.arrayContaining([0, ...METHODS[name].map(methodIdByName)]));
  });
});
