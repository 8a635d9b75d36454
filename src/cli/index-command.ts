import { setTimeout as sleep } from 'node:timers/promises';
import { isClassified } from '../classify/reclassify.ts';
import type { Settings } from '../config/settings.ts';
import { checkIndexNetwork } from '../index/coverage.ts';
import type { IndexProgress } from '../ingest/progress.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { ShardProofCache } from '../lite/methods/proofs.ts';
import { createLiteMetrics } from '../observe/chain-metrics.ts';
import { readArguments } from './arguments.ts';
import { formatDuration } from './format.ts';
import { startIndexing } from './indexing.ts';
import { groupStats, openLiteServers } from './lite-servers.ts';
import { openDatabase } from './open-database.ts';
import { endFailedStart, openProcess, startMetricsServer } from './open-process.ts';
import { checkStart } from './start-checks.ts';

export interface IndexPorts {
  readonly args: readonly string[];
  readonly settings: Settings;
}

export const LOOK_EVERY_MS = 200;

/** Runs the indexer until a signal arrives, or with `--to-head` until the index is complete. */
export async function indexCommand({ args, settings }: IndexPorts): Promise<void> {
  const options = { 'to-head': { type: 'boolean', default: false } } as const;
  const { values } = readArguments({ args, options }, (text) => `${text}; usage: index [--to-head]`);
  const opened = openProcess(settings, 'Indexer starting');
  const { log, shutdown, metrics } = opened;
  let withdraw: (() => Promise<void>) | undefined;
  try {
    const { assertRunning } = shutdown;
    const checked = await checkStart(settings, { metrics: true, lite: { log, assertRunning } });
    withdraw = checked.withdraw;
    const opening = openDatabase(settings, log);
    shutdown.add('database', async () => (await opening.catch(() => undefined))?.close());
    const liteMetrics = createLiteMetrics(metrics.registry);
    const connecting = openLiteServers({
      settings,
      groups: checked.groups,
      log,
      metrics: liteMetrics,
    });
    shutdown.add('lite servers', async () => (await connecting.catch(() => undefined))?.close());
    const [{ database, url: databaseUrl }, lite] = await Promise.all([opening, connecting]);
    const { network } = settings;
    const { zeroState } = lite.pool(undefined);
    await checkIndexNetwork(database.primary, { network, zeroState: zeroState.rootHash });
    liteMetrics.observe(() =>
      [...lite.pools].map(([group, pool]) => groupStats(group, pool, Date.now() / 1000)),
    );
    metrics.observePools(() => database.stats());
    // From here on the data directory has data of this network.
    withdraw = undefined;
    const indexing = await startIndexing({
      settings,
      database,
      databaseUrl,
      metrics,
      log,
      pool: lite.pool(undefined),
      check: { verify: settings.liteVerify, shardProofs: new ShardProofCache() },
    });
    shutdown.add('indexer', indexing.close);
    assertRunning();
    lite.onRenew(() => void indexing.followRestoredChain());
    const hide = showProgress(indexing.progress, process.stdout, log);
    shutdown.add('progress', async () => hide());
    await startMetricsServer(opened, settings);
    if (values['to-head'])
      void waitUntilIndexed(indexing.progress, (seqno) =>
        database.write((db) => isClassified(db, seqno)),
      ).then(() => shutdown.stop('the index is up to date'));
  } catch (error) {
    await endFailedStart(opened, error, withdraw);
  }
}

/** Waits until all blocks are indexed, and all traces that are complete by then are classified. */
export async function waitUntilIndexed(
  progress: () => IndexProgress,
  isDone: (seqno: number) => Promise<boolean>,
): Promise<void> {
  const untilAtHead = async (): Promise<number> => {
    for (;;) {
      const { head, from, indexedSeqnos } = progress();
      if (head !== undefined && from !== undefined && indexedSeqnos >= head - from + 1) return head;
      await sleep(LOOK_EVERY_MS);
    }
  };
  const head = await untilAtHead();
  while (!(await isDone(head).catch(() => false))) await sleep(LOOK_EVERY_MS);
  await untilAtHead();
}

const TERMINAL_EVERY_MS = 500;
const LOG_EVERY_MS = 10_000;
/** Returns to the start of the line and clears it. */
const ANEW = '\r\u001b[K';

/** Shows progress on one line of a terminal, or periodically in the log; returns the function that stops it. */
function showProgress(progress: () => IndexProgress, out: TextOutput, log: Log): () => void {
  const isTerminal = out.isTTY === true;
  const line = () => progressLine(figuresOf(progress()));
  const show = isTerminal ? () => out.write(`${ANEW}${line()}`) : () => log.info({}, line());
  const timer = setInterval(show, isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS);
  return () => {
    clearInterval(timer);
    show();
    if (isTerminal) out.write('\n');
  };
}

function figuresOf({ head, followed, from, etaSeconds, lastError, ...rest }: IndexProgress) {
  const wantedSeqnos = head === undefined || from === undefined ? 0 : Math.max(0, head - from + 1);
  return {
    headSeqno: head,
    followedSeqno: followed,
    wantedSeqnos,
    /** Why there is no progress. */
    trouble: lastError,
    indexedSeqnos: rest.indexedSeqnos,
    seqnosPerSecond: rest.seqnosPerSecond,
    transactionsPerSecond: rest.transactionsPerSecond,
    /** Undefined without progress, or when nothing is left to do. */
    etaSeconds: etaSeconds === 0 ? undefined : etaSeconds,
  };
}

export type ProgressStats = ReturnType<typeof figuresOf>;

export function progressLine(figures: ProgressStats): string {
  const { headSeqno, followedSeqno, indexedSeqnos, wantedSeqnos, etaSeconds, trouble } = figures;
  const parts = [
    `seqno ${followedSeqno ?? '-'} of ${headSeqno ?? '-'}`,
    `${percentOf(indexedSeqnos, wantedSeqnos)} % of ${wantedSeqnos}`,
    `${rate(figures.seqnosPerSecond)} blocks/s`,
    `${rate(figures.transactionsPerSecond)} transactions/s`,
  ];
  if (indexedSeqnos >= wantedSeqnos && wantedSeqnos > 0) parts.push('up to date');
  else if (etaSeconds !== undefined) parts.push(`${formatDuration(etaSeconds)} left`);
  if (trouble !== undefined) parts.push(trouble);
  return `index: ${parts.join(', ')}`;
}

/** Rounded down, so that 100 % means all of it. */
function percentOf(part: number, whole: number): string {
  if (whole === 0) return '0.0';
  return (Math.floor((Math.min(part, whole) / whole) * 1000) / 10).toFixed(1);
}

function rate(perSecond: number): string {
  return perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1);
}
