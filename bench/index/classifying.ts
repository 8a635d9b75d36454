import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Kysely } from 'kysely';
import { classifyTrace } from '../../src/actions/classify-trace.ts';
import { createClassifier } from '../../src/classify/classifier.ts';
import { isClassified, requestReclassification } from '../../src/classify/reclassify.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Log } from '../../src/lib/log.ts';
import { fixtureInput, readTraceFixture } from '../../test/conformance/traces/read-fixture.ts';

/** Speed of the rules alone, on mainnet traces. */
export interface RulesResult {
  readonly traces: number;
  readonly transactions: number;
  readonly transactionsPerSecond: number;
}

/** Classifying all traces of an index again, with nothing else running. */
export interface ClassifyRun {
  readonly traces: number;
  readonly transactions: number;
  readonly actions: number;
  readonly seconds: number;
  /** Milliseconds by step; two batches run concurrently. */
  readonly ms: Readonly<Record<'load' | 'classify' | 'write', number>>;
}

const TRACES = fileURLToPath(new URL('../../../shared/data/traces/data/', import.meta.url));
const MEASURED_MS = 3000;
const POLL_MS = 20;
const LAST_SEQNO = 2 ** 31 - 1;

/** Classifies the mainnet traces that are stored next to the checkout, in this thread; undefined without them. */
export function measureRules(): RulesResult | undefined {
  if (!existsSync(TRACES)) return undefined;
  const inputs = readdirSync(TRACES).map((name) => fixtureInput(readTraceFixture(`${TRACES}${name}`)));
  const transactions = inputs.reduce((sum, { trace }) => sum + trace.transactions.length, 0);
  for (const input of inputs) classifyTrace(input);
  let rounds = 0;
  const startedMs = performance.now();
  for (; performance.now() - startedMs < MEASURED_MS; rounds++)
    for (const input of inputs) classifyTrace(input);
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    traces: inputs.length,
    transactions,
    transactionsPerSecond: Math.round((rounds * transactions) / seconds),
  };
}

/** Classifies all traces of an index again. */
export async function measureClassifying(db: Kysely<Tables>, url: string, log: Log): Promise<ClassifyRun> {
  const sums = { traces: 0, transactions: 0, actions: 0, load: 0, classify: 0, write: 0 };
  let startedMs: number | undefined;
  const classifier = createClassifier({
    url,
    log,
    onBatch({ traces, transactions, actions, ms }) {
      // The time before the first batch is the start of the thread and its connections.
      startedMs ??= performance.now() - ms.load - ms.classify - ms.write;
      sums.traces += traces;
      sums.transactions += transactions;
      sums.actions += actions;
      sums.load += ms.load;
      sums.classify += ms.classify;
      sums.write += ms.write;
    },
  });
  await requestReclassification(db, { from: 1, to: LAST_SEQNO });
  classifier.start();
  await untilClassified(db);
  const seconds = (performance.now() - (startedMs ?? performance.now())) / 1000;
  await classifier.close();
  const { traces, transactions, actions, load, classify, write } = sums;
  return { traces, transactions, actions, seconds, ms: { load, classify, write } };
}

/** Waits until all traces are classified. */
export async function untilClassified(db: Kysely<Tables>): Promise<void> {
  while (!(await isClassified(db, LAST_SEQNO))) await new Promise((done) => setTimeout(done, POLL_MS));
}
