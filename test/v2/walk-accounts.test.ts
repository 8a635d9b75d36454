import { Address, contractAddress, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probe } from '../../src/localnet/contracts/probe.ts';
import { removeTemporaryDirectory } from '../support/temporary-directory.ts';
import { codeOf, sendFrom } from './support/deploy.ts';
import { TRANSPORTS } from './support/transports.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const YEAR_SECONDS = 31_536_000;
const SEQNO_ID = '0x14c97';
const NO_TRANSACTION = { lt: '0', hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' };
const DEPOSIT = toNano('0.1');

/** Accounts of every kind with every operation that reads accounts. */
describe('account operations on special accounts', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  const debtor = probe({ owner: new Address(0, Buffer.alloc(32, 1)) });
  const codeAlone = { code: codeOf('') };
  const bare = contractAddress(0, codeAlone);
  const saver = new Address(0, Buffer.alloc(32, 2));
  const nobody = Address.parse('UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ');

  beforeAll(async () => {
    context = await openLocalnetApp();
    const { localnet, wallets } = context.running;
    const send = (...messages: ReturnType<typeof internal>[]) =>
      sendFrom(context, wallets.basechain, messages);
    await send(
      internal({ to: debtor.address, value: DEPOSIT, init: debtor.init, bounce: false }),
      internal({ to: bare, value: toNano('10'), init: codeAlone, bounce: false }),
    );
    await localnet.advance(40 * YEAR_SECONDS);
    await send(
      internal({ to: debtor.address, value: 1n, bounce: false }),
      internal({ to: saver, value: DEPOSIT, bounce: false }),
    );
  });
  afterAll(async () => {
    await context?.close();
    if (context !== undefined) await removeTemporaryDirectory(context.folder);
  });

  /** The result of a call, checked to be the same by every transport. */
  async function ask(operation: string, address: Address, more: object = {}) {
    const transports = operation.startsWith('run') ? TRANSPORTS.slice(1) : TRANSPORTS;
    const seqno = context.pool.head!.seqno;
    const answers = await Promise.all(
      transports.map((transport) =>
        context.call(operation, { address: address.toString(), seqno, ...more }, transport),
      ),
    );
    for (const { status, body } of answers)
      expect({ status, result: body.result }).toEqual({ status: 200, result: answers[0]!.body.result });
    return answers[0]!.body.result;
  }

  const run = (address: Address) => ask('runGetMethod', address, { method: 'seqno', stack: [['num', '5']] });

  /** Checks all operations on an account without code. */
  async function expectNoContract(address: Address, state: string, frozenHash: string): Promise<void> {
    const info = await ask('getAddressInformation', address);
    expect(info).toMatchObject({ state, code: '', data: '', frozen_hash: frozenHash });
    expect(await ask('getAddressState', address)).toBe(state);
    expect(await ask('getAddressBalance', address)).toBe(info.balance);
    expect(await ask('getWalletInformation', address)).toEqual({
      '@type': 'ext.accounts.walletInformation',
      wallet: false,
      balance: info.balance,
      account_state: state,
      last_transaction_id: info.last_transaction_id,
    });
    expect(await ask('getExtendedAddressInformation', address)).toMatchObject({
      balance: info.balance,
      revision: 0,
      account_state: { '@type': 'uninited.accountState', frozen_hash: frozenHash },
    });
    // Arguments and method id stay on the stack.
    expect(await run(address)).toMatchObject({
      exit_code: -13,
      gas_used: 0,
      stack: [
        ['num', '0x5'],
        ['num', SEQNO_ID],
      ],
      last_transaction_id: info.last_transaction_id,
    });
    const { status, body } = await context.call('getTokenData', { address: address.toString() });
    expect({ status, error: body.error }).toEqual({
      status: 409,
      error: `Smart contract ${address.toString()} is not Jetton or NFT`,
    });
  }

  it('return a frozen account', async () => {
    const { frozen_hash, last_transaction_id } = await ask('getAddressInformation', debtor.address);
    expect(Buffer.from(frozen_hash, 'base64')).toHaveLength(32);
    expect(BigInt(last_transaction_id.lt)).toBeGreaterThan(0n);
    await expectNoContract(debtor.address, 'frozen', frozen_hash);
  });

  it('return an uninitialized account with balance', async () => {
    await expectNoContract(saver, 'uninitialized', '');
    expect(await ask('getAddressBalance', saver)).toBe(String(DEPOSIT));
  });

  it('return an account that does not exist', async () => {
    await expectNoContract(nobody, 'uninitialized', '');
    expect(await ask('getAddressBalance', nobody)).toBe('0');
    expect((await ask('getAddressInformation', nobody)).last_transaction_id).toMatchObject(NO_TRANSACTION);
    expect((await context.call('getTransactions', { address: nobody.toString() })).body.result).toEqual([]);
  });

  it('return an active account without data, whose first run leaves an empty cell', async () => {
    const info = await ask('getAddressInformation', bare);
    const code = codeAlone.code.toBoc({ idx: false, crc32: true }).toString('base64');
    const data = 'te6cckEBAQEAAgAAAEysuc0=';
    expect(info).toMatchObject({ state: 'active', code, data, frozen_hash: '' });
    expect(await ask('getExtendedAddressInformation', bare)).toMatchObject({
      account_state: { '@type': 'raw.accountState', code, data, frozen_hash: '' },
    });
    expect(await ask('getWalletInformation', bare)).toMatchObject({ wallet: false, account_state: 'active' });
    expect(await run(bare)).toMatchObject({
      exit_code: 0,
      stack: [
        ['num', '0x5'],
        ['num', SEQNO_ID],
      ],
    });
  });

  it('getShardAccountCell returns every kind of account as in the shard state', async () => {
    for (const address of [debtor.address, saver, bare, nobody]) {
      const { bytes } = await ask('getShardAccountCell', address);
      expect(bytes).toMatch(/^te6cck/);
    }
    expect((await ask('getShardAccountCell', nobody)).bytes).toBe(
      'te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==',
    );
  });
});
