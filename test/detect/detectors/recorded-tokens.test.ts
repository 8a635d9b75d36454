import { Address, Cell } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeCellBoc } from '../../../src/chain/boc/writer.ts';
import { undefinedOnMismatch } from '../../../src/chain/contracts/probe.ts';
import { readTokenContent, toStoredContent } from '../../../src/chain/contracts/token-content.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { DETECTORS } from '../../../src/detect/detectors/all-detectors.ts';
import { recordedAnswer, recordedBag, recordedNames } from '../../chain/support/recorded-network.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { key } from '../support/stack-items.ts';
import { openTestProbes, type TestProbes } from '../support/test-probe.ts';

// biome-ignore lint/suspicious/noExplicitAny: columns of many tables, compared with recorded responses.
type Columns = any;

/** No contract of the network has a code that detectors recognise by hash. */
const WITHOUT_CODES = DETECTORS.filter(({ codes }) => codes === undefined);

/** Contracts detected at the last block: columns by table and raw address. */
const found = new Map<string, Map<string, Columns>>();
let probes: TestProbes;

/** Adds all contracts of a shard; returns their addresses. */
function putAccounts(name: string): Address[] {
  const bag = recordedBag(`states/${name}`);
  const workchain = Number(name.split('_')[0]);
  const addresses: Address[] = [];
  walkShardAccounts(bag, readShardState(bag, bag.root).accounts, (id, entry) => {
    const state = readAccount(bag, entry.account)?.state;
    if (state?.kind !== 'active' || state.init.code < 0 || state.init.data < 0) return;
    const [code, data] = [state.init.code, state.init.data].map(
      (cell) => Cell.fromBoc(writeCellBoc(bag, cell))[0]!,
    );
    const account = new Address(workchain, Buffer.from(id));
    addresses.push(account);
    probes.put({ account, code: code!, data: data! });
  });
  return addresses;
}

/** The stack recorded with tonlib: numbers, and cells and slices as cells. */
function recordedStack(name: string): { readonly account: string; readonly stack: (bigint | Cell)[] } {
  const { account, response } = recordedAnswer(`tonlib/runGetMethod.${name}`);
  const stack = response.stack.map((entry: Columns) =>
    entry.number ? BigInt(entry.number.number) : Cell.fromBase64((entry.cell ?? entry.slice).bytes),
  );
  return { account: recordedAnswer(`accounts/${account}`).raw, stack };
}

const rowOf = (table: string, raw: string): Columns =>
  found.get(table)?.get(Address.parse(raw).toRawString());
const accountIn = (entry: bigint | Cell | undefined): Buffer =>
  key((entry as Cell).beginParse().loadAddress());
const addressKey = (text: string): Buffer => key(Address.parse(text));
function contentIn(entry: bigint | Cell | undefined): object {
  const bag = fromCoreCell(entry as Cell);
  return toStoredContent(readTokenContent(bag, bag.root)!);
}

describe.skipIf(missingNetwork !== '')(
  `tokens of the recorded network${missingNetwork}`,
  { timeout: 300_000 },
  () => {
    beforeAll(async () => {
      probes = openTestProbes();
      const known = { zones: [], poolFactory: undefined };
      const addresses = recordedNames('states')
        .filter((name) => !name.endsWith('_0'))
        .flatMap(putAccounts);
      for (const address of addresses)
        for (const { table, detect } of WITHOUT_CODES) {
          const columns = await undefinedOnMismatch(detect(probes.of(address), known));
          if (columns === undefined) continue;
          found.set(table, (found.get(table) ?? new Map()).set(address.toRawString(), columns));
        }
    });
    afterAll(() => probes.close());

    it('are all detected, and nothing else is', () => {
      const counts = Object.fromEntries([...found].map(([table, rows]) => [table, rows.size]));
      expect(counts).toEqual({ jetton_masters: 2, jetton_wallets: 5, nft_collections: 1, nft_items: 3 });
      // The balances of the wallets add up to the supply.
      for (const [raw, { total_supply }] of found.get('jetton_masters')!) {
        const wallets = [...found.get('jetton_wallets')!.values()].filter(({ jetton }) =>
          jetton.equals(addressKey(raw)),
        );
        expect(wallets.reduce((sum, { balance }) => sum + balance, 0n)).toBe(total_supply);
      }
    });

    it('agree with recorded tonlib responses', () => {
      const master = recordedStack('get_jetton_data');
      expect(rowOf('jetton_masters', master.account)).toEqual({
        total_supply: master.stack[0],
        mintable: master.stack[1] !== 0n,
        admin: accountIn(master.stack[2]),
        content: contentIn(master.stack[3]),
        wallet_code_hash: (master.stack[4] as Cell).hash(),
        mintless_root: null,
      });
      const wallet = recordedStack('get_wallet_data');
      expect(rowOf('jetton_wallets', wallet.account)).toEqual({
        balance: wallet.stack[0],
        owner: accountIn(wallet.stack[1]),
        jetton: accountIn(wallet.stack[2]),
        mintless_is_claimed: null,
      });
      const collection = recordedStack('get_collection_data');
      expect(rowOf('nft_collections', collection.account)).toEqual({
        next_item_index: collection.stack[0],
        content: contentIn(collection.stack[1]),
        owner: accountIn(collection.stack[2]),
      });
      for (const name of ['get_nft_data', 'get_nft_data.item2']) {
        const { account, stack } = recordedStack(name);
        expect(rowOf('nft_items', account)).toMatchObject({
          init: stack[0] !== 0n,
          index: stack[1],
          collection: accountIn(stack[2]),
          owner: accountIn(stack[3]),
        });
      }
    });

    it('agree with recorded responses of an existing server', () => {
      const compared: string[] = [];
      for (const name of recordedNames('http').filter((file) => file.startsWith('getTokenData.'))) {
        const { body, status } = recordedAnswer(`http/${name}`);
        if (status !== 200) continue;
        const { contract_type: kind, content, jetton_content, collection_content, ...said } = body.result;
        const raw = recordedAnswer(`accounts/${name.slice('getTokenData.'.length)}`).raw;
        const row = rowOf(`${kind}s`, raw);
        for (const [field, value] of Object.entries<Columns>(said)) {
          const column = row[field.replace(/_address$/, '')] ?? row[field];
          if (field === 'jetton_wallet_code') continue;
          const expected = typeof value === 'string' ? addressKey(value) : value;
          expect(typeof column === 'bigint' ? Number(column) : column, `${name} ${field}`).toEqual(expected);
        }
        const shown = content ?? jetton_content ?? collection_content;
        if (shown !== undefined)
          expect(row.content).toEqual(shown.type === 'offchain' ? { uri: shown.data } : shown.data);
        compared.push(name);
      }
      expect(compared).toHaveLength(6);
    });
  },
);
