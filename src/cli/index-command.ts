import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Settings } from '../config/settings.ts';
import { isClassified } from '../indexer/classify/reclassify.ts';
import type { IndexProgress } from '../indexer/progress.ts';
import { UsageError } from '../lib/usage-error.ts';
import { CheckedShardProofs } from '../lite/proofs/checked-shard-proofs.ts';
import { createLiteMetrics } from '../observe/lite-metrics.ts';
import { flushLog } from '../observe/logger.ts';
import { startIndexing } from './indexing.ts';
import { groupFigures, poolMetrics } from './lite-figures.ts';
import { openLiteServers } from './lite-servers.ts';
import { startMetricsServer } from './metrics-server.ts';
import { openDatabase } from './open-database.ts';
import { openProcess } from './open-process.ts';
import { showProgress } from './show-progress.ts';

interface IndexPorts {
  readonly args: readonly string[];
  readonly settings: Settings;
}

const LOOK_EVERY_MS = 200;

/** Fills the index until a signal comes, or with `--to-head` until it has all that there is. */
export async function indexCommand({ args, settings }: IndexPorts): Promise<void> {
  const { toHead } = readArgs(args);
  const { log, shutdown, metrics } = openProcess(settings, 'tongate indexes');
  try {
    const opening = openDatabase(settings, log);
    shutdown.add('database', async () => (await opening.catch(() => undefined))?.close());
    const liteMetrics = createLiteMetrics(metrics.registry);
    const connecting = openLiteServers({
      ...{ settings, isChainHere: false, log },
      metricsOf: (group, config) => poolMetrics(liteMetrics, group, config),
    });
    shutdown.add('lite servers', async () => (await connecting.catch(() => undefined))?.close());
    const [{ database, url: databaseUrl }, lite] = await Promise.all([opening, connecting]);
    liteMetrics.observe(() =>
      [...lite.pools].map(([group, pool]) => groupFigures(group, pool, Date.now() / 1000)),
    );
    metrics.observePools(() => database.stats());
    const indexing = await startIndexing({
      ...{ settings, database, databaseUrl, metrics, log, pool: lite.pool(undefined) },
      check: { verify: settings.liteVerify, shardProofs: new CheckedShardProofs() },
    });
    shutdown.add('indexer', indexing.close);
    const hide = showProgress({ progress: indexing.progress, out: process.stdout, log });
    shutdown.add('progress', async () => hide());
    await startMetricsServer({ settings, metrics, log, shutdown });
    if (toHead)
      void untilAllIsThere(indexing.progress, (seqno) =>
        database.write((db) => isClassified(db, seqno)),
      ).then(() => shutdown.stop('the index is up to date'));
  } catch (error) {
    await shutdown.close();
    await flushLog(log);
    throw error;
  }
}

/** Waits until all blocks are indexed, and all traces that are complete then are classified; new ones come meanwhile. */
async function untilAllIsThere(
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

function readArgs(args: readonly string[]): { readonly toHead: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { 'to-head': { type: 'boolean', default: false } },
    });
    return { toHead: values['to-head'] };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}; usage: index [--to-head]`);
  }
}
