import { describe } from 'vitest';
import { testActions } from '../support/action-cases.ts';
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
  const refusal: Step = { to: ALICE, value: 499n, body: op(0xee6f454c, 1n) };
  const returned: Step = { to: ALICE, value: 510n, body: op(0xf96f7324, 1n), sends: [EXCESS] };
  const recover: Step = { to: ELECTOR, value: 2n, body: op(0x47657424, 1n), sends: [returned] };
  const call = { type: 'call_contract' };

  testActions({
    'succeeds if the elector confirms it': {
      trace: sent(ALICE, stake(accepted)),
      all: [{ type: 'election_deposit', success: true, source: ALICE, amount: 500n, txs: 'tx0 tx1 tx2' }],
    },
    'fails if the elector does not confirm it': {
      trace: sent(ALICE, stake(refusal)),
      allHave: [{ type: 'election_deposit', success: false, amount: 500n, txs: 'tx0 tx1' }, call],
    },
    'is recognised only for the elector': {
      trace: sent(ALICE, { ...stake(accepted), to: BOB }),
      allHave: [call, call],
    },
    'is recovered': {
      trace: sent(ALICE, recover),
      allHave: [
        { type: 'election_recover', success: true, source: ALICE, amount: 510n, txs: 'tx0 tx1 tx2' },
        { ...call, opcode: 0xd53276db },
      ],
    },
    'is not recovered if the elector does not respond': {
      trace: sent(ALICE, { ...recover, sends: [] }),
      first: { type: 'election_recover', success: false, source: ALICE, txs: 'tx0 tx1' },
    },
  });
});

describe('a subscription', () => {
  const payment: Step = { to: BOB, value: 90n, body: op(0x73756273, 1n) };
  const response: Step = { to: PLUGIN, value: 100n, body: op(0xf06c7567, 1n), sends: [payment] };
  const request = {
    to: ALICE,
    body: op(0x706c7567, 1n).storeCoins(95n).storeBit(0),
    sends: [response],
  };
  const paid = {
    type: 'subscribe',
    success: true,
    source: ALICE,
    destination: BOB,
    destination_secondary: PLUGIN,
  };
  const destroyed: Step = { to: BOB, value: 9n, body: op(0x64737472, 1n) };
  const destruct: Step = { to: PLUGIN, body: op(0x64737472, 1n), sends: [destroyed] };
  const ended = { type: 'unsubscribe', success: true, source: ALICE, destination_secondary: PLUGIN };

  testActions({
    'is paid by the wallet': {
      trace: sent(ALICE, response),
      all: [{ ...paid, amount: 100n, txs: 'tx0 tx1 tx2' }],
    },
    'is paid on its own request': {
      trace: sent(PLUGIN, request),
      all: [{ ...paid, amount: 95n, txs: 'tx0 tx1 tx2 tx3' }],
    },
    'fails if the wallet rejects its request': {
      trace: sent(PLUGIN, { ...request, aborted: true }),
      firstHas: { type: 'subscribe', success: false },
    },
    'is a contract call if the money is not forwarded': {
      trace: sent(ALICE, { ...response, sends: [] }),
      types: ['call_contract'],
    },
    'is a contract call if the request is truncated': {
      trace: sent(PLUGIN, { ...request, body: op(0x706c7567, 1n) }),
      types: ['call_contract'],
    },
    'is cancelled': {
      trace: sent(ALICE, destruct),
      all: [{ ...ended, destination: BOB, txs: 'tx0 tx1 tx2' }],
    },
    'is cancelled without a response': {
      trace: sent(ALICE, { ...destruct, sends: [] }),
      all: [{ ...ended, txs: 'tx0 tx1' }],
    },
  });
});
