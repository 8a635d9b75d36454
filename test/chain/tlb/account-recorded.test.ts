import { describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { codeHash, dataHash, readAccount } from '../../../src/chain/tlb/account.ts';
import { readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { recordedAnswer, recordedNames } from '../support/recorded-network.ts';

const names = missingNetwork === '' ? recordedNames('accounts') : [];
const answers = new Set(missingNetwork === '' ? recordedNames('tonlib') : []);

/** The hash of the root of a bag in base64; undefined for an empty text. */
function hashOf(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const bag = readBoc(Buffer.from(base64, 'base64'));
  return bag.hash(bag.root).toString('hex');
}

/** What a recorded answer of the lite server says about an account, in the words of tonlib. */
function fromLiteServer(name: string) {
  const { raw, proof, state } = recordedAnswer(`accounts/${name}`);
  const id = Buffer.from(raw.slice(raw.indexOf(':') + 1), 'hex');
  const proofs = readBoc(Buffer.from(proof, 'base64'));
  const shardState = readShardState(proofs, proofs.ref(proofs.roots[1]!, 0));
  const entry = lookUpShardAccount(proofs, shardState.accounts, id);
  expect(entry === undefined).toBe(state === '');
  const transaction = {
    lt: String(entry?.lastTransLt ?? 0n),
    hash: (entry?.lastTransHash ?? Buffer.alloc(32)).toString('base64'),
  };
  const common = { sync_utime: shardState.genUtime, ...transaction };
  if (entry === undefined)
    return { ...common, balance: '-1', extra: [], code: undefined, data: undefined, frozen_hash: '' };
  const bag = readBoc(Buffer.from(state, 'base64'));
  expect(proofs.hash(entry.account, 0)).toEqual(bag.hash(bag.root));
  const account = readAccount(bag, bag.root)!;
  expect(account.address.kind === 'std' && account.address.hash).toEqual(id);
  const extra = readExtraCurrencies(bag, account.balance);
  return {
    ...common,
    balance: String(account.balance.grams),
    extra: extra.map((currency) => ({ id: currency.id | 0, amount: String(currency.amount) })),
    code: codeHash(bag, account)?.toString('hex'),
    data: dataHash(bag, account)?.toString('hex'),
    frozen_hash: account.state.kind === 'frozen' ? account.state.stateHash.toString('base64') : '',
  };
}

describe.skipIf(missingNetwork !== '')(`accounts of the recorded network${missingNetwork}`, () => {
  it.each(names)('%s is read the same as by tonlib', (name) => {
    const read = fromLiteServer(name);
    if (answers.has(`raw.getAccountState.${name}`)) {
      const { response } = recordedAnswer(`tonlib/raw.getAccountState.${name}`);
      expect(read).toEqual({
        balance: response.balance,
        extra: response.extra_currencies.map(({ id, amount }: { id: number; amount: string }) => ({
          id,
          amount,
        })),
        code: hashOf(response.code),
        data: hashOf(response.data),
        frozen_hash: response.frozen_hash,
        sync_utime: response.sync_utime,
        lt: response.last_transaction_id.lt,
        hash: response.last_transaction_id.hash,
      });
    }
    if (answers.has(`getAccountState.${name}`)) {
      const { response } = recordedAnswer(`tonlib/getAccountState.${name}`);
      const { balance, sync_utime, last_transaction_id } = response;
      expect(read).toMatchObject({
        balance,
        sync_utime,
        lt: last_transaction_id.lt,
        hash: last_transaction_id.hash,
      });
    }
  });

  it('are of every kind', () => {
    const kinds = names.map((name) => {
      const { state } = recordedAnswer(`accounts/${name}`);
      if (state === '') return 'none';
      const bag = readBoc(Buffer.from(state, 'base64'));
      return readAccount(bag, bag.root)!.state.kind;
    });
    expect(new Set(kinds)).toEqual(new Set(['none', 'uninit', 'active', 'frozen']));
    expect(names.length).toBe(52);
  });
});
