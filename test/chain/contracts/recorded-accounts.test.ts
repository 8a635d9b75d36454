import { describe, expect, it } from 'vitest';
import { formatFriendly } from '../../../src/chain/address.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { recogniseAccount } from '../../../src/chain/contracts/account-kinds.ts';
import { type DnsRecord, formatAdnlAddress, readDnsRecords } from '../../../src/chain/contracts/dns.ts';
import { readTokenContent, type TokenContent } from '../../../src/chain/contracts/token-content.ts';
import { readWallet, walletCodeOf } from '../../../src/chain/contracts/wallets.ts';
import { readStackBoc } from '../../../src/chain/stack/vm-stack.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recorded, recordedNames } from '../support/recordings.ts';

/** Code and data of a recorded account. */
function stateOf(name: string) {
  const { state } = recorded('accounts', name);
  const cells = readBoc(Buffer.from(state === '' ? 'te6cckEBAQEAAwAAAUD20kA0' : state, 'base64'));
  const account = readAccount(cells, cells.root);
  const init = account?.state.kind === 'active' ? account.state.init : undefined;
  return { cells, code: init?.code ?? -1, data: init?.data ?? -1 };
}

/** A cell of a recorded result. */
function resultCell(name: string, index: number) {
  const { response } = recorded('lite', `runSmcMethod_${name}`);
  const entry = readStackBoc(Buffer.from(response.decoded.result, 'base64'))[index];
  if (entry?.type !== 'cell') throw new Error(`${name} has no cell at ${index}`);
  return entry;
}

describe.skipIf(missingNetwork !== '')(`recorded accounts${missingNetwork}`, () => {
  const accounts = new Set(recordedNames('accounts'));

  it('are recognised as the same wallets as by TON Center', () => {
    let compared = 0;
    for (const file of recordedNames('http', 'getWalletInformation.')) {
      const name = file.slice('getWalletInformation.'.length);
      const { status, body } = recorded('http', file);
      if (status !== 200 || !accounts.has(name)) continue;
      const { cells, code, data } = stateOf(name);
      const known = code < 0 ? undefined : walletCodeOf(cells.hash(code));
      const wallet = known?.type === undefined ? undefined : readWallet(known.layout!, cells, data);
      const { wallet: isWallet, wallet_type, seqno, wallet_id } = body.result;
      expect(wallet !== undefined, name).toBe(isWallet);
      if (isWallet) {
        expect({ type: known?.type, seqno: wallet?.seqno, id: wallet?.walletId }, name).toEqual({
          type: wallet_type,
          seqno,
          id: wallet_id,
        });
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(25);
  });

  it('have the wallet codes of their roles', () => {
    for (const name of ['v1r1', 'v1r2', 'v1r3', 'v2r1', 'v2r2']) {
      const { cells, code } = stateOf(`zoo_${name}`);
      expect(walletCodeOf(cells.hash(code))?.label).toBe(`wallet_${name}`);
    }
    const { cells, code } = stateOf('carol');
    expect(walletCodeOf(cells.hash(code))?.type).toBe('wallet v5 r1');
  });

  it('have the public keys of the scenario', () => {
    const { result } = { result: recorded('tonlib', 'runGetMethod.get_public_key') };
    const address = result.request[0].function.account_address.account_address;
    const name = [...accounts].find((each) => recorded('accounts', each).address === address)!;
    const { cells, code, data } = stateOf(name);
    const key = readWallet(walletCodeOf(cells.hash(code))!.layout!, cells, data)!.publicKey;
    expect(BigInt(`0x${key.toString('hex')}`)).toBe(BigInt(result.response.stack[0].number.number));
  });

  it('are of the same kinds as in tonlib', () => {
    let compared = 0;
    for (const file of recordedNames('tonlib', 'getAccountState.')) {
      const name = file.slice('getAccountState.'.length);
      if (!accounts.has(name)) continue;
      const { account_state: state, revision } = recorded('tonlib', file).response;
      const { cells, code, data } = stateOf(name);
      const found = recogniseAccount(cells, code, data);
      expect(`${found.kind}.accountState`, name).toBe(state['@type']);
      expect(found.revision, name).toBe(revision);
      if ('walletId' in found) expect(`${found.walletId}`, name).toBe(state.wallet_id);
      if ('seqno' in found) expect(found.seqno, name).toBe(state.seqno);
      compared++;
    }
    expect(compared).toBeGreaterThan(30);
  });
});

describe.skipIf(missingNetwork !== '')(`recorded contents${missingNetwork}`, () => {
  const shown = (content: TokenContent | undefined) =>
    content?.type === 'offchain'
      ? { type: 'offchain', data: content.uri }
      : { type: 'onchain', data: content?.attributes };

  it('are the same as in TON Center', () => {
    const jetton = resultCell('jetton_data', 3);
    expect(shown(readTokenContent(jetton.cells, jetton.cell))).toEqual(
      recorded('http', 'getTokenData.jetton_minter').body.result.jetton_content,
    );
    const collection = resultCell('collection_data', 1);
    expect(shown(readTokenContent(collection.cells, collection.cell))).toEqual(
      recorded('http', 'getTokenData.nft_collection').body.result.collection_content,
    );
    const item = resultCell('nft_content', 0);
    expect(shown(readTokenContent(item.cells, item.cell))).toEqual({
      type: 'offchain',
      data: 'https://example.com/nft/2.json',
    });
  });

  it('include the DNS records that tonlib reads', () => {
    const { cells, cell } = resultCell('dns', 1);
    const entries = recorded('tonlib', 'dns.resolve.all').response.entries;
    const friendly = (record: Extract<DnsRecord, { address: unknown }>) =>
      formatFriendly(record.address, { bounceable: true, testOnly: false });
    const value = (record: DnsRecord): unknown => {
      switch (record.kind) {
        case 'smc_address':
        case 'next_resolver':
          return { '@type': 'accountAddress', account_address: friendly(record) };
        case 'adnl_address':
          return { '@type': 'adnlAddress', adnl_address: formatAdnlAddress(record.id) };
        case 'storage_address':
          return record.id.toString('base64');
        default:
          return record.text;
      }
    };
    const found = readDnsRecords(cells, cell).map(({ category, record }) => [
      category.toString('base64'),
      value(record),
    ]);
    expect(found).toEqual(
      entries.map(({ category, entry }: { category: string; entry: Record<string, unknown> }) => [
        category,
        Object.entries(entry).find(([name]) => name !== '@type')![1],
      ]),
    );
  });
});
