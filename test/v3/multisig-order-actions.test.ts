import { Address, beginCell, type Cell, internal, type MessageRelaxed, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageCell, textComment } from '../../src/localnet/contracts/contract.ts';
import { burnJettons, mintJettons, transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { packOrder } from '../../src/localnet/contracts/multisig.ts';
import { transferItem } from '../../src/localnet/contracts/nft.ts';
import {
  changeJettonAdmin,
  changeJettonContent,
  claimJettonAdmin,
} from '../localnet/support/contract-messages.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { checkForms } from './support/list-checks.ts';
import { made, rawMade, stateOf } from './support/made-rows.ts';

const [A, B, C] = [1, 2, 3].map((n) => new Address(n === 3 ? -1 : 0, Buffer.alloc(32, n))) as [
  Address,
  Address,
  Address,
];
const raw = (address: Address) => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`;
const message = (body: Cell): MessageRelaxed => internal({ to: A, value: toNano(2), body });
const body = (opcode: number, queryId = 2n ** 64n - 1n) =>
  beginCell().storeUint(opcode, 32).storeUint(queryId, 64);
const HUGE = 2 ** 64;

const SWAP = beginCell()
  .storeUint(0x25938561, 32)
  .storeAddress(B)
  .storeCoins(1_500_000_000n)
  .storeAddress(C)
  .endCell();

/** Message bodies, and how they are parsed. */
const BODIES: readonly (readonly [string, Cell, object])[] = [
  ['ton_transfer', textComment('hi "you"'), { comment: 'hi "you"', encrypted: false }],
  [
    'jetton_transfer',
    transferJettons({ amount: 5n, to: B, responseTo: C, forwardTon: 1n, forwardPayload: SWAP }),
    {
      query_id: 0,
      amount: '5',
      destination: raw(B),
      response: raw(C),
      custom_payload: null,
      forward_amount: '1',
      comment: '',
      encrypted_comment: false,
      payload_sum_type: 'StonfiSwap',
      forward_payload: expect.any(String),
      stonfi_swap_body: { jetton_wallet: raw(B), min_amount: '1.5', user_address: raw(C) },
    },
  ],
  [
    'jetton_transfer',
    transferJettons({ amount: 5n, to: B, responseTo: C, forwardTon: 1n, forwardPayload: textComment('c') }),
    expect.objectContaining({ comment: 'c', payload_sum_type: 'TextComment', stonfi_swap_body: null }),
  ],
  [
    'jetton_burn',
    burnJettons({ amount: 7n, responseTo: B }),
    { query_id: 0, amount: '7', response_destination: raw(B) },
  ],
  [
    'nft_transfer',
    transferItem({ to: B, responseTo: C, forwardTon: 3n }),
    {
      query_id: 0,
      new_owner: raw(B),
      response_destination: raw(C),
      custom_payload: null,
      forward_amount: '3',
      forward_payload: null,
    },
  ],
  [
    'jetton_mint',
    mintJettons({ to: B, amount: 9n, ton: 4n, responseTo: C, forwardTon: 1n }),
    {
      opcode: 0x642b7d07,
      query_id: 0,
      to_address: raw(B),
      ton_amount: '4',
      master_msg_query_id: 0,
      master_msg_jetton_amount: '9',
    },
  ],
  ['jetton_top_up', body(0x9fd3).endCell(), { query_id: HUGE }],
  ['jetton_change_admin', changeJettonAdmin(B), { query_id: 0, new_admin_address: raw(B) }],
  ['jetton_claim_admin', claimJettonAdmin(), { query_id: 0 }],
  [
    'jetton_change_content',
    changeJettonContent('https://x.y'),
    { query_id: 0, new_metadata_url: 'https://x.y' },
  ],
  [
    'jetton_call_to',
    body(0x235caf52)
      .storeAddress(B)
      .storeCoins(2n)
      .storeRef(body(0xeed236d3).storeUint(3, 4).endCell())
      .endCell(),
    {
      query_id: HUGE,
      to_address: raw(B),
      ton_amount: '2',
      action_type: 'JettonSetStatus',
      action_data: expect.any(String),
    },
  ],
  ['jetton_set_status', body(0xeed236d3).storeUint(3, 4).endCell(), { query_id: HUGE, new_status: 3 }],
  ['single_nominator_withdraw', body(0x1000).storeCoins(8n).endCell(), { query_id: HUGE, coins: '8' }],
  [
    'single_nominator_change_validator',
    body(0x1001).storeAddress(C).endCell(),
    { query_id: HUGE, validator_address: raw(C) },
  ],
  [
    'vesting_internal_transfer',
    body(0x75097f5d)
      .storeUint(3, 8)
      .storeRef(messageCell(message(textComment('v'))))
      .endCell(),
    {
      query_id: HUGE,
      send_mode: 3,
      destination: raw(A),
      value: '2000000000',
      comment: 'v',
      message_body: textComment('v').toBoc().toString('base64'),
    },
  ],
  [
    'unknown',
    body(0xffffffff).endCell(),
    { opcode: 0xffffffff, data: body(0xffffffff).endCell().toBoc().toString('base64') },
  ],
];

const ORDER = packOrder([
  ...BODIES.map(([, cell]) => ({ kind: 'send' as const, mode: 3, message: message(cell) })),
  { kind: 'update', params: { threshold: 2, signers: [A, C], proposers: [B] } },
]);

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const state = (number: number, order_boc: Buffer) => ({
    ...stateOf('order', number),
    multisig: made('multisig', 0),
    order_seqno: '1',
    threshold: '1',
    sent_for_execution: false,
    approvals_mask: '0',
    approvals_num: '0',
    expiration_date: '0',
    order_boc,
    signers: [],
  });
  await test.database.primary
    .insertInto('multisig_orders')
    .values([state(1, ORDER.toBoc()), state(2, Buffer.from('nothing'))])
    .execute();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
});
afterAll(async () => {
  await app?.close();
  await test.drop();
});

describe('multisig/orders with parse_actions', () => {
  const ask = (number: number) =>
    app.inject({ url: `/api/v3/multisig/orders?parse_actions=true&address=${rawMade('order', number)}` });

  it.each(BODIES.map(([type, cell, shown], at) => [type, at, cell, shown] as const))(
    'parses a %s (%i)',
    async (type, at, cell, shown) => {
      const { actions } = (await ask(1)).json().orders[0];
      expect(actions[at]).toEqual({
        destination: raw(A),
        value: '2000000000',
        body_raw: cell.toBoc().toString('base64'),
        parsed: true,
        error: null,
        parsed_body: shown,
        parsed_body_type: type,
        send_mode: 3,
      });
    },
  );

  it('writes 64-bit numbers with all digits', async () => {
    expect((await ask(1)).body).toContain('"query_id":18446744073709551615');
  });

  it('parses new parameters and adds all their addresses to the address book', async () => {
    const { orders, address_book } = (await ask(1)).json();
    expect(orders[0].actions.at(-1)).toEqual({
      destination: null,
      value: null,
      body_raw: null,
      parsed: true,
      error: null,
      send_mode: 0,
      parsed_body_type: 'multisig_update_params',
      parsed_body: { new_threshold: 2, new_signers: [raw(A), raw(C)], new_proposers: [raw(B)] },
    });
    expect(Object.keys(address_book)).toEqual(expect.arrayContaining([raw(A), raw(B), raw(C)]));
  });

  it('returns null actions for a malformed order and without parse_actions', async () => {
    expect((await ask(2)).json().orders[0].actions).toBeNull();
    const plain = await app.inject({ url: `/api/v3/multisig/orders?address=${rawMade('order', 1)}` });
    expect(plain.json().orders[0].actions).toBeNull();
  });

  it('matches the contract', () =>
    checkForms(app, 'multisig/orders', [{ multisig_address: rawMade('multisig', 0), parse_actions: '1' }]));
});
