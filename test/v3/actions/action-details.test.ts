import { existsSync, readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compileSerializer } from '../../../src/http/serializer.ts';
import type { ActionRow } from '../../../src/index/action-row.ts';
import { ACTION_DETAILS } from '../../../src/v3/action-details.ts';
import { createActionWriter } from '../../../src/v3/action-json.ts';
import { actionSchema, TYPES_WITHOUT_DETAILS } from '../../../src/v3/action-schemas.ts';
import { expandActionTypes } from '../../../src/v3/action-types.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { perProcess } from '../../support/per-process.ts';
import { NO_INDEX } from '../support/build-app.ts';
import { ADDRESSES, ALL_GROUPS, HELLO, type MadeAction, makeAction, rawOf } from '../support/made-actions.ts';
import { readReferenceContract } from '../support/reference-contract.ts';
import { missingContract, namedSchemaCheck, QUICKLY_COMPILED } from '../support/response-schemas.ts';

const SHARED = new URL('../../../../shared/', import.meta.url);
const serialize = compileSerializer(actionSchema);

/** The JSON of an action, and the accounts that it mentions. */
function render(row: ActionRow, testOnly = false) {
  const writer = createActionWriter({ ports: { ...NO_INDEX, testOnly } });
  const text = serialize(writer.write(row));
  return { text, json: JSON.parse(text), accounts: new Set(writer.accounts.map(formatAccount)) };
}
const detailsOf = (made: MadeAction, testOnly?: boolean) => render(makeAction(made), testOnly).json.details;

const TYPES = [...Object.keys(ACTION_DETAILS), ...TYPES_WITHOUT_DETAILS];

describe('action details', () => {
  it('exist for all action types', () => expect(TYPES.length).toBe(95));

  const faultsOf = namedSchemaCheck('Action');
  it.each(TYPES)('%s: match the document with all columns and with none', (type) => {
    for (const row of [makeAction({ type }), makeAction({ type, ...NOTHING })])
      expect(faultsOf(render(row).json)).toBe('');
  });

  it('belong to their type in the document', () => {
    const { json } = render(makeAction({ type: 'jetton_transfer' }));
    const { asset, ...rest } = json.details;
    for (const wrong of [
      { ...json, type: 'jetton_burn' },
      { ...json, type: 'jetton_transfers' },
      { ...json, details: rest },
      { ...json, details: { ...json.details, more: asset } },
      { ...json, action_id: undefined },
    ])
      expect(faultsOf(JSON.parse(JSON.stringify(wrong)))).not.toBe('');
  });

  it.each(TYPES)('%s: report all their addresses', (type) => {
    const { json, accounts } = render(makeAction({ type }));
    for (const address of JSON.stringify(json.details).match(/0:[0-9A-F]{64}/g) ?? [])
      expect(accounts).toContain(address);
    for (const address of Object.values(ADDRESSES)) expect(accounts).toContain(address);
  });

  it('are exactly the expected ones for rows with all columns', () => {
    const expected = JSON.parse(readFileSync(new URL('expected-details.json', import.meta.url), 'utf8'));
    expect(Object.fromEntries(TYPES.map((type) => [type, detailsOf({ type })]))).toEqual(expected);
  });
});

/** A row with required columns only. */
const NOTHING = {
  columns: Object.fromEntries(Object.keys(ADDRESSES).map((name) => [name, null])),
  opcode: null,
  value: null,
  amount: null,
  data: null,
  trace_external_hash: null,
  trace_external_hash_norm: null,
};

describe('action details of special cases', () => {
  it('calls and transfers with extra currencies have another type', () => {
    const value_extra_currencies = { '100': '5' };
    for (const [type, key] of [
      ['call_contract', 'extra_currencies'],
      ['ton_transfer', 'value_extra_currencies'],
    ] as const) {
      const { json } = render(makeAction({ type, value_extra_currencies }));
      expect([json.type, json.details[key]]).toEqual(['extra_currency_transfer', { '100': '5' }]);
      expect(namedSchemaCheck('Action')(json)).toBe('');
      expect(render(makeAction({ type })).json).toMatchObject({ type, details: { [key]: {} } });
    }
    expect(render(makeAction({ type: 'jetton_transfer', value_extra_currencies })).json.type).toBe(
      'jetton_transfer',
    );
  });

  it('large numbers keep all digits', () => {
    const { text } = render(makeAction({ type: 'layerzero_send' }));
    expect(text).toContain('"native_fee":18446744073709551615');
    expect(text).toContain('"nonce":9007199254740993');
    expect(text).toContain('"start_lt":"9007199254740993"');
    expect(detailsOf({ type: 'ton_transfer' }).value).toBe('123456789012345678901');
  });

  it('opcodes are written as unsigned hex', () => {
    expect(detailsOf({ type: 'call_contract' }).opcode).toBe('0xf8000000');
    expect(detailsOf({ type: 'call_contract', opcode: '1' }).opcode).toBe('0x00000001');
    expect(detailsOf({ type: 'jvault_unstake', opcode: '65535' }).exit_code).toBe(65535);
  });

  it('a DNS record is written under the key of its kind', () => {
    const kinds = {
      DNSNextResolver: 'dns_next_resolver_address',
      DNSAdnlAddress: 'dns_adnl_address',
      DNSSmcAddress: 'dns_smc_address',
      DNSStorageAddress: 'dns_storage_address',
      DNSText: 'dns_text',
    };
    for (const [value_schema, key] of Object.entries(kinds)) {
      const data = { change_dns_record_data: { key: 'ab', value_schema, value: 'x', flags: null } };
      const { value } = detailsOf({ type: 'change_dns', data });
      const none = Object.fromEntries(Object.values(kinds).map((name) => [name, null]));
      expect(value).toEqual({ ...none, sum_type: value_schema, [key]: 'x', flags: null });
    }
  });

  it('min_out_amount is present for TONCO swaps only', () => {
    const swap = (dex: string) =>
      detailsOf({ type: 'jetton_swap', data: { jetton_swap_data: { ...ALL_GROUPS.jetton_swap_data, dex } } });
    expect(swap('tonco')).toHaveProperty('min_out_amount');
    expect(swap('stonfi')).not.toHaveProperty('min_out_amount');
    expect(detailsOf({ type: 'jetton_swap', data: {} })).toMatchObject({
      dex_incoming_transfer: { asset: null, amount: null },
      peer_swaps: [],
    });
  });

  it('destination_liquidity is the deposit contract for DeDust, otherwise the pool', () => {
    const deposit = (dex: string) =>
      detailsOf({
        type: 'dex_deposit_liquidity',
        data: { dex_deposit_liquidity_data: { ...ALL_GROUPS.dex_deposit_liquidity_data, dex } },
      }).destination_liquidity;
    expect(deposit('dedust')).toBe(rawOf('column.destination_secondary'));
    expect(deposit('coffee')).toBe(rawOf('column.destination'));
  });

  it('stake details depend on the provider', () => {
    const stake = (type: string, provider: string) =>
      detailsOf({ type, data: { staking_data: { ...ALL_GROUPS.staking_data, provider } } });
    const { tokens_minted } = ALL_GROUPS.staking_data as Record<string, string>;
    expect(stake('stake_deposit', 'tonstakers')).toMatchObject({ provider: 'liquid_staking' });
    expect(stake('stake_deposit', 'tonstakers')).not.toHaveProperty('source_asset');
    expect(stake('stake_deposit', 'ethena').source_asset).toBe(rawOf('column.asset2'));
    const request = (provider: string) => stake('stake_withdrawal_request', provider);
    expect(request('tonstakers')).toMatchObject({
      provider: 'liquid_staking',
      tokens_burnt: '98765432109876543210',
    });
    expect(request('tonstakers')).not.toHaveProperty('tokens_minted');
    expect(request('ethena')).toMatchObject({ tokens_burnt: null, tokens_minted });
    expect(request('nominator').tokens_burnt).toBeNull();
  });

  it('NFT transfers contain the comment of their payload', () => {
    const transfer = (forward_payload: unknown) => {
      const data = { nft_transfer_data: { ...ALL_GROUPS.nft_transfer_data, forward_payload } };
      const { comment, is_encrypted_comment } = detailsOf({ type: 'nft_transfer', data });
      return [comment, is_encrypted_comment];
    };
    expect(transfer(HELLO)).toEqual(['hello', false]);
    // The same with the opcode of an encrypted comment.
    expect(transfer('te6cckEBAQEACwAAEiFn2ktoZWxsbwaIDV0=')).toEqual(['aGVsbG8=', true]);
    expect(transfer('te6cckEBAQEACwAAEiFn2kxoZWxsb6t0RNs=')).toEqual([null, false]);
    expect(transfer('te6cckEBAQEAAgAAAEysuc0=')).toEqual([null, false]);
    for (const payload of [null, 'no cells', '', 7]) expect(transfer(payload)).toEqual([null, null]);
  });

  it('marketplaces have names on mainnet only', () => {
    const GETGEMS = '0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18';
    const NUMBERS = '0:0E41DC1DC3C9067ED24248580E12B3359818D83DEE0304FABCF80845EAFAFDB2';
    const name = (
      type: string,
      marketplace_address: string | null,
      asset: string | null,
      more = {},
      testOnly = false,
    ) => {
      const data = { nft_transfer_data: { ...ALL_GROUPS.nft_transfer_data, marketplace_address, ...more } };
      return detailsOf(
        { type, columns: { asset, destination_secondary: marketplace_address }, data },
        testOnly,
      ).marketplace;
    };
    for (const type of [
      'nft_transfer',
      'nft_purchase',
      'nft_cancel_sale',
      'nft_put_on_auction',
      'nft_put_on_sale',
    ])
      expect([type, name(type, GETGEMS, null)]).toEqual([type, 'getgems']);
    expect(name('nft_cancel_sale', null, NUMBERS)).toBe('fragment');
    expect(name('nft_cancel_sale', rawOf('another'), NUMBERS)).toBeNull();
    expect(name('nft_cancel_sale', null, null)).toBeNull();
    expect(name('nft_cancel_sale', GETGEMS, null, {}, true)).toBeNull();
    expect(name('nft_transfer', GETGEMS, null, { is_purchase: false })).toBeNull();
    expect(name('nft_purchase', GETGEMS, null, { is_purchase: false })).toBe('getgems');
    expect(detailsOf({ type: 'auction_outbid' })).not.toHaveProperty('marketplace');
  });

  it('payout addresses differ between NFT transfers and purchases', () => {
    expect(detailsOf({ type: 'nft_transfer' })).toMatchObject({
      payout_address: rawOf('listing.marketplace_fee_address'),
      royalty_address: rawOf('listing.royalty_address'),
    });
    expect(detailsOf({ type: 'nft_purchase' })).toMatchObject({
      payout_address: rawOf('nft.real_prev_owner'),
      royalty_address: null,
    });
  });

  it('EVAA assets map to the jettons of their network', () => {
    const asset = (asset_id: string, testOnly = false) => {
      const { asset, is_known_asset } = detailsOf(
        { type: 'evaa_liquidate', data: { evaa_liquidate_data: { asset_id } } },
        testOnly,
      );
      return [asset?.slice(0, 6) ?? null, is_known_asset];
    };
    const [USDT, TON] = [
      ALL_GROUPS.evaa_liquidate_data.asset_id,
      `0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a`,
    ];
    expect([asset(USDT), asset(USDT, true)]).toEqual([
      ['0:729C', true],
      ['0:5EE2', true],
    ]);
    expect([asset(TON), asset('0x00')]).toEqual([
      [null, true],
      [null, false],
    ]);
    const columns = { asset: '123456789' };
    expect(detailsOf({ type: 'evaa_liquidate', columns })).toMatchObject({ collateral: '123456789' });
  });

  it('texts that are not addresses stay unchanged', () => {
    const columns = {
      asset_secondary: 'ab'.repeat(32),
      source_secondary: 'cd'.repeat(32),
      asset: 'ef'.repeat(32),
    };
    expect(detailsOf({ type: 'tgbtc_mint', columns }).bitcoin_tx_id).toBe(columns.asset_secondary);
    expect(detailsOf({ type: 'tgbtc_new_key', columns }).pubkey).toBe(columns.source_secondary);
    expect(detailsOf({ type: 'tgbtc_dkg_log_fallback', columns }).pubkey).toBe(columns.asset);
    expect(render(makeAction({ type: 'tgbtc_mint', columns })).accounts.size).toBe(5);
  });

  it('claimed rewards are empty if the lists of jettons and amounts differ in length', () => {
    const claim = (data: object) =>
      detailsOf({ type: 'jvault_claim', data: { jvault_claim_data: data } }).claimed_rewards;
    expect(detailsOf({ type: 'jvault_claim' }).claimed_rewards).toEqual([
      { jetton: rawOf('c'), amount: '7' },
      { jetton: rawOf('d'), amount: '8' },
    ]);
    expect(claim({ claimed_jettons: [rawOf('c')], claimed_amounts: [] })).toEqual([]);
    expect(claim({})).toEqual([]);
  });

  it('types without details return raw_action', () => {
    for (const type of ['unknown', 'coffee_mev_protect_failed_swap', 'something_new', 'constructor']) {
      const { json } = render(makeAction({ type }));
      expect(json.details).toEqual({ error: `unsupported action type: '${type}'` });
      expect(Object.keys(json.raw_action).length).toBe(230);
      expect(json.raw_action).toMatchObject({
        Type: type,
        Source: rawOf('column.source'),
        Opcode: '0xf8000000',
        Finality: 'finalized',
        JettonSwapDexOutgoingTransferAmount: swapAmount(),
        NFTListingMarketplaceFeeFactor: listingFactor(),
        DexDepositLiquidityDataTickUpper: '50',
        MultisigApproveExitCode: 106,
      });
      expect(render(makeAction({ type })).text).toContain('"LayerzeroSendNativeFee":18446744073709551615');
    }
    expect(render(makeAction({ type: 'tick_tock' })).json).not.toHaveProperty('raw_action');
  });
});

const swapAmount = () => (ALL_GROUPS.jetton_swap_data.dex_outgoing_transfer as Record<string, string>).amount;
const listingFactor = () => (ALL_GROUPS.nft_listing_data as Record<string, string>).mp_fee_factor;

describe.skipIf(missingContract !== '')(`action details and the contract${missingContract}`, () => {
  const read = (path: string) => readFileSync(new URL(path, SHARED), 'utf8');
  const contract = () =>
    perProcess('v3 contract of actions', () => {
      const document = readReferenceContract();
      const ajv = new Ajv.default({ ...QUICKLY_COMPILED, strict: false, validateFormats: false });
      ajv.addSchema(document, 'contract');
      const check = (name: string, value: unknown) => {
        const validate = ajv.getSchema(`contract#/components/schemas/${name}`)!;
        return validate(value) ? '' : `${name}: ${ajv.errorsText(validate.errors)}`;
      };
      return { document, check };
    });

  it('match the contract for every type, with all columns and with none', () => {
    const { document, check } = contract();
    const latest = expandActionTypes(['latest', 'tgbtc']);
    const types = TYPES.filter((type) => latest.has(type));
    expect(types.length).toBe(84);
    for (const type of types) {
      const forms = [document['x-action-details'][type] ?? 'ActionDetailsUnsupported'].flat();
      for (const row of [makeAction({ type }), makeAction({ type, ...NOTHING })]) {
        const { json } = render(row);
        expect(check('Action', json), type).toBe('');
        expect(forms.map((form) => check(form, json.details))).toContain('');
      }
    }
  });

  it('are read from the columns that the appendix of the contract names', () => {
    const rows = [...read('spec/v3.md').matchAll(/^\| (`[a-z_`, ]+`) \| (.*←.*) \|$/gm)];
    let compared = 0;
    for (const [, names, cell] of rows) {
      for (const [, type] of names!.matchAll(/`([a-z_]+)`/g)) {
        if (!(type! in ACTION_DETAILS)) continue;
        const row = makeAction({ type: type! });
        const details = render(row).json.details;
        for (const [, key, path] of cell!.matchAll(
          /(?:^|; )([a-z0-9_]+)(?: \(omit\))?:[a-z]+ ← ([a-z0-9_.]+)(?=;|$)/g,
        )) {
          const value = key === 'opcode' ? '0xf8000000' : columnOf(row, path!);
          expect([type, key, String(details[key!])]).toEqual([type, key, String(value)]);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(450);
  });

  it.skipIf(!existsSync(new URL('data/traces/golden', SHARED)))(
    'match the contract for all actions of real traces',
    () => {
      const { document, check } = contract();
      const { traces } = JSON.parse(read('data/traces/index.json'));
      const seen = new Map<string, number>();
      for (const { file } of traces as { file: string }[]) {
        const path = `data/traces/${file.replace(/^data\//, 'golden/')}`;
        if (!existsSync(new URL(path, SHARED))) continue;
        for (const action of JSON.parse(read(path)).actions) {
          const { json, accounts } = render(fromGolden(action));
          expect(check('Action', json), action.type).toBe('');
          const forms = [document['x-action-details'][action.type] ?? 'ActionDetailsUnsupported'].flat();
          expect(forms.map((form) => check(form, json.details))).toContain('');
          for (const [, address] of JSON.stringify(json.details).matchAll(/"(-?\d+:[0-9A-F]{64})"/g))
            expect(accounts, action.type).toContain(address);
          seen.set(action.type, (seen.get(action.type) ?? 0) + 1);
        }
      }
      expect(seen.size).toBe(54);
    },
  );
});

/** The value of a column by its name in the appendix, which leaves out underscores in some names. */
function columnOf(row: ActionRow, path: string): unknown {
  const plain = (name: string) =>
    name
      .replaceAll('_', '')
      .replace('marketplacefeefactor', 'mpfeefactor')
      .replace('marketplacefeebase', 'mpfeebase');
  const [group, column] = path.split('.') as [string, string | undefined];
  if (column === undefined) {
    if (group === 'extra_currencies') return {};
    return ADDRESSES[group] ?? (row as unknown as Record<string, unknown>)[group];
  }
  const columns = (ALL_GROUPS as Record<string, Record<string, unknown>>)[`${group}_data`]!;
  const name = Object.keys(columns).find((each) => plain(each) === plain(column));
  return name === undefined ? null : columns[name];
}

/** A row from a golden file, where numbers are JSON numbers and empty columns are absent. */
function fromGolden(action: Record<string, unknown>): ActionRow {
  const data = Object.fromEntries(Object.entries(action).filter(([name]) => name.endsWith('_data')));
  const columns = Object.fromEntries(
    Object.keys(ADDRESSES).map((name) => [name, (action[name] as string) ?? null]),
  );
  const text = (name: string) => (action[name] === undefined ? null : String(action[name]));
  const bytes = (value: unknown) => Buffer.from(String(value), 'base64');
  return makeAction({
    type: String(action.type),
    columns,
    data,
    success: action.success as boolean,
    opcode: text('opcode'),
    value: text('value'),
    amount: text('amount'),
    action_id: bytes(action.action_id),
    trace_id: bytes(action.trace_id),
    tx_hashes: (action.tx_hashes as string[]).map(bytes),
    value_extra_currencies: action.value_extra_currencies as Record<string, string>,
  });
}
