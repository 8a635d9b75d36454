import {
  type Address,
  type Builder,
  beginCell,
  type Cell,
  external,
  internal,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import type { SendMessageResult } from '@ton/sandbox';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyFromSeed, signWithSeed } from '../../../src/lib/ed25519.ts';
import type { ContractState } from '../../../src/localnet/contracts/contract.ts';
import { defaultWalletId, wallet } from '../../../src/localnet/contracts/wallets.ts';
import { type Person, type SmallChain, startSmallChain } from '../../localnet/support/small-chain.ts';
import { actionsOf, summarizeActions, typesOf } from '../support/action-summaries.ts';
import { raw, traceOfRun } from '../support/trace-of-run.ts';

const EXTERNAL = 0x7369676e;
const INTERNAL = 0x73696e74;
const BY_EXTENSION = 0x6578746e;
const OWNER = keyFromSeed(Buffer.alloc(32, 7));
const STRANGER = keyFromSeed(Buffer.alloc(32, 8));
const W5_CODE = 'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=';

let net: SmallChain;
let relayer: Person;
let plugin: Person;
let w5: ContractState;

beforeAll(async () => {
  net = await startSmallChain();
  [relayer, plugin] = await net.people('relayer', 'plugin');
  w5 = wallet({ version: 'v5r1', publicKey: OWNER.publicKey });
  await net.send(relayer, w5.address, toNano('10'), undefined, w5.init);
  net.save();
});

beforeEach(() => net.reset());

const add = (address: Address) => beginCell().storeUint(2, 8).storeAddress(address);
const remove = (address: Address) => beginCell().storeUint(3, 8).storeAddress(address);
const allow = (allowed: boolean) => beginCell().storeUint(4, 8).storeBit(allowed);

/** Messages to send, and extended actions, the first outermost. */
function request(extended: readonly Builder[], messages?: Cell): Builder {
  const [first, ...others] = extended;
  const body = beginCell()
    .storeMaybeRef(messages)
    .storeBit(first !== undefined);
  if (!first) return body;
  let next: Builder | undefined;
  for (const one of others.toReversed())
    next = beginCell()
      .storeBuilder(one)
      .storeSlice(next ? beginCell().storeRef(next).asSlice() : beginCell().asSlice());
  body.storeBuilder(first);
  return next ? body.storeRef(next) : body;
}

function signed(opcode: number, inner: Builder, { key = OWNER, seqno = 0 } = {}): Cell {
  const body = beginCell()
    .storeUint(opcode, 32)
    .storeUint(defaultWalletId('v5r1'), 32)
    .storeUint(net.chain.now! + 60, 32)
    .storeUint(seqno, 32)
    .storeBuilder(inner);
  return beginCell().storeBuilder(body).storeBuffer(signWithSeed(key.seed, body.endCell().hash())).endCell();
}

const send = (...extended: Builder[]) =>
  net.chain.sendMessage(external({ to: w5.address, body: signed(EXTERNAL, request(extended)) }));
const relay = (body: Cell) => net.send(relayer, w5.address, toNano('0.1'), body);
const byExtension = (from: Person, ...extended: Builder[]) =>
  net.send(
    from,
    w5.address,
    toNano('0.1'),
    beginCell().storeUint(BY_EXTENSION, 32).storeUint(5, 64).storeBuilder(request(extended)).endCell(),
  );

/** What is known of the wallet after a run. */
async function knownNow() {
  const { account } = await net.chain.getContract(w5.address);
  const state = account.account?.storage.state;
  const data = state?.type === 'active' ? state.state.data : undefined;
  return {
    codeHashes: { [raw(w5.address)]: W5_CODE },
    data: { [raw(w5.address)]: data!.toBoc() },
  };
}

/** The actions of a run that the reference does not have. */
async function ownActions(run: SendMessageResult) {
  const own = ['add_extension', 'remove_extension', 'set_signature_allowed', 'gas_relay'];
  return summarizeActions(traceOfRun(run), await knownNow()).filter(({ type }) =>
    own.includes(type as string),
  );
}

const ofWallet = { success: true, source: '' };

describe('a wallet v5', () => {
  it('gets and loses extensions by a message of its owner', async () => {
    const source = raw(w5.address);
    const run = await send(add(plugin.address), add(relayer.address), remove(plugin.address));
    expect(await ownActions(run)).toEqual([
      { ...ofWallet, source, type: 'add_extension', destination: raw(plugin.address), txs: 'tx0' },
      { ...ofWallet, source, type: 'add_extension', destination: raw(relayer.address), txs: 'tx0' },
      { ...ofWallet, source, type: 'remove_extension', destination: raw(plugin.address), txs: 'tx0' },
    ]);
  });

  it('has actions with ids of their own', async () => {
    const run = await send(add(plugin.address), add(relayer.address));
    const ids = actionsOf(traceOfRun(run), await knownNow()).map(({ action_id: id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('stays unknown for who does not ask for extensions', async () => {
    const trace = traceOfRun(await send(add(plugin.address)));
    const actions = summarizeActions(trace, await knownNow());
    expect(typesOf(actions)).toEqual(['add_extension/unknown', 'add_extension']);
    // Without its code it is not known to be a wallet.
    expect(typesOf(summarizeActions(trace))).toEqual(['unknown']);
  });

  it('fails to do what it refuses, though the message is accepted', async () => {
    const run = await send(remove(plugin.address));
    expect(await ownActions(run)).toMatchObject([{ type: 'remove_extension', success: false }]);
  });

  it('allows and forbids signatures by its extensions', async () => {
    await send(add(plugin.address));
    const run = await byExtension(plugin, allow(false));
    expect(await ownActions(run)).toEqual([
      {
        ...ofWallet,
        type: 'set_signature_allowed',
        source: raw(w5.address),
        set_signature_allowed_data: { allowed: false },
        txs: expect.any(String),
      },
    ]);
    expect(typesOf(summarizeActions(traceOfRun(run), await knownNow()))).toContain('call_contract');
  });

  it('does not obey who is no extension', async () => {
    await send(add(plugin.address));
    expect(await ownActions(await byExtension(relayer, add(relayer.address)))).toEqual([]);
  });

  it('has its gas paid by a relayer', async () => {
    const message = internal({ to: plugin.address, value: toNano('1'), bounce: false });
    const list = beginCell()
      .storeRef(beginCell())
      .storeUint(0x0ec3c86d, 32)
      .storeUint(3, 8)
      .storeRef(beginCell().store(storeMessageRelaxed(message)))
      .endCell();
    const run = await relay(signed(INTERNAL, request([], list)));
    const actions = summarizeActions(traceOfRun(run), await knownNow());
    expect(typesOf(actions)).toEqual(['gas_relay/call_contract', 'ton_transfer', 'gas_relay']);
    expect(actions.at(-1)).toEqual({
      type: 'gas_relay',
      success: true,
      source: raw(relayer.address),
      destination: raw(w5.address),
      amount: toNano('0.1'),
      txs: 'tx0 tx1',
    });
  });

  it('is changed through a relayer', async () => {
    const run = await relay(signed(INTERNAL, request([add(plugin.address)])));
    expect(await ownActions(run)).toMatchObject([{ type: 'add_extension' }, { type: 'gas_relay' }]);
  });

  it('ignores what somebody else signed', async () => {
    const run = await relay(signed(INTERNAL, request([add(plugin.address)]), { key: STRANGER }));
    const types = typesOf(summarizeActions(traceOfRun(run), await knownNow()));
    expect(new Set(types)).toEqual(new Set(['call_contract']));
  });

  it('refuses an old request', async () => {
    const run = await relay(signed(INTERNAL, request([add(plugin.address)]), { seqno: 9 }));
    expect(await ownActions(run)).toMatchObject([
      { type: 'add_extension', success: false },
      { type: 'gas_relay', success: false },
    ]);
  });

  it.each([
    ['is too short', beginCell()],
    ['has an unknown action', beginCell().storeBit(0).storeBit(1).storeUint(9, 8)],
    ['is cut short', beginCell().storeBit(0).storeBit(1).storeUint(2, 8)],
  ])('has no action if its request %s', async (_, inner) => {
    const run = await relay(signed(INTERNAL, inner));
    expect((await ownActions(run)).map(({ type }) => type).filter((type) => type !== 'gas_relay')).toEqual(
      [],
    );
  });
});
