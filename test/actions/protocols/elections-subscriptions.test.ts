import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [ALICE, BOB, PLUGIN] = [account('alice'), account('bob'), account('subscription')];
const ELECTOR = `-1:${'3'.repeat(64)}`;
const EXCESS: Step = { to: ALICE, body: op(0xd53276db, 1n) };

describe('an election stake', () => {
  const stake = (...sends: readonly Step[]): Step => ({
    to: ELECTOR,
    value: 500n,
    body: op(0x4e73744b, 1n),
    sends,
  });
  const accepted: Step = { to: ALICE, value: 1n, body: op(0xf374484c, 1n) };

  it('succeeds if the elector confirms it', () => {
    expect(summarizeActions(sent(ALICE, stake(accepted)))).toEqual([
      { type: 'election_deposit', success: true, source: ALICE, amount: 500n, txs: 'tx0 tx1 tx2' },
    ]);
  });

  it('fails if the elector does not confirm it', () => {
    const refusal: Step = { to: ALICE, value: 499n, body: op(0xee6f454c, 1n) };
    expect(summarizeActions(sent(ALICE, stake(refusal)))).toMatchObject([
      { type: 'election_deposit', success: false, amount: 500n, txs: 'tx0 tx1' },
      { type: 'call_contract' },
    ]);
  });

  it('is recognised only for the elector', () => {
    const other = { ...stake(accepted), to: BOB };
    expect(typesOf(summarizeActions(sent(ALICE, other)))).toEqual(['call_contract', 'call_contract']);
  });

  it('is recovered', () => {
    const returned: Step = { to: ALICE, value: 510n, body: op(0xf96f7324, 1n), sends: [EXCESS] };
    const recover: Step = { to: ELECTOR, value: 2n, body: op(0x47657424, 1n), sends: [returned] };
    expect(summarizeActions(sent(ALICE, recover))).toMatchObject([
      { type: 'election_recover', success: true, source: ALICE, amount: 510n, txs: 'tx0 tx1 tx2' },
      { type: 'call_contract', opcode: 0xd53276db },
    ]);
    const [none] = summarizeActions(sent(ALICE, { ...recover, sends: [] }));
    expect(none).toEqual({ type: 'election_recover', success: false, source: ALICE, txs: 'tx0 tx1' });
  });
});

describe('a subscription', () => {
  const payment: Step = { to: BOB, value: 90n, body: op(0x73756273, 1n) };
  const response: Step = { to: PLUGIN, value: 100n, body: op(0xf06c7567, 1n), sends: [payment] };
  const paid = {
    type: 'subscribe',
    success: true,
    source: ALICE,
    destination: BOB,
    destination_secondary: PLUGIN,
  };

  it('is paid by the wallet', () => {
    expect(summarizeActions(sent(ALICE, response))).toEqual([{ ...paid, amount: 100n, txs: 'tx0 tx1 tx2' }]);
  });

  it('is paid on its own request', () => {
    const request: Step = {
      to: ALICE,
      body: op(0x706c7567, 1n).storeCoins(95n).storeBit(0),
      sends: [response],
    };
    expect(summarizeActions(sent(PLUGIN, request))).toEqual([
      { ...paid, amount: 95n, txs: 'tx0 tx1 tx2 tx3' },
    ]);
    const [refused] = summarizeActions(sent(PLUGIN, { ...request, aborted: true }));
    expect(refused).toMatchObject({ type: 'subscribe', success: false });
  });

  it('is a contract call if the money is not forwarded or the request is truncated', () => {
    expect(typesOf(summarizeActions(sent(ALICE, { ...response, sends: [] })))).toEqual(['call_contract']);
    const request: Step = { to: ALICE, body: op(0x706c7567, 1n), sends: [response] };
    expect(new Set(typesOf(summarizeActions(sent(PLUGIN, request))))).toEqual(new Set(['call_contract']));
  });

  it('is cancelled', () => {
    const destroyed: Step = { to: BOB, value: 9n, body: op(0x64737472, 1n) };
    const destruct: Step = { to: PLUGIN, body: op(0x64737472, 1n), sends: [destroyed] };
    const ended = { type: 'unsubscribe', success: true, source: ALICE, destination_secondary: PLUGIN };
    expect(summarizeActions(sent(ALICE, destruct))).toEqual([
      { ...ended, destination: BOB, txs: 'tx0 tx1 tx2' },
    ]);
    expect(summarizeActions(sent(ALICE, { ...destruct, sends: [] }))).toEqual([{ ...ended, txs: 'tx0 tx1' }]);
  });
});
