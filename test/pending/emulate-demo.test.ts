import { type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../src/chain/boc/writer.ts';
import { readTransaction } from '../../src/chain/tlb/transaction.ts';
import { createPendingClassifier } from '../../src/classify/classify-pending.ts';
import type { ActionRow } from '../../src/index/action-row.ts';
import { probe, probeEcho, probeThrow } from '../../src/localnet/contracts/probe.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { openDemoWallets, openStakerWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../src/localnet/demo/run-demo.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import { ELECTOR_ID } from '../../src/localnet/genesis/special-accounts.ts';
import type { EmulatedTransaction } from '../../src/pending/pending-traces.ts';
import { passWaits } from '../localnet/support/demo-waits.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { readStoredActions } from '../support/stored-actions.ts';
import { indexChain, missingNames } from './support/demo-index.ts';
import {
  BUDGET_MS,
  type Effect,
  type EmulatorContext,
  effectOf,
  effectOfCell,
  openEmulatorContext,
  type RealTransaction,
  traceOf,
  transactionsAfter,
} from './support/emulator-context.ts';
import { replayAccounts } from './support/replay-accounts.ts';
import { order } from './support/test-contracts.ts';

/** One act in so many is emulated before it is delivered. */
const STRIDE = sampled(9, 1);
/** The actions of one act in so many are predicted too. */
const ACTIONS_STRIDE = sampled(18, 1);
/** In a short run the last act is one of an election, in which the elector sends at a tick. */
const LAST_ACT = sampled(36, Number.POSITIVE_INFINITY);

const wallets = openDemoWallets();

let context: EmulatorContext;
let index: TestDatabase;
beforeAll(async () => {
  [context, index] = await Promise.all([openEmulatorContext({ shards: 2 }), createTestDatabase()]);
});
afterAll(async () => {
  await context?.close();
  await index?.drop();
});

async function emulate(message: Cell) {
  const trace = traceOf(await context.emulator.emulate({ message: message.toBoc(), budgetMs: BUDGET_MS }));
  expect(trace.bound).toBeUndefined();
  return trace;
}

/** Delivers a message; returns the transactions that followed from it, without tick and tock. */
async function deliver(message: Cell): Promise<RealTransaction[]> {
  const { seqno } = context.localnet.store.head;
  await context.deliver(message);
  const isFromNobody = ({ transaction: { inMessage } }: RealTransaction) =>
    inMessage?.info.type === 'internal' && inMessage.info.src.hash.every((byte) => byte === 0);
  return transactionsAfter(context.localnet, seqno).filter((one) => !isFromNobody(one));
}

const byText = (a: Effect, b: Effect): number => (a.inMessage < b.inMessage ? -1 : 1);
const predicted = (transactions: readonly EmulatedTransaction[]) => transactions.map(effectOf).sort(byText);
const happened = (transactions: readonly RealTransaction[]) =>
  transactions.map(({ workchain, cell }) => effectOfCell(workchain, cell)).sort(byText);
const sorted = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex')).sort();

/** Actions without the blocks they are in; without ids and logical times if transactions of their trace come after a tick. */
function said(rows: readonly ActionRow[], late: ReadonlySet<string>) {
  const isLate = late.size > 0;
  const shown = rows.map(({ trace_mc_seqno_end: _end, mc_seqno_end: _own, ...row }) => ({
    ...row,
    ...(isLate && { action_id: '', parent_action_id: '', trace_end_lt: '', start_lt: '', end_lt: '' }),
    accounts: sorted(row.accounts),
    tx_hashes: sorted(row.tx_hashes.filter((hash) => !late.has(hash.toString('hex')))),
    late: row.tx_hashes.filter((hash) => late.has(hash.toString('hex'))).length,
  }));
  const nameOf = ({ action_id, type, tx_hashes, accounts, value, amount }: (typeof shown)[number]) =>
    `${isLate ? '' : action_id.toString('hex')} ${type} ${tx_hashes} ${accounts} ${value} ${amount}`;
  return shown.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** The transactions of the elector, and what followed from them. */
function afterTick(transactions: readonly EmulatedTransaction[]): Set<EmulatedTransaction> {
  const found = new Set<EmulatedTransaction>();
  for (const one of transactions) {
    const { account, parent } = one;
    const isElector = account.workchain === -1 && account.hash.equals(ELECTOR_ID);
    if (isElector || (parent !== undefined && found.has(transactions[parent]!))) found.add(one);
  }
  return found;
}

function accountOf({ workchain, transaction: { address } }: RealTransaction): string {
  return `${workchain === -1 ? 'ff' : '00'}${address.toString(16).padStart(64, '0')}`;
}

/** Delivers the demo, message by message; a sample of them is emulated before, or all. */
it('emulation predicts the transactions of the demo, hash by hash, and the actions that the index finds later', async () => {
  const { localnet, pool, vm } = context;
  const { database } = index;
  const log = createQuietLog();
  const classify = createPendingClassifier({
    network: 'other',
    database,
    pool,
    check: { verify: true },
    vm,
    log,
    // On a busy machine too.
    statesTimeoutMs: 120_000,
  });
  const { signal } = new AbortController();
  const chain = createDemoChain(localnet);
  const script = planDemo({
    wallets,
    stakers: openStakerWallets(),
    faucets: await openFaucets(),
    genesisTime: chain.genesisTime,
  });
  const classified: { what: string; actions: readonly ActionRow[]; late: ReadonlySet<string> }[] = [];
  let count = 0;
  let lateCount = 0;
  const acts = script.rounds.flatMap((round, number) => round.map((act) => ({ ...act, number })));
  for (const [at, { what, number, message: write }] of acts.entries()) {
    if (at > LAST_ACT) break;
    if (acts[at - 1]?.number !== number) {
      await passWaits(chain, script.waits, number);
      // So that the lite server has the blocks.
      await context.deliver();
    }
    const message = write(chain);
    if (at % STRIDE > 0) {
      // The lite server need not have it before the next one.
      await localnet.send(message.toBoc());
      await localnet.drain();
      continue;
    }
    await context.deliver();
    const { seqno } = localnet.store.head;
    const { mcSeqno, transactions, ...rest } = await emulate(message);
    const trace = { ...rest, mcSeqno, transactions: transactions.map((one) => ({ ...one, mcSeqno })) };
    const foretold = at % ACTIONS_STRIDE === 0 ? await classify(trace, signal) : undefined;
    const real = await deliver(message);
    count += real.length;
    expect(predicted(transactions), what).toEqual(happened(real));
    // Nothing came between, and the clock stands still: the transactions are identical. Those of the elector come after a
    // tick, so its messages have later logical times: they are identical if the tick is executed too.
    const late = afterTick(transactions);
    const hashes = sorted(transactions.filter((one) => !late.has(one)).map(({ hash }) => hash));
    const others = real.filter(({ cell }) => !hashes.includes(cell.hash().toString('hex')));
    expect([what, real.length - others.length, others.length]).toEqual([what, hashes.length, late.size]);
    const replayed = await replayAccounts(context, seqno, new Set(others.map(accountOf)));
    expect(replayed.filter(({ hash, replayed }) => hash !== replayed)).toEqual([]);
    expect(replayed.map(({ hash }) => hash)).toEqual(
      expect.arrayContaining(sorted(others.map(({ cell }) => cell.hash()))),
    );
    lateCount += late.size;
    if (foretold === undefined) continue;
    const { state, actions } = foretold;
    expect(state, what).toBe('ok');
    expect(missingNames(what, actions), what).toEqual([]);
    const lateHashes = [...[...late].map(({ hash }) => hash), ...others.map(({ cell }) => cell.hash())];
    classified.push({ what, actions, late: new Set(sorted(lateHashes)) });
  }
  expect(log.texts()).toEqual([]);
  expect(acts.length).toBeGreaterThanOrEqual(45);
  expect(count).toBeGreaterThanOrEqual(sampled(15, 162));
  expect(lateCount).toBeGreaterThanOrEqual(sampled(1, 20));

  await context.deliver();
  await indexChain(context, index);
  const rows = await readStoredActions(database.primary);
  const ofTrace = Map.groupBy(rows, ({ trace_id }) => trace_id.toString('hex'));
  for (const { what, actions, late } of classified) {
    const found = ofTrace.get(actions[0]!.trace_id.toString('hex')) ?? [];
    expect(said(actions, late), what).toEqual(said(found, late));
  }
  expect(classified.length).toBeGreaterThanOrEqual(45 / ACTIONS_STRIDE);
});

it('emulation predicts the same for a message that is delivered some blocks later', async () => {
  const { address: to } = probe({ owner: wallets.bank.address });
  const message = order(context, wallets.alice, [
    internal({ to, value: toNano('0.1'), body: probeEcho() }),
    internal({ to, value: toNano('0.1'), body: probeThrow(77) }),
    internal({ to: wallets.bob.address, value: toNano('0.1'), bounce: false }),
  ]);
  const { transactions } = await emulate(message);
  await context.localnet.mine(3);
  const real = await deliver(message);
  expect(real).toHaveLength(6);
  expect(predicted(transactions)).toEqual(happened(real));
  expect(predicted(transactions).map(({ compute }) => compute)).toContain(77);
});

it('emulation continues from internal messages that are not delivered yet', async () => {
  const { address: to } = probe({ owner: wallets.bank.address });
  const message = order(context, wallets.alice, [
    internal({ to, value: toNano('0.1'), body: probeEcho() }),
    internal({ to, value: toNano('0.1'), body: probeThrow(78) }),
  ]);
  const {
    transactions: [first, ...rest],
  } = await emulate(message);
  const bag = readBoc(first!.boc);
  const { outMessages } = readTransaction(bag, bag.root, 0);
  const internals = outMessages.map(({ cell }) => writeCellBoc(bag, cell));
  const part = traceOf(await context.emulator.emulate({ internal: internals, budgetMs: BUDGET_MS }));
  expect(part.externalHash).toEqual(outMessages[0]!.hash);
  expect(part.transactions.map(({ parent }) => parent)).toEqual([undefined, undefined, 0, 1]);
  expect(predicted(part.transactions)).toEqual(predicted(rest));
  const external = { internal: [message.toBoc()], budgetMs: BUDGET_MS };
  await expect(context.emulator.emulate(external)).rejects.toThrow('not one between accounts');
});
