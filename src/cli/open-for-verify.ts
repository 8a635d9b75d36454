import { useNativeSha256 } from '../chain/boc/core-sha256.ts';
import type { Settings } from '../config/settings.ts';
import { createDatabase } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';
import { NO_METRICS } from '../lite/pool-metrics.ts';
import { CheckedShardProofs } from '../lite/proofs/checked-shard-proofs.ts';
import { openLiteServers } from './lite-servers.ts';
import { openDatabase } from './open-database.ts';
import { verifyCommand } from './verify.ts';

const SETTLE_MS = 10_000;

/** Runs `verify` on the database and the lite servers of the settings. */
export async function openForVerify(
  settings: Settings,
  { args, log, out }: { args: readonly string[]; log: Log; out: { write: (text: string) => unknown } },
): Promise<number> {
  useNativeSha256();
  const { url, close } = await openDatabase(settings, log);
  // Looking for rows that should not be there takes longer than a request may.
  const database = createDatabase({ url, replicaUrls: [], poolSize: 2, log });
  try {
    const lite = await openLiteServers({ settings, isChainHere: false, log, metricsOf: () => NO_METRICS });
    try {
      await lite.settle(SETTLE_MS);
      const check = { verify: settings.liteVerify, shardProofs: new CheckedShardProofs() };
      const source = { pool: lite.pool(undefined), check };
      return await verifyCommand({ args, db: database.primary, source, out });
    } finally {
      await lite.close();
    }
  } finally {
    await database.close();
    await close();
  }
}
