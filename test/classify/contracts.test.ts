import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordingInterfaces } from '../../src/classify/classify-traces.ts';
import { accountText, ContractCache, loadAccountData } from '../../src/classify/contracts.ts';
import { sourceOf } from '../../src/classify/unindexed-contracts.ts';
import type { TestDatabase } from '../support/database.ts';
import { readIndexedDemo } from '../v3/support/indexed-demo.ts';
import { rowsOf } from './support/classifying.ts';

let demo: TestDatabase;
beforeAll(async () => {
  demo = await readIndexedDemo();
});
afterAll(() => demo?.drop());

describe('the code of an account', () => {
  it('is known once it is asked for', async () => {
    const [jetton] = await rowsOf<{ account: Buffer; code_hash: Buffer; wallet_code_hash: Buffer }>(
      demo,
      'select account, code_hash, wallet_code_hash from jetton_masters order by account limit 1',
    );
    const { account, code_hash: code, wallet_code_hash: walletCode } = jetton!;
    const address = accountText(account);
    const contracts = new ContractCache();
    const before = new RecordingInterfaces(contracts);
    expect(before.codeHashOf(address)).toBeUndefined();
    expect(before.walletCodeHashOf(address)).toBeUndefined();
    expect([...before.unknownData]).toEqual([address]);

    await demo.database.read((db) => loadAccountData(sourceOf(db), contracts, new Map([[address, account]])));
    const after = new RecordingInterfaces(contracts);
    expect(after.codeHashOf(address)).toBe(code.toString('base64'));
    expect(after.walletCodeHashOf(address)).toBe(walletCode.toString('base64'));
    expect(after.unknownData.size).toBe(0);
  });
});
