import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../../src/actions/classify-trace.ts';
import { toAccountOrText } from '../../../src/chain/address.ts';
import { ELECTOR } from '../../../src/chain/contracts/elector.ts';
import { toActionRow } from '../../../src/classify/action-rows.ts';
import type { ActionRow } from '../../../src/index/action-row.ts';
import { rolesOf } from '../../../src/v3/action-roles.ts';
import { formatAccount } from '../../../src/v3/values.ts';
import { fixtureInput, readTraceFixture } from '../../conformance/traces/read-fixture.ts';
import { type MadeAction, makeAction, rawOf } from '../support/made-actions.ts';

const accountOf = (name: string) => toAccountOrText(rawOf(name));
const NOBODY = accountOf('nobody');

/** The roles of the accounts in the columns of an action, in short: o, i, b (both), - (observer). */
function flowsOf(action: MadeAction, names: readonly string[]): string {
  const row = makeAction({ accounts: names.map(accountOf), ...action });
  return names
    .map((name) => {
      const roles = rolesOf(row, accountOf(name), NOBODY).join();
      return { sender: 'o', receiver: 'i', 'sender,receiver': 'b', observer: '-' }[roles] ?? roles;
    })
    .join('');
}

describe('roles in actions', () => {
  const columns = ['source', 'source_secondary', 'destination', 'destination_secondary', 'asset', 'other'];
  const names = columns.map((name) => `column.${name}`);

  it.each([
    ['ooiibb', 'ton_transfer call_contract jetton_transfer auction_bid coffee_staking_deposit no_such_type'],
    ['boii--', 'jetton_swap dex_swap'],
    ['boiibb', 'stake_deposit stake_withdrawal_request'],
    ['booo--', 'stake_withdrawal dex_withdraw_liquidity jvault_claim nft_cancel_sale nft_finish_auction'],
    ['bob-bb', 'dex_deposit_liquidity'],
    ['b-b---', 'nft_purchase dns_purchase launchpad_buy'],
    ['oo--i-', 'jetton_burn'],
    ['o-i---', 'nft_mint'],
    ['b-io--', 'evaa_withdraw'],
    ['b-oo--', 'evaa_liquidate'],
    ['ooii--', 'tgbtc_mint layerzero_send layerzero_send_tokens'],
    ['oo----', 'tgbtc_burn'],
    ['bioo--', 'coffee_staking_withdraw'],
    ['ooi---', 'auction_outbid'],
    ['o--i--', 'vesting_send_message'],
    ['o-o---', 'layerzero_receive layerzero_dvn_verify'],
    ['o-----', 'tick_tock change_dns multisig_approve vesting_add_whitelist tgbtc_new_key add_extension'],
  ])('are %s of source, destination, asset and others in %s', (flows, types) => {
    for (const type of types.split(' ')) expect([type, flowsOf({ type }, names)]).toEqual([type, flows]);
  });

  it('follow the members of swaps and LayerZero, the pool and the elector', () => {
    const inSwap = ['incoming.destination', 'outgoing.source_jetton_wallet'];
    expect(flowsOf({ type: 'jetton_swap' }, inSwap)).toBe('bb');
    expect(flowsOf({ type: 'layerzero_send' }, ['layerzero.endpoint', 'layerzero.uln'])).toBe('i-');
    expect(flowsOf({ type: 'layerzero_dvn_verify' }, ['dvn.dvn', 'dvn.proxy'])).toBe('o-');
    const data = { staking_data: { provider: 'nominator' } };
    expect(flowsOf({ type: 'stake_deposit', data }, names)).toBe('ooiibb');
    expect(flowsOf({ type: 'stake_withdrawal_request', data }, names)).toBe('o-----');
    const [deposit, recover] = ['election_deposit', 'election_recover'].map((type) => makeAction({ type }));
    expect(rolesOf(deposit!, ELECTOR, NOBODY)).toEqual(['receiver']);
    expect(rolesOf(recover!, ELECTOR, NOBODY)).toEqual(['sender']);
  });

  it('show an NFT in both directions where it has a transaction', () => {
    expect(flowsOf({ type: 'nft_transfer' }, ['column.asset_secondary'])).toBe('b');
    expect(flowsOf({ type: 'nft_update_sale' }, ['column.asset_secondary'])).toBe('-');
  });

  it('of a mint: a receiver who asked for it also sends', () => {
    const [asset, receiver, wallet] = ['column.asset', 'column.destination', 'column.destination_secondary'];
    expect(flowsOf({ type: 'jetton_mint' }, [receiver!, wallet!, asset!])).toBe('bib');
    expect(flowsOf({ type: 'jetton_mint' }, ['minter', receiver!, wallet!, asset!])).toBe('oiib');
  });

  it('tell who began the trace', () => {
    const row = makeAction({ type: 'change_dns' });
    const [source, other] = ['column.source', 'column.asset'].map(accountOf);
    expect(rolesOf(row, source!, source)).toEqual(['sender', 'initiated']);
    expect(rolesOf(row, other!, other)).toEqual(['initiated']);
    expect(rolesOf(row, other!, undefined)).toEqual(['observer']);
  });
});

const TRACES = fileURLToPath(new URL('../../../../shared/data/traces/data/', import.meta.url));
const missing = existsSync(TRACES) ? '' : ' (skipped: the traces are not beside this checkout)';

describe.skipIf(missing !== '')(`roles in mainnet traces${missing}`, () => {
  const [SENT, BOTH] = [
    ['sender', 'initiated'],
    ['sender', 'receiver', 'initiated'],
  ];
  const endpointOf = (row: ActionRow) => toAccountOrText(String(row.data?.layerzero_send_data?.endpoint));

  // As the test cases of the reference say; who began is the account of the first transaction, as in its newer code.
  it.each([
    [
      'PAP4CeUFvg7ixzz5-0eFHrR2vahRZh8wPqAIZdV-c5g',
      'jetton_transfer',
      { source: SENT, source_secondary: ['sender'] },
    ],
    [
      '01yfeTlzIHDqWZwz-PJTRADD3nDv5LWynHMGsnPZGJU',
      'layerzero_send',
      { source: ['sender'], endpoint: ['receiver'] },
    ],
    [
      'KEbatIe0U3ZHIx6sYTg4O1tgYP9L6hMiHJ8nNnZdyBE',
      'layerzero_send_tokens',
      { source: SENT, destination: ['receiver'], endpoint: ['receiver'] },
    ],
    [
      '01SkGWslZ8iEn3bXyb0ga5dWB5gRzw8zWAuwfUI4ZMA',
      'jetton_swap',
      { source: BOTH, destination: ['receiver'], source_secondary: ['sender'] },
    ],
    ['4PNVGQkZJUWAiiPq3rIekA9O5-HLaXmYmP30iixAefA', 'jetton_swap', { source: BOTH }],
    // The masterchain pays the elector.
    [
      'CFl6PQXQyJ4FQFj9YsZwblnCg3m8Po9wuiBmrR4zGz4',
      'ton_transfer',
      { source: ['sender'], destination: ['receiver', 'initiated'] },
    ],
    ['Ugmymow0mpGDSuNUKC1YHkd28o7qceVvYtokZ--D-3E', 'ton_transfer', { source: SENT }],
    [
      'rbzKlyNgAhDnQ15r4tremaPVl_xURNgmSJQSyhGLSX4',
      'stake_deposit',
      { source: BOTH, destination: ['receiver'] },
    ],
  ])('equal those of the reference: %s, %s', (id, type, expected) => {
    const { trace, interfaces } = fixtureInput(readTraceFixture(`${TRACES}${id}.json`));
    const { actions } = classifyTrace({ trace, interfaces });
    const row = toActionRow(actions.find((action) => action.type === type)!, trace);
    const initiator = toAccountOrText(trace.transactions[0]!.account);
    const found = Object.keys(expected).map((name) => {
      const account = name === 'endpoint' ? endpointOf(row) : row[name as 'source']!;
      expect(row.accounts.map(formatAccount)).toContain(formatAccount(account));
      return [name, rolesOf(row, account, initiator)];
    });
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
