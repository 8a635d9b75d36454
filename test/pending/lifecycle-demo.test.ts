import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActionRow } from '../../src/db/queries/actions.ts';
import { createPendingClassifier } from '../../src/indexer/classify/classify-pending.ts';
import { createDemoChain } from '../../src/localnet/demo/demo-chain.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { planDemo } from '../../src/localnet/demo/run-demo.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { indexChain, missingNames } from './support/demo-index.ts';
import { BUDGET_MS, type EmulatorContext, openEmulatorContext, traceOf } from './support/emulator-context.ts';

/** One act in so many is predicted. */
const STRIDE = sampled(2, 1);

let context: EmulatorContext;
let index: TestDatabase;
beforeAll(async () => {
  [context, index] = await Promise.all([openEmulatorContext({ shards: 2 }), createTestDatabase()]);
}, 60_000);
afterAll(async () => {
  await context?.close();
  await index?.drop();
});

/** An action without the blocks it is in. */
function said({ trace_mc_seqno_end: _end, mc_seqno_end: _own, ...row }: ActionRow) {
  return { ...row, accounts: sorted(row.accounts), tx_hashes: sorted(row.tx_hashes) };
}

const sorted = (bytes: readonly Buffer[]) => bytes.map((one) => one.toString('hex')).sort();
const byId = (a: ActionRow, b: ActionRow) => Buffer.compare(a.action_id, b.action_id);

it('pending traces of the demo have the actions that the index finds later', async () => {
  const { localnet, pool, vm, emulator } = context;
  const log = createQuietLog();
  const { database } = index;
  const classify = createPendingClassifier({
    network: 'other',
    database,
    pool,
    check: { verify: true },
    vm,
    log,
  });
  const { signal } = new AbortController();
  const chain = createDemoChain(localnet);
  const script = planDemo({
    wallets: openDemoWallets(),
    faucets: await openFaucets(),
    genesisTime: chain.genesisTime,
  });
  const predicted: { readonly what: string; readonly actions: readonly ActionRow[] }[] = [];
  for (const [at, act] of script.rounds.flat().entries()) {
    const message = act.message(chain);
    if (at % STRIDE !== 0) {
      await context.deliver(message);
      continue;
    }
    const trace = traceOf(await emulator.emulate({ message: message.toBoc(), budgetMs: BUDGET_MS }));
    const transactions = trace.transactions.map((one) => ({ ...one, mcSeqno: trace.mcSeqno }));
    const { state, actions } = await classify({ ...trace, transactions }, signal);
    expect(state, act.what).toBe('ok');
    expect(missingNames(act.what, actions), act.what).toEqual([]);
    predicted.push({ what: act.what, actions });
    await context.deliver(message);
  }
  expect(log.texts()).toEqual([]);
  await indexChain(context, index);
  const rows = await database.primary.selectFrom('actions').selectAll().execute();
  const ofTrace = Map.groupBy(rows, ({ trace_id }) => trace_id.toString('hex'));
  for (const { what, actions } of predicted) {
    const real = ofTrace.get(actions[0]!.trace_id.toString('hex')) ?? [];
    expect(actions.toSorted(byId).map(said), what).toEqual(real.toSorted(byId).map(said));
  }
  expect(predicted.length).toBeGreaterThanOrEqual(30 / STRIDE);
}, 120_000);
