import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Address, beginCell, type Cell, internal, toNano } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../src/actions/classify-trace.ts';
import type { ClassifierInput, Interfaces, TraceFacts } from '../../src/actions/rules/classifier-input.ts';
import { textComment } from '../../src/localnet/contracts/contract.ts';
import { transferJettons } from '../../src/localnet/contracts/jetton.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { compareActions, type GoldenAction } from '../conformance/traces/compare-actions.ts';
import { fixtureInput, readTraceFixture } from '../conformance/traces/read-fixture.ts';
import { actionsOf, summarizeActions } from './support/action-summaries.ts';
import { knownContracts } from './support/known-contracts.ts';
import { account, buildTrace, op, sent } from './support/trace-builder.ts';

const [WALLET, BOB, JETTON_WALLET, MASTER] = ['wallet', 'bob', 'jetton wallet', 'master'].map((name) =>
  account(name),
);
const at = (address: string | undefined) => Address.parse(address ?? '');

const refused = (body: Cell) => buildTrace({ to: WALLET!, body, aborted: true, exitCode: 33 });

function requestOf(version: 'v3r2' | 'v4r2' | 'v5r1', messages: Parameters<typeof internal>[0][]): Cell {
  const keys = { secretKey: Buffer.alloc(64, 7), seqno: 3, validUntil: 1_700_000_000 };
  return walletTransfer({ version, ...keys, messages: messages.map((one) => internal(one)) });
}

describe.each(['v3r2', 'v4r2', 'v5r1'] as const)('a rejected external message to a %s wallet', (version) => {
  it('becomes failed actions', () => {
    const messages = [
      { to: at(BOB), value: toNano('2'), body: textComment('for lunch') },
      { to: at(BOB), value: 5n, body: op(0xabcd, 1n).endCell() },
    ];
    const actions = summarizeActions(refused(requestOf(version, messages)));
    expect(actions).toHaveLength(2);
    const common = { success: false, source: WALLET, destination: BOB, txs: 'tx0' };
    expect(actions).toContainEqual({
      ...common,
      type: 'ton_transfer',
      value: toNano('2'),
      ton_transfer_data: { content: 'for lunch', encrypted: false },
    });
    expect(actions).toContainEqual({ ...common, type: 'call_contract', value: 5n, opcode: 0xabcd });
  });

  it('has an action for each of equal messages', () => {
    const message = { to: at(BOB), value: 1n };
    const actions = actionsOf(refused(requestOf(version, [message, message, message])));
    expect(new Set(actions.map(({ action_id }) => action_id)).size).toBe(3);
  });

  it('may be a jetton transfer', () => {
    const body = transferJettons({ amount: 9n, to: at(BOB), responseTo: at(WALLET), queryId: 4n });
    const trace = refused(requestOf(version, [{ to: at(JETTON_WALLET), value: 1n, body }]));
    const jettonWallets = { [JETTON_WALLET!]: { owner: WALLET!, jetton: MASTER! } };
    expect(summarizeActions(trace, { jettonWallets })).toMatchObject([
      {
        type: 'jetton_transfer',
        success: false,
        source: WALLET,
        source_secondary: JETTON_WALLET,
        destination: BOB,
        asset: MASTER,
        amount: 9n,
        txs: 'tx0',
      },
    ]);
    expect(summarizeActions(trace)[0]).not.toHaveProperty('asset');
  });

  it('involves only the wallet', () => {
    const [action] = actionsOf(refused(requestOf(version, [{ to: at(BOB), value: 1n }])));
    expect(action?.accounts).toEqual([WALLET]);
  });
});

describe('an unknown action', () => {
  const unknown = (success: boolean) => ({ type: 'unknown', success, txs: 'tx0' });

  it('is returned for a message that no wallet understands', () => {
    for (const body of [beginCell(), op(1), op(1, 2n).storeRef(beginCell()), beginCell().storeUint(0, 640)]) {
      expect(summarizeActions(refused(body.endCell()))).toEqual([unknown(false)]);
    }
    expect(summarizeActions(buildTrace({ to: WALLET!, body: op(9) }))).toEqual([unknown(true)]);
  });

  it('has the id, times and accounts of the trace', () => {
    const [action] = actionsOf(buildTrace({ to: WALLET!, body: op(9), sends: [{ to: null }] }));
    expect(action).toMatchObject({ action_id: 'tx0', trace_id: 'tx0', start_lt: 1_000n, end_lt: 1_000n });
    expect(action).toMatchObject({ accounts: [WALLET], tx_hashes: ['tx0'], parent_action_id: null });
  });

  it('is not returned if the wallet sent messages', () => {
    const body = requestOf('v4r2', [{ to: at(BOB), value: 1n }]);
    const trace = buildTrace({ to: WALLET!, body, sends: [{ to: null }] });
    expect(summarizeActions(trace)).toEqual([unknown(true)]);
  });
});

describe('a trace on which rules fail', () => {
  // Contracts cannot be loaded, and the caller does not handle it.
  const burn = { to: BOB!, body: op(0x595f07bc, 0n).storeCoins(1n).storeAddress(null) };
  const lost = () => {
    throw new Error('lost');
  };
  const classify = (trace: TraceFacts) =>
    classifyTrace({ trace, interfaces: { ...knownContracts(), jettonWallet: lost } }, (_rule, fault) => {
      throw fault;
    });

  it('has its transfers, calls and deployments', () => {
    const { state, actions, fault } = classify(sent(WALLET!, burn, { to: account('new'), deploys: true }));
    expect(state).toBe('failed');
    expect(fault).toEqual(new Error('lost'));
    expect(actions.map(({ type }) => type)).toEqual(['call_contract', 'ton_transfer', 'contract_deploy']);
  });

  it('has an unknown action if nothing was sent', () => {
    const { state, actions } = classify(buildTrace({ ...burn, from: WALLET! }));
    expect(state).toBe('failed');
    expect(actions.map(({ type }) => type)).toEqual(['unknown']);
  });

  it('has no actions if a message is missing', () => {
    const trace = sent(WALLET!, { to: BOB! });
    const [first, second] = trace.transactions;
    const bodiless = { ...second!, inMessage: { ...second!.inMessage!, body: undefined } };
    for (const transactions of [[first!], [first!, bodiless], []]) {
      const { state, actions } = classifyTrace({
        trace: { ...trace, transactions },
        interfaces: knownContracts(),
      });
      expect(state).toBe('failed');
      expect(actions).toEqual([]);
    }
  });
});

const FOLDER = fileURLToPath(new URL('../../../shared/data/traces/', import.meta.url));

describe.skipIf(!existsSync(FOLDER))('special cases of the reference data (../shared)', () => {
  interface Special {
    readonly case: string;
    readonly file: string;
    readonly state: string;
    readonly actions: GoldenAction[];
  }

  const cases: Special[] = existsSync(FOLDER)
    ? JSON.parse(readFileSync(`${FOLDER}expected_special.json`, 'utf8'))
    : [];

  /** The trace with an unreadable first message. */
  function unreadable(file: string): ClassifierInput {
    const { trace, interfaces } = fixtureInput(readTraceFixture(`${FOLDER}${file}`));
    const [first, ...others] = trace.transactions;
    const inMessage = { ...first!.inMessage!, body: Buffer.alloc(0) };
    return { trace: { ...trace, transactions: [{ ...first!, inMessage }, ...others] }, interfaces };
  }

  it.each(cases)('$case', ({ file, state, actions }) => {
    const { trace, interfaces } = unreadable(file);
    // Where a step of the reference throws, the interfaces throw an uncaught error here.
    const broken: Interfaces = {
      ...interfaces,
      jettonWallet() {
        throw new Error('broken');
      },
    };
    const result = classifyTrace(
      { trace, interfaces: state === 'failed' ? broken : interfaces },
      (_rule, fault) => {
        throw fault;
      },
    );
    expect(result.state).toBe(state);
    expect(compareActions(result.actions, actions).differing).toEqual([]);
  });
});
