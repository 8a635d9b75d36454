import { readFileSync } from 'node:fs';
import { Cell } from '@ton/core';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { interfaceNames } from '../../../src/chain/contracts/interfaces.ts';
import { readAddressBook } from '../../../src/index/read/address-info.ts';
import { recorded } from '../../chain/support/recordings.ts';
import type { TestDatabase } from '../../support/database.ts';
import { isLongRun } from '../../support/long-run.ts';
import { missingNetwork, RECORDED_NETWORK } from '../../support/recorded-network.ts';
import { openReplayApp, type V2TestApp } from '../../v2/support/v2-app.ts';
import { openRecordedIndex } from '../support/recorded-index.ts';
import { compareContracts, ownTokenContent } from './support/compare-contracts.ts';
import { accountHex, type PlainRow, plainRow } from './support/get-method-rows.ts';

const TIMEOUT_MS = 300_000;

describe.skipIf(missingNetwork !== '')(`contracts of the recorded network${missingNetwork}`, () => {
  let replay: V2TestApp;
  let context: TestDatabase;

  beforeAll(async () => {
    replay = await openReplayApp();
    context = await openRecordedIndex();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await context?.drop();
    await replay?.close();
  });

  test.runIf(isLongRun)('are indexed as their get-methods say', { timeout: TIMEOUT_MS }, async () => {
    const { jetton_transfers, jetton_burns, nft_transfers, ...contracts } = await compareContracts(
      context,
      replay.pool,
    );
    expect(contracts).toEqual({
      jetton_masters: 2,
      jetton_wallets: 5,
      nft_collections: 1,
      nft_items: 3,
      nft_sales: 0,
      nft_auctions: 0,
      telemint_items: 0,
      dns_entries: 0,
      multisigs: 0,
      multisig_orders: 0,
      vestings: 0,
      nominator_pools: 0,
      dex_pools: 0,
    });
    expect([jetton_transfers, jetton_burns, nft_transfers].every((count) => count! > 0)).toBe(true);
  });

  test('agree with recorded responses of an existing client', async () => {
    const [supply, mintable, admin, content, code] = stackOf('get_jetton_data');
    expect(await rowOf('jetton_masters', 'get_jetton_data')).toMatchObject({
      total_supply: supply,
      mintable: mintable === '-1',
      admin: accountOf(admin),
      content: ownTokenContent(content as Cell),
      wallet_code_hash: hashOf(code),
    });
    const [balance, owner, jetton] = stackOf('get_wallet_data');
    expect(await rowOf('jetton_wallets', 'get_wallet_data')).toMatchObject({
      balance,
      owner: accountOf(owner),
      jetton: accountOf(jetton),
      mintless_is_claimed: null,
    });
    const [next, about, keeper] = stackOf('get_collection_data');
    expect(await rowOf('nft_collections', 'get_collection_data')).toMatchObject({
      next_item_index: next,
      owner: accountOf(keeper),
      content: ownTokenContent(about as Cell),
    });
    for (const file of ['get_nft_data', 'get_nft_data.item2']) {
      const [init, index, collection, holder] = stackOf(file);
      expect(await rowOf('nft_items', file)).toMatchObject({
        init: init === '-1',
        index,
        collection: accountOf(collection),
        owner: accountOf(holder),
      });
    }
  });

  test('have the names of their interfaces', async () => {
    const { accounts } = readScenario();
    const entries = Object.values(accounts);
    const keys = entries.map(({ raw }) => keyOfRaw(raw));
    const book = await readAddressBook(context.database.primary, { accounts: keys });
    const names = new Map(
      book.map(({ account, code_hash, methods }) => [
        account.toString('hex'),
        interfaceNames(code_hash ?? undefined, methods ?? undefined),
      ]),
    );
    const namesOf = (name: string) => names.get(keyOfRaw(accounts[name]!.raw).toString('hex'));
    for (const [name, { wallet }] of Object.entries(accounts))
      if (wallet !== undefined && wallet !== 'v5beta' && wallet !== 'hl2')
        expect({ name, names: namesOf(name) }).toEqual({ name, names: [`wallet_${wallet}`] });
    expect(namesOf('jetton_minter2')).toContain('jetton_master');
    expect(namesOf('jetton_wallet_dave')).toContain('jetton_wallet');
    expect(namesOf('nft_collection')).toContain('nft_collection');
    expect(namesOf('nft_item1')).toContain('nft_item');
    expect(namesOf('uninit0')).toBeNull();
  });

  async function rowOf(table: string, file: string): Promise<PlainRow | undefined> {
    const { accounts } = readScenario();
    const { account } = recorded('tonlib', `runGetMethod.${file}`);
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where account = ${keyOfRaw(accounts[account]!.raw)}
    `.execute(context.database.primary);
    return rows[0] && plainRow(rows[0]);
  }
});

interface Scenario {
  readonly accounts: Readonly<Record<string, { readonly raw: string; readonly wallet?: string }>>;
}

function readScenario(): Scenario {
  return JSON.parse(readFileSync(new URL('scenario.json', RECORDED_NETWORK), 'utf8'));
}

type Entry = string | Cell;

/** The stack of a recorded result: numbers as texts, the rest as cells. */
function stackOf(file: string): Entry[] {
  const { response } = recorded('tonlib', `runGetMethod.${file}`);
  return response.stack.map(({ number, slice, cell }: RecordedEntry) =>
    number ? number.number : Cell.fromBase64((slice ?? cell)!.bytes),
  );
}

interface RecordedEntry {
  readonly number?: { readonly number: string };
  readonly slice?: { readonly bytes: string };
  readonly cell?: { readonly bytes: string };
}

function accountOf(entry: Entry | undefined): string {
  return accountHex((entry as Cell).beginParse().loadAddress());
}

function hashOf(entry: Entry | undefined): string {
  return (entry as Cell).hash().toString('hex');
}

function keyOfRaw(raw: string): Buffer {
  const [workchain, hex] = raw.split(':');
  return Buffer.concat([Buffer.of(Number(workchain) & 0xff), Buffer.from(hex!, 'hex')]);
}
