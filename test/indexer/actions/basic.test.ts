import { createHash } from 'node:crypto';
import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { actionsOf, tellActions, typesOf } from './support/tell-actions.ts';
import { account, buildTrace, op, type Step, sent, text } from './support/trace-builder.ts';

const [ALICE, BOB, CAROL] = [account('alice'), account('bob'), account('carol')];

/** The one action of a single message from alice to bob. */
function told(step: Partial<Step>) {
  const [action] = tellActions(sent(ALICE, { to: BOB, ...step }));
  return action;
}

const remark = (body: Step['body']) => told({ ...(body && { body }) })?.ton_transfer_data;

describe('transfers', () => {
  it('are messages without an opcode, or with that of a remark', () => {
    expect(told({ value: 7n })).toEqual({
      type: 'ton_transfer',
      success: true,
      source: ALICE,
      destination: BOB,
      value: 7n,
      ton_transfer_data: { encrypted: false },
      txs: 'tx0 tx1',
    });
    expect(remark(text('hello'))).toEqual({ content: 'hello', encrypted: false });
    expect(remark(beginCell().storeUint(5, 31))).toEqual({ encrypted: false });
  });

  it('have the remark of all cells', () => {
    const tail = beginCell().storeStringTail(', and good night').endCell();
    expect(remark(text('Good morning').storeRef(tail))).toEqual({
      content: 'Good morning, and good night',
      encrypted: false,
    });
  });

  it('have an encrypted remark as base64', () => {
    expect(remark(op(0x2167da4b).storeBuffer(Buffer.from([1, 2, 254])))).toEqual({
      content: 'AQL+',
      encrypted: true,
    });
  });

  it('have bytes that are no text in a form that can be stored', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x00, 0xe2, 0x82, 0x62]);
    expect(remark(op(0).storeBuffer(bytes))).toEqual({ content: 'a\\xff\\xe2\\x82b', encrypted: false });
  });

  it('have no remark where it does not fill bytes, is empty, or branches', () => {
    for (const body of [op(0), op(0).storeUint(1, 9), text('a').storeRef(beginCell()).storeRef(beginCell())])
      expect(remark(body)).toEqual({ encrypted: false });
  });

  it('fail only where the money came back', () => {
    expect(told({ aborted: true })).toMatchObject({ success: false });
    const arrives = { aborted: true, bounce: false };
    expect(told({ ...arrives })).toMatchObject({ success: false });
    expect(told({ ...arrives, status: ['nonexist', 'uninit'] })).toMatchObject({ success: true });
    expect(told({ ...arrives, skippedReason: 'no_gas' })).toMatchObject({ success: true });
    expect(told({ aborted: true, status: ['uninit', 'uninit'] })).toMatchObject({ success: false });
  });

  it('have extra currencies', () => {
    expect(told({ extraCurrencies: { 100: '5' } })).toMatchObject({ value_extra_currencies: { 100: '5' } });
  });
});

describe('calls', () => {
  it('are messages with any other opcode', () => {
    expect(told({ body: op(0xfeedbeef), value: 3n })).toEqual({
      type: 'call_contract',
      success: true,
      source: ALICE,
      destination: BOB,
      value: 3n,
      opcode: 0xfeedbeef,
      txs: 'tx0 tx1',
    });
    expect(told({ body: op(9), extraCurrencies: { 7: '1' } })).toMatchObject({
      type: 'call_contract',
      value_extra_currencies: { 7: '1' },
    });
  });

  it('do not fail where nothing was lost', () => {
    const refused = { body: op(9), aborted: true };
    expect(told(refused)).toMatchObject({ success: false });
    expect(told({ ...refused, value: 0n })).toMatchObject({ success: true });
    expect(told({ ...refused, value: 0n, extraCurrencies: { 7: '1' } })).toMatchObject({ success: false });
  });

  it('are not told of messages from outside and to the outside', () => {
    expect(typesOf(tellActions(sent(ALICE, { to: null, body: op(9) }, { to: BOB })))).toEqual([
      'ton_transfer',
    ]);
  });
});

describe('deployments', () => {
  it('are told beside what brought them about', () => {
    const trace = sent(ALICE, { to: BOB, body: op(9), deploys: true });
    expect(typesOf(tellActions(trace))).toEqual(['call_contract', 'contract_deploy']);
    expect(tellActions(trace)[1]).toEqual({
      type: 'contract_deploy',
      success: true,
      source: ALICE,
      destination: BOB,
      value: 50_000_000n,
      opcode: 9,
      txs: 'tx0 tx1',
    });
  });

  it('are told of what a message from outside deploys', () => {
    const trace = buildTrace({ to: ALICE, body: op(9), deploys: true, sends: [{ to: BOB }] });
    expect(tellActions(trace)).toMatchObject([
      { type: 'ton_transfer' },
      { type: 'contract_deploy', destination: ALICE, opcode: 9, txs: 'tx0' },
    ]);
  });

  it('are not told of accounts that thaw', () => {
    const types = (status: Step['status']) =>
      typesOf(tellActions(sent(ALICE, { to: BOB, ...(status && { status }) })));
    expect(types(['frozen', 'active'])).toEqual(['ton_transfer']);
    expect(types(['nonexist', 'active'])).toEqual(['ton_transfer', 'contract_deploy']);
  });
});

describe('tick-tock', () => {
  it('is no action by itself', () => {
    expect(actionsOf(buildTrace({ to: ALICE, tickTock: true }))).toEqual([]);
  });

  it('is one where something follows', () => {
    const trace = buildTrace({ to: ALICE, tickTock: true, sends: [{ to: BOB, body: op(9) }] });
    const [tick, call] = actionsOf(trace);
    expect(tick).toMatchObject({ type: 'tick_tock', source: ALICE, destination: null, tx_hashes: ['tx0'] });
    expect(call).toMatchObject({ type: 'call_contract', tx_hashes: ['tx1', 'tx0'] });
    expect(tick?.action_id).toBe(idOf('tx0', 'tick_tock'));
  });
});

const idOf = (hash: string, type: string) => createHash('sha256').update(`${hash}${type}`).digest('base64');

describe('what all actions have', () => {
  const trace = sent(ALICE, { to: BOB, body: text('a'), sends: [{ to: CAROL, body: op(9) }] });
  const [transfer, call] = actionsOf(trace);

  it('is a name that only depends on the first message and the type', () => {
    expect(transfer?.action_id).toBe(idOf('msg1', 'ton_transfer'));
    expect(idOf('Cn59JAl38ihSdaGdBxcnJkUHm+aWCaPY2KcJmxo4y1Q=', 'ton_transfer')).toBe(
      '2w63ODTcF5Jcx0ff5OOJKZ9kMhn5BzeYKr3R+OLEZMU=',
    );
  });

  it('is the time from the making of the first message to the last transaction', () => {
    expect(transfer).toMatchObject({ start_lt: 1_001n, end_lt: 2_000n, mc_seqno_end: 101 });
    expect(transfer).toMatchObject({ start_utime: 1_700_000_000, end_utime: 1_700_000_005 });
    expect(call).toMatchObject({ start_lt: 2_001n, end_lt: 3_000n, mc_seqno_end: 102 });
  });

  it('is the transaction that sent the first message, and its account', () => {
    expect(call?.tx_hashes).toEqual(['tx2', 'tx1']);
    expect(new Set(call?.accounts)).toEqual(new Set([BOB, CAROL]));
    expect(call).toMatchObject({ trace_id: 'tx0', parent_action_id: null, ancestor_type: [] });
  });
});
