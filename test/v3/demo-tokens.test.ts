import { Cell, loadTransaction, type Slice } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { readStoredSlots } from '../support/stored-pages.ts';
import { buildV3App, NO_INDEX } from './support/build-app.ts';
import { readIndexedDemo } from './support/indexed-demo.ts';
import { checkForms } from './support/list-checks.ts';

let test: TestDatabase;
let app: FastifyInstance;
/** The bags of transactions by hash in base64. */
let bags: Map<string, Buffer>;

beforeAll(async () => {
  test = await readIndexedDemo();
  app = await buildV3App({ ports: { ...NO_INDEX, database: test.database } });
  const slots = await readStoredSlots(test.database.primary);
  bags = new Map(slots.map(({ hash, bag }) => [hash.toString('base64'), bag]));
});
afterAll(async () => {
  await app?.close();
  await test?.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
async function ask(query: string): Promise<any> {
  const answer = await app.inject({ url: `/api/v3/${query}` });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  return answer.json();
}

/** The body of the message that a transaction received. */
function bodyOf(hash: string): Slice {
  const [cell] = Cell.fromBoc(bags.get(hash)!);
  return loadTransaction(cell!.beginParse()).inMessage!.body.beginParse();
}

const text = (address: ReturnType<Slice['loadMaybeAddress']>) =>
  address === null ? 'addr_none' : `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`;
const hashIn = (boc: string | null) => boc && Cell.fromBase64(boc).hash().toString('hex');
const payloadOf = (body: Slice) => (body.loadBit() ? body.loadRef().hash().toString('hex') : null);

describe('tokens of the demo chain', () => {
  it('have all requested jetton transfers', async () => {
    const { jetton_transfers } = await ask('jetton/transfers?limit=1000');
    expect(jetton_transfers.length).toBeGreaterThan(3);
    for (const transfer of jetton_transfers) {
      const body = bodyOf(transfer.transaction_hash);
      expect(body.loadUint(32)).toBe(0x0f8a7ea5);
      expect(transfer.query_id).toBe(`${body.loadUintBig(64)}`);
      expect(transfer.amount).toBe(`${body.loadCoins()}`);
      expect(transfer.destination).toBe(text(body.loadMaybeAddress()));
      expect(transfer.response_destination).toBe(text(body.loadMaybeAddress()));
      expect(hashIn(transfer.custom_payload)).toBe(payloadOf(body));
      expect(transfer.forward_ton_amount).toBe(`${body.loadCoins()}`);
      expect(hashIn(transfer.forward_payload)).toBe(payloadOf(body));
    }
  });

  it('have all requested jetton burns', async () => {
    const { jetton_burns } = await ask('jetton/burns?limit=1000');
    expect(jetton_burns.length).toBeGreaterThan(0);
    for (const burn of jetton_burns) {
      const body = bodyOf(burn.transaction_hash);
      expect(body.loadUint(32)).toBe(0x595f07bc);
      expect(burn.query_id).toBe(`${body.loadUintBig(64)}`);
      expect(burn.amount).toBe(`${body.loadCoins()}`);
      expect(burn.response_destination).toBe(text(body.loadMaybeAddress()));
    }
  });

  it('have all requested NFT transfers', async () => {
    const { nft_transfers } = await ask('nft/transfers?limit=1000');
    expect(nft_transfers.length).toBeGreaterThan(1);
    for (const transfer of nft_transfers) {
      const body = bodyOf(transfer.transaction_hash);
      expect(body.loadUint(32)).toBe(0x5fcc3d14);
      expect(transfer.query_id).toBe(`${body.loadUintBig(64)}`);
      expect(transfer.new_owner).toBe(text(body.loadMaybeAddress()));
      expect(transfer.response_destination).toBe(text(body.loadMaybeAddress()));
      expect(hashIn(transfer.custom_payload)).toBe(payloadOf(body));
      expect(transfer.forward_amount).toBe(`${body.loadCoins()}`);
      expect(hashIn(transfer.forward_payload)).toBe(payloadOf(body));
    }
  });

  it('jetton wallet balances add up to the supply', async () => {
    const { jetton_masters } = await ask('jetton/masters?limit=1000');
    expect(jetton_masters.length).toBeGreaterThan(0);
    for (const { address, total_supply } of jetton_masters) {
      const { jetton_wallets } = await ask(`jetton/wallets?limit=1000&jetton_address=${address}`);
      const sum = jetton_wallets.reduce(
        (all: bigint, { balance }: { balance: string }) => all + BigInt(balance),
        0n,
      );
      expect(`${sum}`).toBe(total_supply);
    }
  });

  it('an NFT item on sale is listed for its seller', async () => {
    const { nft_items } = await ask('nft/items?limit=1000');
    const [listed, ...others] = nft_items.filter((item: { on_sale: boolean }) => item.on_sale);
    expect(others).toEqual([]);
    expect(listed.sale_contract_address).toBe(listed.owner_address);
    const of = async (more: string) =>
      (await ask(`nft/items?owner_address=${listed.real_owner}${more}`)).nft_items.map(
        (item: { address: string }) => item.address,
      );
    expect(await of('')).not.toContain(listed.address);
    expect(await of('&include_on_sale=true')).toContain(listed.address);
    const { nft_sales } = await ask(`nft/sales?address=${listed.owner_address}`);
    expect(nft_sales[0]).toMatchObject({
      type: 'getgems_sale',
      nft_address: listed.address,
      nft_owner_address: listed.real_owner,
      details: { full_price: '10000000000', is_complete: false },
    });
  });

  it('match the contract, and so do multisigs and vestings', async () => {
    const db = test.database.primary;
    const [multisig] = await db.selectFrom('multisigs').select('account').execute();
    const [vesting] = await db.selectFrom('vestings').select('account').execute();
    const raw = (account: Buffer) => `${account.readInt8(0)}:${account.subarray(1).toString('hex')}`;
    for (const name of ['masters', 'wallets', 'transfers', 'burns'])
      await checkForms(app, `jetton/${name}`, [{}]);
    for (const name of ['collections', 'items', 'transfers']) await checkForms(app, `nft/${name}`, [{}]);
    await checkForms(app, 'multisig/wallets', [{ address: raw(multisig!.account) }]);
    const orders = { multisig_address: raw(multisig!.account), parse_actions: 'true' };
    await checkForms(app, 'multisig/orders', [orders]);
    await checkForms(app, 'vesting', [{ contract_address: raw(vesting!.account) }]);
  });
});
