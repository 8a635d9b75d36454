import { type Address, beginCell, internal, storeMessageRelaxed, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, textComment } from '../../../src/localnet/contracts/contract.ts';
import { addToWhitelist, vestingSend, vestingWallet } from '../../../src/localnet/contracts/vesting.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import { account, op, sent } from '../support/trace-builder.ts';
import { raw, traceOfRun } from '../support/trace-of-run.ts';

const DAY = 86_400;

let net: SmallChain;
let sender: Person;
let owner: Person;
let pool: Person;
let vesting: ContractState;

beforeAll(async () => {
  net = await startSmallChain();
  [sender, owner, pool] = await net.people('sender', 'owner', 'pool');
  vesting = vestingWallet({
    publicKey: Buffer.alloc(32, 5),
    startTime: net.chain.now!,
    totalDuration: 100 * DAY,
    unlockPeriod: 10 * DAY,
    cliffDuration: 20 * DAY,
    totalAmount: toNano('100'),
    sender: sender.address,
    owner: owner.address,
  });
  await net.send(sender, vesting.address, toNano('200'), undefined, vesting.init);
  net.save();
});

beforeEach(() => net.reset());

const whitelist = (who: Person, ...addresses: [Address, ...Address[]]) =>
  net.send(who, vesting.address, toNano('0.1'), addToWhitelist(addresses, 3n));

describe('a vesting wallet', () => {
  it('sends messages for its owner', async () => {
    const message = internal({ to: pool.address, value: toNano('5'), body: textComment('d') });
    const run = await net.send(owner, vesting.address, toNano('0.1'), vestingSend(message, 3, 8n));
    const actions = summarizeActions(traceOfRun(run));
    expect(typesOf(actions)).toEqual([
      'vesting_send_message',
      'vesting_send_message/call_contract',
      'vesting_send_message/call_contract',
      'ton_transfer',
    ]);
    const boc = beginCell().store(storeMessageRelaxed(message)).endCell().toBoc({ idx: false, crc32: false });
    expect(actions[0]).toEqual({
      type: 'vesting_send_message',
      success: true,
      source: raw(owner.address),
      destination: raw(vesting.address),
      destination_secondary: raw(pool.address),
      amount: toNano('5'),
      vesting_send_message_data: { query_id: 8n, message_boc: boc.toString('base64') },
      txs: expect.stringMatching(/^tx0 tx1 tx\d$/),
    });
  });

  it('adds addresses to the whitelist', async () => {
    const trace = traceOfRun(await whitelist(sender, pool.address, owner.address, sender.address));
    expect(summarizeActions(trace)[0]).toEqual({
      type: 'vesting_add_whitelist',
      success: true,
      txs: 'tx0 tx1 tx2',
      source: raw(sender.address),
      destination: raw(vesting.address),
      vesting_add_whitelist_data: {
        query_id: 3n,
        accounts_added: [raw(pool.address), raw(owner.address), raw(sender.address)],
      },
    });
  });

  it('that rejects is a contract call', async () => {
    const actions = summarizeActions(traceOfRun(await whitelist(owner, pool.address)));
    expect(new Set(typesOf(actions))).toEqual(new Set(['call_contract']));
  });
});

describe('a contract call instead of a vesting action', () => {
  const [ALICE, BOB] = [account('alice'), account('bob')];
  const plain = ['call_contract', 'call_contract'];

  const toOutside = beginCell().storeUint(0b11_00_00, 6).storeUint(0, 96);

  it.each([
    ['no message', undefined],
    ['a message to the outside', toOutside],
    ['a message that is cut short', beginCell().storeUint(0, 9)],
  ])('results from a request to send %s', (_, message) => {
    const body = op(0xa7733acd, 1n).storeUint(3, 8);
    if (message) body.storeRef(message);
    const trace = sent(ALICE, { to: BOB, body, sends: [{ to: ALICE, body: op(0xf7733acd, 1n) }] });
    expect(typesOf(summarizeActions(trace))).toEqual(plain);
  });

  it('results from a truncated whitelist', () => {
    const body = op(0x7258a69b, 1n).storeAddress(null).storeRef(beginCell());
    const trace = sent(ALICE, { to: BOB, body, sends: [{ to: ALICE, body: op(0xf258a69b, 1n) }] });
    expect(typesOf(summarizeActions(trace))).toEqual(plain);
  });
});
