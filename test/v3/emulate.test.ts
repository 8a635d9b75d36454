import { type Address, beginCell, Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { externalMessage } from '../../src/localnet/contracts/contract.ts';
import { addToWhitelist } from '../../src/localnet/contracts/vesting.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { type DemoWallet, openDemoWallets, openStakerWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../src/localnet/demo/run-demo.ts';
import type { DemoStep } from '../../src/localnet/demo/story.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import { passWaits } from '../localnet/support/demo-waits.ts';
import { isLongRun, sampled, sampleOf } from '../support/long-run.ts';
import { readDocument } from '../support/read-document.ts';
import { until } from '../support/until.ts';
import { checkBy, contractCheck, missingContract } from './support/response-schemas.ts';
import { expectSameEffect, partsOf } from './support/shown-effect.ts';
import {
  BEGINNING,
  readDemoChain,
  startTongateServer,
  type TongateServer,
} from './support/tongate-server.ts';

const PREFIX = '/api/emulate/v1';
const checks = [
  checkBy(readDocument('emulate'), PREFIX),
  ...(missingContract === '' ? [contractCheck(PREFIX)] : []),
];

// biome-ignore lint/suspicious/noExplicitAny: a parsed response
type Json = any;

const NEW_JETTON = /makes a jetton for herself/;
/** From here on only stakers and bidders act, and rounds wait for elections. */
const FIRST_STAKING_ROUND = 5;
/** From a wallet to a pool, the elector, the pool and back. */
const LONGEST_TRACE_BLOCKS = 5;
/** The time at which a marketplace creates a sale is part of its address; what is returned to a bidder has a logical time. */
const DEPENDS_ON_TIME = /through the marketplace|bids (?:more|most)/;

const MAX_TRIES = 10;

/** How many rounds are sent: the first three have every wallet; what the others do, `pending/emulate-demo.test.ts` predicts. */
const ROUNDS = sampled(3, FIRST_STAKING_ROUND);
/** Messages that are emulated in a short run; the others are only sent. */
const SAMPLE = /highload|makes a jetton for herself|opens the zone|proposes to pay heidi/;

interface SentEmulation {
  readonly what: string;
  readonly emulated: Json;
  readonly hash: string;
  /** What happened, once it is known. */
  real?: Json;
}

let server: TongateServer;
const emulations: SentEmulation[] = [];
beforeAll(async () => {
  server = await startTongateServer({ demo: false, settings: { PENDING: 'off' } });
});
afterAll(() => server?.close());

async function headOf(): Promise<number> {
  return (await server.get('/api/v2/getMasterchainInfo')).body.result.last.seqno;
}

/** Produces blocks until what was sent has happened. */
async function deliver(): Promise<void> {
  const before = await headOf();
  await server.mine(2);
  await until(async () => (await headOf()) >= before + 2);
}

const LATE = 'the emulation did not end in time';

/** Asks again when the machine was too busy for the time that an emulation may take. */
async function ask(operation: string, body: object, headers = {}): ReturnType<TongateServer['post']> {
  for (;;) {
    const answer = await server.post(`${PREFIX}/${operation}`, body, headers);
    if (answer.status !== 504 && answer.body.error !== LATE) return answer;
  }
}

/** The emulation of a message by the service; again if the machine was too busy for all of the trace. */
async function emulate(what: string, boc: string): Promise<Json> {
  const include_metadata = NEW_JETTON.test(what);
  const question = { boc, with_actions: true, include_code_data: true, include_metadata };
  let { status, body } = await ask('emulateTrace', question);
  for (let tries = 0; body.is_incomplete && tries < MAX_TRIES; tries++)
    ({ status, body } = await ask('emulateTrace', question));
  expect([status, body.error, what]).toEqual([200, undefined, what]);
  for (const check of checks) expect(check('emulateTrace', body, 'post'), what).toBe('');
  return body;
}

async function send(boc: string): Promise<string> {
  const { status, body } = await server.post('/api/v3/message', { boc });
  expect(status).toBe(200);
  return body.message_hash;
}

/** The trace of a message, once the index has it with its actions. */
async function traceOf(hash: string): Promise<Json> {
  const query = new URLSearchParams({ msg_hash: hash, include_actions: 'true' });
  let trace: Json;
  await until(async () => {
    trace = (await server.get(`/api/v3/traces?${query}`)).body.traces[0];
    return trace?.trace_info.classification_state === 'ok';
  });
  return trace;
}

/** Compares an emulation with what happened. */
async function expectPredicted(one: SentEmulation): Promise<void> {
  const { what, emulated, hash } = one;
  const tree = ({ children }: Json): Json => (children ?? []).map(tree);
  const real = await traceOf(hash);
  one.real = real;
  expect([what, emulated.is_incomplete, tree(emulated.trace)]).toEqual([what, false, tree(real.trace)]);
  expect(typesOf(emulated), what).toEqual(typesOf(real));
  if (DEPENDS_ON_TIME.test(what)) return;
  expectSameEffect(emulated, real);
  expect(wordsOf(emulated), what).toEqual(wordsOf(real));
}

describe('emulating every message of the demo before it is sent', () => {
  it('succeeds, and the message is sent afterwards', async () => {
    const faucets = await openFaucets();
    const { rounds } = planDemo({
      wallets: openDemoWallets(),
      stakers: openStakerWallets(),
      faucets,
      genesisTime: BEGINNING,
    });
    const bocOf = async ({ message }: DemoStep) =>
      message(await readDemoChain(server, faucets))
        .toBoc()
        .toString('base64');
    for (const steps of rounds.slice(0, ROUNDS)) {
      const isChosen = ({ what }: DemoStep) => isLongRun || SAMPLE.test(what);
      for (const step of steps) if (!isChosen(step)) await send(await bocOf(step));
      if (!steps.every(isChosen)) await deliver();
      for (const step of steps.filter(isChosen)) {
        const [what, boc] = [step.what, await bocOf(step)];
        emulations.push({ what, emulated: await emulate(what, boc), hash: await send(boc) });
        await deliver();
      }
    }
    expect(emulations.length).toBeGreaterThanOrEqual(sampled(4, 30));
  });

  it('predicts the transactions and actions that then happen', async () => {
    for (const one of emulations) await expectPredicted(one);
  });

  it('predicts the account states', async () => {
    const left = new Map<string, { after: Json; real: Json }>();
    for (const { emulated, real } of emulations)
      for (const one of Object.values<Json>(emulated.transactions))
        left.set(one.account, { after: one.account_state_after, real });
    const { body } = await server.get(`/api/v3/accountStates?${addresses([...left.keys()])}`);
    const now = new Map<string, Json>(body.accounts.map((one: Json) => [one.address, one]));
    let same = 0;
    let compared = 0;
    for (const [account, { after, real }] of left) {
      const { status, last_transaction_hash: last, ...hashes } = now.get(account) ?? {};
      // Accounts that another message has changed later.
      if (!(last in real.transactions)) continue;
      compared += 1;
      const { account_status, code_hash, data_hash } = after;
      expect([account, account_status ?? 'nonexist']).toEqual([account, status]);
      expect([account, code_hash]).toEqual([account, hashes.code_hash ?? null]);
      if (data_hash === (hashes.data_hash ?? null)) same += 1;
    }
    // Domains and sales store the time in their data.
    expect(same).toBeGreaterThanOrEqual(compared - 4);
    expect(compared).toBeGreaterThanOrEqual(sampled(8, 40));
    for (const { emulated } of emulations) {
      const states = Object.values<Json>(emulated.transactions).map((one) => one.account_state_after);
      for (const { code_hash, data_hash } of states) {
        if (code_hash !== null) expect(hashOf(emulated.code_cells[code_hash])).toBe(code_hash);
        if (data_hash !== null) expect(hashOf(emulated.data_cells[data_hash])).toBe(data_hash);
      }
    }
  });
});

describe('tokens created in an emulation', () => {
  it('have the metadata of their contract', () => {
    const [jetton] = emulations.filter(({ what }) => NEW_JETTON.test(what));
    const { metadata, actions } = jetton!.emulated;
    const mint = actions.find(({ type }: Json) => type === 'jetton_mint');
    expect(metadata[mint.details.asset]).toEqual({
      is_indexed: false,
      token_info: [
        expect.objectContaining({ type: 'jetton_masters', symbol: 'DEMO', extra: { decimals: '9' } }),
      ],
    });
    expect(metadata[mint.details.receiver_jetton_wallet]).toEqual({
      is_indexed: false,
      token_info: [
        {
          type: 'jetton_wallets',
          extra: {
            owner: mint.details.receiver,
            jetton: mint.details.asset,
            balance: expect.stringMatching(/^\d+$/),
          },
        },
      ],
    });
  });
});

describe('emulateTonConnect', () => {
  const { bank, judy, ...others } = openDemoWallets();
  const { alice, heidi, kate } = others;
  const ordinary = Object.values(others).filter(
    (wallet): wallet is DemoWallet => wallet.version !== 'highload_v3r1',
  );
  const hi = beginCell().storeUint(0, 32).storeStringTail('hi from a dApp').endCell();
  const greeting = {
    address: judy.address.toString({ bounceable: false }),
    amount: '1234567',
    payload: hi.toBoc().toString('base64'),
  };
  const connect = (body: object, headers = {}) => ask('emulateTonConnect', body, headers);
  const from = ({ address }: { address: Address }) => address.toRawString();

  async function sendSigned(wallet: DemoWallet, count: number): Promise<string> {
    const { body } = await server.get(`/api/v2/getWalletInformation?address=${from(wallet)}`);
    const message = internal({ to: judy.address, value: 1_234_567n, bounce: false, body: hi });
    const transfer = walletTransfer({
      version: wallet.version,
      secretKey: wallet.keys.secretKey,
      seqno: body.result.seqno,
      validUntil: Math.floor(Date.now() / 1000) + 300,
      messages: Array(count).fill(message),
    });
    return send(externalMessage({ address: wallet.address }, transfer).toBoc().toString('base64'));
  }

  it('predicts transfers of all wallet versions', async () => {
    const connected: SentEmulation[] = [];
    for (const wallet of sampleOf(ordinary, 3)) {
      const count = wallet.version.startsWith('v1') ? 1 : 4;
      const messages = Array(count).fill(greeting);
      const { body } = await connect({ from: from(wallet), messages, with_actions: true });
      expect([wallet.version, body.error]).toEqual([wallet.version, undefined]);
      for (const check of checks) expect(check('emulateTonConnect', body, 'post')).toBe('');
      expect(body.actions.map(({ type }: Json) => type)).toEqual(Array(count).fill('ton_transfer'));
      connected.push({ what: wallet.version, emulated: body, hash: await sendSigned(wallet, count) });
    }
    expect(new Set(connected.map(({ what }) => what)).size).toBeGreaterThanOrEqual(sampled(2, 9));
    await server.mine(1);
    // Except for the external message, which has a signature.
    const inside = ({ transactions }: Json) =>
      Object.values<Json>(transactions).map(({ in_msg, ...rest }) =>
        in_msg.source === null ? rest : { ...rest, in_msg },
      );
    for (const { what, emulated, hash } of connected) {
      const real = await traceOf(hash);
      expectSameEffect({ transactions: inside(emulated) }, { transactions: inside(real) });
      expect(wordsOf(emulated), what).toEqual(wordsOf(real));
    }
  });

  it('returns actions of v1 unless the client supports more', async () => {
    const { contracts } = planDemo({
      wallets: openDemoWallets(),
      stakers: openStakerWallets(),
      faucets: await openFaucets(),
      genesisTime: BEGINNING,
    });
    const allow = {
      address: contracts['vesting wallet']!.toString(),
      amount: `${toNano('0.2')}`,
      payload: addToWhitelist([judy.address]).toBoc().toString('base64'),
    };
    const actionTypes = async (headers: object) =>
      typesOf((await connect({ from: from(bank), messages: [allow], with_actions: true }, headers)).body);
    expect(await actionTypes({})).toEqual(expect.arrayContaining(['call_contract']));
    expect(await actionTypes({ 'x-actions-version': 'latest' })).toEqual(['vesting_add_whitelist']);
    expect(await actionTypes({ 'x-actions-version': 'v1' })).toEqual(await actionTypes({}));
  });

  it('emulates on an older block and includes address book and cells on request', async () => {
    const seqno = (await headOf()) - 3;
    const question = { from: from(alice), messages: [greeting], mc_block_seqno: seqno };
    const { body: plain } = await connect(question);
    expect(plain.mc_block_seqno).toBe(seqno);
    expect(Object.keys(plain).sort()).toEqual([
      'is_incomplete',
      'mc_block_seqno',
      'rand_seed',
      'trace',
      'transactions',
    ]);
    const { body: book } = await connect({ ...question, include_address_book: true });
    expect(book.address_book[from(judy).toUpperCase()]).toMatchObject({ interfaces: ['wallet_v1r1'] });
    expect(book.metadata).toBeUndefined();
    const late = await connect({ ...question, mc_block_seqno: seqno + 1_000_000 });
    expect([late.status, late.body]).toEqual([500, { error: expect.any(String) }]);
  });

  it('refuses messages that the wallet cannot send', async () => {
    const refusal = async (body: object) => {
      const answer = await connect({ messages: [greeting], ...body });
      expect(Object.keys(answer.body)).toEqual(['error']);
      return [answer.status, answer.body.error];
    };
    const nobody = `0:${'12'.repeat(32)}`;
    const missing = 'Failed to fetch account state: Account not found in accounts_dict';
    expect(await refusal({ from: nobody })).toEqual([500, missing]);
    expect(await refusal({ from: from(kate) })).toEqual([500, 'Account is not a known wallet']);
    expect(await refusal({ from: from(heidi), messages: [greeting, greeting] })).toEqual([
      500,
      'Unsupported wallet type: wallet v1 r3 with 2 messages',
    ]);
    const [status, error] = await refusal({ from: from(alice), valid_until: 1_700_000_000 });
    expect([status, error]).toEqual([500, expect.stringMatching(/exit code 1?36/)]);
    // Milliseconds of the year 2100.
    const later = await connect({ from: from(alice), messages: [greeting], valid_until: 4_102_444_800_000 });
    expect(later.status).toBe(200);
  });

  it('an external message without a valid signature is rejected by emulateTrace', async () => {
    const seqno = 999;
    const forged = { ...alice, ...alice.keys, seqno, validUntil: 2 ** 32 - 1, messages: [] };
    const boc = externalMessage(alice, walletTransfer(forged)).toBoc().toString('base64');
    const refused = await ask('emulateTrace', { boc });
    expect([refused.status, refused.body.error]).toEqual([500, expect.stringContaining('exit code')]);
  });
});

// Last: elections move the clock of the chain.
describe.runIf(isLongRun)('emulating messages to the elector and to a pool before they are sent', () => {
  it('predicts the transactions and actions that then happen', async () => {
    const faucets = await openFaucets();
    const { rounds, waits, contracts } = planDemo({
      wallets: openDemoWallets(),
      stakers: openStakerWallets(),
      faucets,
      genesisTime: BEGINNING,
    });
    const followed = [contracts.elector!, contracts['nominator pool']!];
    const staking: SentEmulation[] = [];
    for (const [round, steps] of rounds.entries()) {
      if (round < FIRST_STAKING_ROUND) continue;
      await passWaits(await readDemoChain(server, faucets, followed), waits, round);
      for (const { what, message } of steps) {
        const chain = await readDemoChain(server, faucets, followed);
        const boc = message(chain).toBoc().toString('base64');
        staking.push({ what, emulated: await emulate(what, boc), hash: await send(boc) });
        await server.mine(LONGEST_TRACE_BLOCKS);
      }
    }
    for (const one of staking) await expectPredicted(one);
    const types = new Set(staking.flatMap(({ real }) => typesOf(real)));
    expect([...types]).toEqual(
      expect.arrayContaining([
        'election_deposit',
        'election_recover',
        'stake_withdrawal',
        'stake_withdrawal_request',
      ]),
    );
  });
});

function typesOf({ actions }: Json): string[] {
  return actions.map(({ type }: Json) => type).sort();
}

/** The actions of a response, without fields that depend on their position in the chain. */
function wordsOf({ actions }: Json): string[] {
  const shown = actions.map(({ type, success, details, transactions }: Json) => ({
    type,
    success,
    details,
    count: transactions.length,
  }));
  return partsOf({ transactions: shown }).map(({ text }) => text);
}

function hashOf(boc: string): string {
  return Cell.fromBase64(boc).hash().toString('base64');
}

function addresses(accounts: readonly string[]): URLSearchParams {
  return new URLSearchParams([
    ...accounts.map((one): [string, string] => ['address', one]),
    ['include_boc', 'false'],
  ]);
}
