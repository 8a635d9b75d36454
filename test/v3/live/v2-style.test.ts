import { beginCell, type Cell, external, internal, storeMessage, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExternalMessage } from '../../../src/live/external-messages.ts';
import { probeCode } from '../../../src/localnet/contracts/probe.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import type { TestDatabase } from '../../support/database.ts';
import { readIndexedDemo } from '../support/indexed-demo.ts';
import { openLiveApp, steadyAccounts } from '../support/live-app.ts';
import { contractCheck, documentCheck, missingContract } from '../support/response-schemas.ts';

const FOREVER = 0xffffffff;
const base64 = (cell: Cell) => cell.toBoc().toString('base64');
const EMPTY = base64(beginCell().endCell());
const ABSENT = `0:${'ab'.repeat(32)}`;
const conversion = (name: string) => `failed to decode: schema: error converting value for "${name}"`;
const noBag = (name: string) => `${conversion(name)}: expected a bag of cells in base64`;

const accepted: ExternalMessage[] = [];
let context: Awaited<ReturnType<typeof openLiveApp>>;
let demo: TestDatabase;
let app: FastifyInstance;
let all: string[];
let checks: ReturnType<typeof documentCheck>[];

beforeAll(async () => {
  const pending = { accepted: (message: ExternalMessage) => void accepted.push(message) };
  [context, demo] = await Promise.all([openLiveApp({ pending }), readIndexedDemo()]);
  app = await context.openV3({ database: demo.database });
  all = (await steadyAccounts(demo)).map(({ address }) => address);
  checks = [documentCheck(), ...(missingContract ? [] : [contractCheck()])];
});
afterAll(async () => {
  await context?.close();
  await demo?.drop();
});

async function get(url: string) {
  const answer = await app.inject({ url: `/api/v3/${url}` });
  return { status: answer.statusCode, body: answer.json(), source: answer.headers['x-tongate-source'] };
}
async function post(name: string, payload: Readonly<Record<string, unknown>>) {
  const answer = await app.inject({ method: 'POST', url: `/api/v3/${name}`, payload: { ...payload } });
  const body = answer.json();
  if (answer.statusCode === 200) for (const check of checks) expect(check(name, body, 'post')).toBe('');
  return { status: answer.statusCode, body };
}
// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Answered = any;
const onV2 = async (method: string, params: Readonly<Record<string, unknown>>): Promise<Answered> =>
  (await context.call(method, params)).body;

describe('v3 addressInformation and walletInformation', () => {
  it('return the same as v2, from the index and with use_v2', async () => {
    for (const address of all) {
      const there = (await onV2('getAddressInformation', { address })).result;
      const shared = {
        balance: there.balance,
        last_transaction_lt: there.last_transaction_id.lt,
        last_transaction_hash: there.last_transaction_id.hash,
      };
      const live = await get(`account?address=${address}&use_v2=true`);
      expect(live.body).toEqual({
        ...shared,
        code: there.code || null,
        data: there.data || null,
        frozen_hash: there.frozen_hash || null,
        status: there.state,
      });
      expect(live.source).toBe('lite-server');
      const { body, source } = await get(`addressInformation?address=${address}`);
      expect(source).toBeUndefined();
      if (body.status === 'nonexist') continue;
      expect(body).toMatchObject({ ...shared, frozen_hash: null });
      expect([body.code === null, body.data === null]).toEqual([there.code === '', there.data === '']);
      expect(body.status).toBe(there.state === 'uninitialized' ? 'uninit' : there.state);
      for (const check of checks) expect(check('addressInformation', body)).toBe('');
    }
  });

  it('decode wallets and reject other contracts', async () => {
    let wallets = 0;
    for (const address of all) {
      const there = (await onV2('getWalletInformation', { address })).result;
      const { wallet_type, seqno, wallet_id, balance } = there;
      const live = await get(`wallet?address=${address}&use_v2=1`);
      const stored = await get(`walletInformation?address=${address}`);
      if (!there.wallet && there.account_state !== 'uninitialized') {
        const refusal = { code: 409, error: 'not a wallet' };
        expect([live.body, stored.body]).toEqual([refusal, refusal]);
        continue;
      }
      expect(live.body).toEqual({
        wallet_type,
        seqno,
        wallet_id,
        balance,
        status: there.account_state,
        last_transaction_lt: there.last_transaction_id.lt,
        last_transaction_hash: there.last_transaction_id.hash,
      });
      expect(stored.body).toMatchObject(there.wallet ? { wallet_type, seqno, balance } : { balance });
      if (wallet_id !== undefined) expect(stored.body.wallet_id | 0).toBe(wallet_id);
      for (const check of checks) expect(check('walletInformation', stored.body)).toBe('');
      if (there.wallet) wallets++;
    }
    expect(wallets).toBeGreaterThanOrEqual(8);
  });

  it.each(['addressInformation', 'walletInformation', 'account', 'wallet'])(
    '%s rejects invalid parameters',
    async (name) => {
      expect((await get(name)).body).toEqual({ code: 422, error: 'address of account is required' });
      const bad = { code: 422, error: conversion('address') };
      expect((await get(`${name}?address=`)).body).toEqual(bad);
      expect((await get(`${name}?address=nobody`)).body).toEqual(bad);
      const use = await get(`${name}?address=${all[0]}&use_v2=perhaps`);
      expect(use.body).toEqual({ code: 422, error: conversion('use_v2') });
    },
  );
});

const { carol, bob } = openDemoWallets();

/** A transfer from carol to bob. */
function transferOf(seqno: number, validUntil = FOREVER): Cell {
  return walletTransfer({
    version: carol.version,
    secretKey: carol.keys.secretKey,
    seqno,
    validUntil,
    messages: [internal({ to: bob.address, value: toNano('0.1'), bounce: false })],
  });
}
const messageOf = (body: Cell): Cell =>
  beginCell()
    .store(storeMessage(external({ to: carol.address, body })))
    .endCell();
const address = carol.address.toString();
const seqnoOfCarol = async () => Number((await get(`wallet?address=${address}&use_v2=1`)).body.seqno);

describe('v3 estimateFee', () => {
  it('returns the same fees as v2', async () => {
    const body = base64(transferOf(await seqnoOfCarol()));
    const questions = [
      { address, body, ignore_chksig: true },
      { address, body, ignore_chksig: false },
      { address, body: EMPTY, ignore_chksig: true },
      {
        address: ABSENT,
        body: EMPTY,
        ignore_chksig: false,
        init_code: base64(probeCode()),
        init_data: EMPTY,
      },
      { address, body, init_data: EMPTY, ignore_chksig: true },
    ];
    for (const question of questions) {
      const there = (await onV2('estimateFee', question)).result;
      const { '@type': _, ...source_fees } = there.source_fees;
      expect((await post('estimateFee', question)).body).toEqual({ source_fees, destination_fees: [] });
      expect(source_fees.in_fwd_fee).toBeGreaterThan(0);
    }
  });

  it('checks signatures by default', async () => {
    const body = base64(transferOf(await seqnoOfCarol()));
    const [silent, checked] = [
      { address, body },
      { address, body, ignore_chksig: false },
    ];
    expect((await post('estimateFee', silent)).body).toEqual((await post('estimateFee', checked)).body);
  });

  it('rejects invalid parameters and names them', async () => {
    const good = { address, body: EMPTY };
    const cases: [Record<string, unknown>, string][] = [
      [{ body: EMPTY }, 'address is required'],
      [{ ...good, address: 'nobody' }, conversion('address')],
      [{ address }, 'body is required'],
      [{ ...good, body: '' }, 'body is required'],
      [{ ...good, body: 'AAAA' }, noBag('body')],
      [{ ...good, body: 5 }, noBag('body')],
      [{ ...good, init_code: '*' }, noBag('init_code')],
      [{ ...good, init_code: EMPTY }, 'init_data is required with init_code'],
      [{ ...good, init_code: EMPTY, init_data: 'AA' }, noBag('init_data')],
      [{ ...good, ignore_chksig: 'perhaps' }, conversion('ignore_chksig')],
    ];
    for (const [payload, error] of cases)
      expect((await post('estimateFee', payload)).body).toEqual({ code: 422, error });
  });
});

describe('v3 message', () => {
  it('sends a message that is executed on the chain', async () => {
    const seqno = await seqnoOfCarol();
    const message = messageOf(transferOf(seqno));
    const { status, body } = await post('message', { boc: base64(message) });
    expect([status, body.message_hash]).toEqual([200, message.hash().toString('base64')]);
    expect(accepted.map(({ hash }) => hash.toString('base64'))).toContain(body.message_hash);
    const last = accepted.at(-1)!;
    expect(body.message_hash_norm).toBe(last.normalizedHash.toString('base64'));
    const block = await context.running.localnet.mine(1);
    await context.pool.waitForSeqno(block.seqno, { timeoutMs: 120_000 });
    expect(await seqnoOfCarol()).toBe(seqno + 1);
  });

  it('returns the reason of the lite servers for a rejected message', async () => {
    const boc = base64(messageOf(transferOf(0)));
    const there = await onV2('sendBocReturnHash', { boc });
    const { status, body } = await post('message', { boc });
    expect([status, body]).toEqual([500, { code: 500, error: there.error }]);
    expect(body.error).toContain('LITE_SERVER');
  });

  it('rejects a bag of cells that is not a message', async () => {
    const cases: [Record<string, unknown>, unknown][] = [
      [{}, 'boc is required'],
      [{ boc: '' }, 'boc is required'],
      [{ boc: null }, 'boc is required'],
      [{ boc: 'AAAA' }, noBag('boc')],
      [{ boc: '*' }, noBag('boc')],
      [{ boc: ['x'] }, noBag('boc')],
      [{ boc: 'A'.repeat(200_000) }, noBag('boc')],
      [{ boc: EMPTY }, expect.stringMatching(/^boc is not an external message: /)],
    ];
    for (const [payload, error] of cases)
      expect((await post('message', payload)).body).toEqual({ code: 422, error });
    const list = await app.inject({ method: 'POST', url: '/api/v3/message', payload: ['x'] });
    expect(list.json()).toMatchObject({ code: 422 });
    const wrongMethod = await app.inject({ url: '/api/v3/message' });
    expect(wrongMethod.statusCode).toBe(405);
  });
});
