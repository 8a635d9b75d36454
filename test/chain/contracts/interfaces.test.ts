import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  INTERFACE_METHODS,
  interfaceNames,
  interfaceOfCode,
} from '../../../src/chain/contracts/interfaces.ts';
import { methodIdByName, readMethodIds } from '../../../src/chain/contracts/method-ids.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recorded } from '../support/recordings.ts';

const UNKNOWN_CODE = Buffer.alloc(32, 7);
const idsOf = (...names: string[]) => names.map(methodIdByName);
const namesOf = (...methods: string[]) => interfaceNames(UNKNOWN_CODE, idsOf(...methods));

describe('interfaceNames', () => {
  it.each([
    ['multisig_v2', '09FNqaYn8Ow1MzQYKXYq+SuVQLIb8DZl+sCcK0bqu6w='],
    ['wallet_v5_beta', '89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M='],
    ['wallet_v5_beta', '5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI='],
    ['nft_sale_getgems_v3', 'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM='],
    ['jetton_wallet_governed', 'iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s='],
    ['wallet_v1r1', 'oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how='],
  ])('returns only %s for its code hash', (name, hash) => {
    const code = Buffer.from(hash, 'base64');
    expect(interfaceNames(code, undefined)).toEqual([name]);
    expect(interfaceNames(code, idsOf('get_jetton_data', 'get_wallet_address', 'seqno'))).toEqual([name]);
  });

  it('returns all interfaces whose methods the code has, sorted', () => {
    expect(namesOf('get_wallet_data')).toEqual(['jetton_wallet']);
    expect(namesOf('get_wallet_address', 'get_jetton_data', 'get_other')).toEqual(['jetton_master']);
    expect(namesOf('get_sale_data')).toEqual(['nft_auction_v1', 'nft_sale']);
    expect(namesOf('seqno')).toEqual(['wallet_v1r2', 'wallet_v2r1', 'wallet_v3r1', 'wallet_v5_beta']);
    expect(namesOf('get_public_key')).toEqual(['wallet_highload_v2']);
    expect(namesOf('get_balances', 'get_target_balances')).toEqual([
      'dedust_liquidity_deposit ',
      'lockup_universal',
    ]);
    expect(namesOf('get_nft_data', 'get_editor', 'get_authority_address')).toEqual([
      'editable',
      'nft_item',
      'sbt',
    ]);
  });

  it('takes everything with get_pool_data for a vault of DAOLama like TON Center, nominator pools too', () => {
    expect(namesOf('get_pool_data')).toEqual(['daolama_vault']);
    const methods =
      'get_pool_data has_withdraw_requests get_nominator_data get_max_punishment list_nominators';
    expect(namesOf(...methods.split(' '), 'list_votes')).toEqual(['daolama_vault', 'tv_pool']);
  });

  it('returns null or an empty list like TON Center', () => {
    expect(interfaceNames(undefined, undefined)).toBeNull();
    expect(interfaceNames(UNKNOWN_CODE, undefined)).toEqual([]);
    expect(interfaceNames(UNKNOWN_CODE, [])).toEqual([]);
    expect(interfaceNames(UNKNOWN_CODE, [0, -1, 85143, 2 ** 31 - 1])).not.toContain('jetton_wallet');
    expect(interfaceNames(UNKNOWN_CODE, [0, -1])).toBeNull();
    expect(namesOf('get_jetton_data')).toBeNull();
  });

  it('agrees with a plain comparison with every interface, for any methods in any order', () => {
    const known = [...new Set(Object.values(INTERFACE_METHODS).flat())];
    const ids = fc.oneof(fc.constantFrom(...idsOf(...known)), fc.integer());
    fc.assert(
      fc.property(fc.array(ids, { minLength: 1, maxLength: 60 }), (methods) => {
        const expected = Object.entries(INTERFACE_METHODS)
          .filter(([, needed]) => needed.length > 0 && idsOf(...needed).every((id) => methods.includes(id)))
          .map(([name]) => name)
          .sort();
        expect(interfaceNames(UNKNOWN_CODE, methods)).toEqual(expected.length === 0 ? null : expected);
      }),
    );
  });

  it('finds every interface that is recognised by methods', () => {
    for (const [name, methods] of Object.entries(INTERFACE_METHODS)) {
      if (methods.length > 0) expect(namesOf(...methods)).toContain(name);
    }
  });
});

const SPEC = new URL('../../../../shared/spec/', import.meta.url);
const missingSpec = existsSync(SPEC) ? '' : ' (skipped: the specification is not beside this checkout)';

/** The rows of a table of names, code hashes and methods. */
function rowsOf(file: string, heading: string) {
  const text = readFileSync(new URL(file, SPEC), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}`) + 1).split(/\n#+ /)[0]!;
  return [...section.matchAll(/^\| `?(\w+ ?)`? \| (.*) \| (.*) \|$/gm)]
    .map(([, name = '', hashes = '', methods = '']) => ({
      name: name.trim(),
      hashes: hashes.match(/[\w+/]{43}=/g) ?? [],
      methods: methods.match(/\w+/g) ?? [],
    }))
    .filter(({ name }) => name !== 'name' && name !== 'label');
}

describe.skipIf(missingSpec !== '')(`the tables of the specification${missingSpec}`, () => {
  it.each([
    ['v3.md', '# Appendix B'],
    ['indexing.md', '### 4.6'],
  ])('%s has the same interfaces, codes and methods', (file, heading) => {
    const rows = rowsOf(file, heading);
    expect(rows.length).toBeGreaterThan(100);
    const ours = Object.entries(INTERFACE_METHODS).map(([name, methods]) => ({ name: name.trim(), methods }));
    expect(rows.map(({ name, methods }) => ({ name, methods }))).toEqual(ours);
    const hashes = rows.flatMap(({ name, hashes }) => hashes.map((hash) => ({ name, hash })));
    expect(hashes.length).toBeGreaterThan(50);
    for (const { name, hash } of hashes) expect(interfaceOfCode(Buffer.from(hash, 'base64'))).toBe(name);
  });
});

describe.skipIf(missingNetwork !== '')(`recorded contracts${missingNetwork}`, () => {
  it.each([
    ['zoo_v1r3', ['wallet_v1r3']],
    ['carol', ['wallet_v5r1']],
    ['highload', ['wallet_highload_v2']],
    ['jetton_minter', ['jetton_master']],
    ['jetton_wallet_alice', ['jetton_wallet']],
    ['nft_collection', ['nft_collection']],
    ['nft_item0', ['nft_item']],
    ['dns_root', ['dns']],
  ])('%s is %s', (name, names) => {
    const cells = readBoc(Buffer.from(recorded('accounts', name).state, 'base64'));
    const state = readAccount(cells, cells.root)?.state;
    const code = state?.kind === 'active' ? state.init.code : -1;
    const ids = readMethodIds(toCoreCell(cells, code).toBoc());
    expect(interfaceNames(cells.hash(code), ids)).toEqual(names);
  });
});
