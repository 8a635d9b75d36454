import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createClassifier } from '../../src/classify/classifier.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { until } from '../support/until.ts';
import { openIndexedDemo } from '../v3/support/indexed-demo.ts';
import {
  classifyAll,
  dumpActions,
  forgetActions,
  rowsOf,
  TIMING,
  untilClassified,
} from './support/classifying.ts';

type Classifier = ReturnType<typeof createClassifier>;

const PROGRAM = fileURLToPath(new URL('./support/classify-process.ts', import.meta.url));
const KILLS = sampled(1, 4);
const MAX_DELAY_MS = 60;
const CUTS = sampled(3, 20);
/** Of a batch, so that connections are lost within many of them. */
const LIMITS = sampled({ traces: 12, nodes: 40 }, { traces: 4, nodes: 10 });

let demo: TestDatabase;
let whole: Record<string, string[]>;
const children: ChildProcess[] = [];
const classifiers: Classifier[] = [];
beforeAll(async () => {
  demo = await openIndexedDemo();
  whole = await dumpActions(demo);
});
beforeEach(() => forgetActions(demo));
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const classifier of classifiers) await classifier.close();
  await demo?.drop();
});

/** A killed process keeps its traces for a minute. Rows are locked in the order of the classifier. */
const endTurns = () =>
  rowsOf(
    demo,
    `with waiting as (select trace_id from unclassified_traces order by trace_id for update)
     update unclassified_traces trace set next_try = now() from waiting where trace.trace_id = waiting.trace_id`,
  );

it('classification loses and repeats nothing when processes are killed', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const child = fork(PROGRAM, [demo.url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.push(child);
    await once(child, 'message');
    await sleep(Math.random() * MAX_DELAY_MS);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await endTurns();
  }
  await classifyAll(demo);
  expect(await dumpActions(demo)).toEqual(whole);
});

it('classification continues when connections are lost', async () => {
  const log = createQuietLog();
  let isDone = false;
  const cutting = (async () => {
    for (let cut = 0; cut < CUTS && !isDone; cut++) {
      await rowsOf(
        demo,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'tongate-index' and datname = current_database()`,
      );
      await endTurns();
      await sleep(30);
    }
  })();
  await classifyAll(demo, { log, limits: LIMITS }, async () => {
    await cutting;
    await endTurns();
    await untilClassified(demo);
  });
  isDone = true;
  expect(await dumpActions(demo)).toEqual(whole);
});

it('classifier runs in its own thread', async () => {
  let traces = 0;
  const log = createQuietLog();
  const classifier = createClassifier({
    url: demo.url,
    log,
    // It looks for more traces only when it is told to.
    timing: { ...TIMING, pollMs: 3_600_000, countMs: 20 },
    onBatch: (figures) => {
      traces += figures.traces;
    },
  });
  classifiers.push(classifier);
  classifier.start();
  await untilClassified(demo);
  await forgetActions(demo);
  // More than once, because it may not have begun to wait.
  const waking = setInterval(classifier.wake, 20);
  await untilClassified(demo);
  clearInterval(waking);
  while (classifier.progress().queue?.traces !== 0) await sleep(10);
  await classifier.close();
  expect(log.lines).toEqual([]);
  expect(traces).toBeGreaterThan(100);
  expect(classifier.progress().queue).toMatchObject({ traces: 0, oldestSeconds: 0 });
  expect(await dumpActions(demo)).toEqual(whole);
});

/** The priorities of the classification threads of this process. */
const priorities = () =>
  readdirSync('/proc/self/task').flatMap((id) =>
    readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('tongate-classif')
      ? [getPriority(Number(id))]
      : [],
  );

it.runIf(process.platform === 'linux')('classifier lets others come first if it is told to', async () => {
  const classifier = createClassifier({ url: demo.url, log: createQuietLog(), isBackground: true });
  classifiers.push(classifier);
  classifier.start();
  const low = Math.max(getPriority(), 10);
  await until(
    () => priorities().join() === `${low}`,
    () => `priorities ${priorities()}, not ${low}`,
  );
  await classifier.close();
});

it('classifier replaces a thread that ends or hangs', async () => {
  const url = join(makeTemporaryDirectory('classifier'), 'starts');
  writeFileSync(url, '');
  const log = createQuietLog();
  const workerFile = new URL('./support/scripted-worker.ts', import.meta.url);
  const classifier = createClassifier({ url, log, workerFile, reportTimeoutMs: 2000, restartMs: 10 });
  classifiers.push(classifier);
  classifier.start();
  while (classifier.progress().queue === undefined) await sleep(10);
  await classifier.close();
  expect(log.lines.slice(0, 2).map(({ details }) => details.reason)).toEqual([
    'exit code 3',
    'no report for 2000 ms',
  ]);
});
