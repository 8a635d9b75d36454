import { createHash } from 'node:crypto';
import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { actionsOf, summarizeActions, typesOf } from './support/action-summaries.ts';
import { account, buildTrace, op, type Step, sent, text } from './support/trace-builder.ts';

const [ALICE, BOB, CAROL] = [account('alice'), account('bob'), account('carol')];

/** The one action of a single message from alice to bob. */
function classify(step: Partial<Step>) {
  const [action] = summarizeActions(sent(ALICE, { to: BOB, ...step }));
  return action;
}

const comment = (body: Step['body']) => classify({ ...(body && { body }) })?.ton_transfer_data;

describe('TON transfers', () => {
  it('are messages without an opcode or with a comment opcode', () => {
    expect(classify({ value: 7n })).toEqual({
      type: 'ton_transfer',
      success: true,
      source: ALICE,
      destination: BOB,
      value: 7n,
      ton_transfer_data: { encrypted: false },
      txs: 'tx0 tx1',
    });
    expect(comment(text('hello'))).toEqual({ content: 'hello', encrypted: false });
    expect(comment(beginCell().storeUint(5, 31))).toEqual({ encrypted: false });
  });

  it('have the comment of a snake of cells', () => {
    const tail = beginCell().storeStringTail(', and good night').endCell();
    expect(comment(text('Good morning').storeRef(tail))).toEqual({
      content: 'Good morning, and good night',
      encrypted: false,
    });
  });

  it('have an encrypted comment as base64', () => {
    expect(comment(op(0x2167da4b).storeBuffer(Buffer.from([1, 2, 254])))).toEqual({
      content: 'AQL+',
      encrypted: true,
    });
  });

  it('escape comment bytes that are not UTF-8', () => {
    const bytes = Buffer.from([0x61, 0xff, 0x00, 0xe2, 0x82, 0x62]);
    expect(comment(op(0).storeBuffer(bytes))).toEqual({ content: 'a\\xff\\xe2\\x82b', encrypted: false });
  });

  it('have no comment if it is empty, branches, or has incomplete bytes', () => {
    for (const body of [op(0), op(0).storeUint(1, 9), text('a').storeRef(beginCell()).storeRef(beginCell())])
      expect(comment(body)).toEqual({ encrypted: false });
  });

  it('fail only if the money bounced', () => {
    expect(classify({ aborted: true })).toMatchObject({ success: false });
    const arrives = { aborted: true, bounce: false };
    expect(classify({ ...arrives })).toMatchObject({ success: false });
    expect(classify({ ...arrives, status: ['nonexist', 'uninit'] })).toMatchObject({ success: true });
    expect(classify({ ...arrives, skippedReason: 'no_gas' })).toMatchObject({ success: true });
    expect(classify({ aborted: true, status: ['uninit', 'uninit'] })).toMatchObject({ success: false });
  });

  it('have extra currencies', () => {
    expect(classify({ extraCurrencies: { 100: '5' } })).toMatchObject({
      value_extra_currencies: { 100: '5' },
    });
  });
});

describe('contract calls', () => {
  it('are messages with any other opcode', () => {
    expect(classify({ body: op(0xfeedbeef), value: 3n })).toEqual({
      type: 'call_contract',
      success: true,
      source: ALICE,
      destination: BOB,
      value: 3n,
      opcode: 0xfeedbeef,
      txs: 'tx0 tx1',
    });
    expect(classify({ body: op(9), extraCurrencies: { 7: '1' } })).toMatchObject({
      type: 'call_contract',
      value_extra_currencies: { 7: '1' },
    });
  });

  it('do not fail if no value was lost', () => {
    const refused = { body: op(9), aborted: true };
    expect(classify(refused)).toMatchObject({ success: false });
    expect(classify({ ...refused, value: 0n })).toMatchObject({ success: true });
    expect(classify({ ...refused, value: 0n, extraCurrencies: { 7: '1' } })).toMatchObject({
      success: false,
    });
  });

  it('do not include external messages', () => {
    expect(typesOf(summarizeActions(sent(ALICE, { to: null, body: op(9) }, { to: BOB })))).toEqual([
      'ton_transfer',
    ]);
  });
});

describe('deployments', () => {
  it('are separate actions beside their cause', () => {
    const trace = sent(ALICE, { to: BOB, body: op(9), deploys: true });
    expect(typesOf(summarizeActions(trace))).toEqual(['call_contract', 'contract_deploy']);
    expect(summarizeActions(trace)[1]).toEqual({
      type: 'contract_deploy',
      success: true,
      source: ALICE,
      destination: BOB,
      value: 50_000_000n,
      opcode: 9,
      txs: 'tx0 tx1',
    });
  });

  it('include contracts deployed by an external message', () => {
    const trace = buildTrace({ to: ALICE, body: op(9), deploys: true, sends: [{ to: BOB }] });
    expect(summarizeActions(trace)).toMatchObject([
      { type: 'ton_transfer' },
      { type: 'contract_deploy', destination: ALICE, opcode: 9, txs: 'tx0' },
    ]);
  });

  it('do not include unfrozen accounts', () => {
    const types = (status: Step['status']) =>
      typesOf(summarizeActions(sent(ALICE, { to: BOB, ...(status && { status }) })));
    expect(types(['frozen', 'active'])).toEqual(['ton_transfer']);
    expect(types(['nonexist', 'active'])).toEqual(['ton_transfer', 'contract_deploy']);
  });
});

describe('tick-tock', () => {
  it('is not an action alone', () => {
    expect(actionsOf(buildTrace({ to: ALICE, tickTock: true }))).toEqual([]);
  });

  it('is an action if messages follow', () => {
    const trace = buildTrace({ to: ALICE, tickTock: true, sends: [{ to: BOB, body: op(9) }] });
    const [tick, call] = actionsOf(trace);
    expect(tick).toMatchObject({ type: 'tick_tock', source: ALICE, destination: null, tx_hashes: ['tx0'] });
    expect(call).toMatchObject({ type: 'call_contract', tx_hashes: ['tx1', 'tx0'] });
    expect(tick?.action_id).toBe(idOf('tx0', 'tick_tock'));
  });
});

const idOf = (hash: string, type: string) => createHash('sha256').update(`${hash}${type}`).digest('base64');

describe('every action', () => {
  const trace = sent(ALICE, { to: BOB, body: text('a'), sends: [{ to: CAROL, body: op(9) }] });
  const [transfer, call] = actionsOf(trace);

  it('has an id that depends only on its first message and type', () => {
    expect(transfer?.action_id).toBe(idOf('msg1', 'ton_transfer'));
    expect(idOf('Cn59JAl38ihSdaGdBxcnJkUHm+aWCaPY2KcJmxo4y1Q=', 'ton_transfer')).toBe(
      '2w63ODTcF5Jcx0ff5OOJKZ9kMhn5BzeYKr3R+OLEZMU=',
    );
  });

  it('spans from the creation of its first message to its last transaction', () => {
    expect(transfer).toMatchObject({ start_lt: 1_001n, end_lt: 2_000n, mc_seqno_end: 101 });
    expect(transfer).toMatchObject({ start_utime: 1_700_000_000, end_utime: 1_700_000_005 });
    expect(call).toMatchObject({ start_lt: 2_001n, end_lt: 3_000n, mc_seqno_end: 102 });
  });

  it('includes the transaction and account that sent its first message', () => {
    expect(call?.tx_hashes).toEqual(['tx2', 'tx1']);
    expect(new Set(call?.accounts)).toEqual(new Set([BOB, CAROL]));
    expect(call).toMatchObject({ trace_id: 'tx0', parent_action_id: null, ancestor_type: [] });
  });
});
