import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { useNativeSha256 } from '../chain/boc/ton-core.ts';
import type { Settings } from '../config/settings.ts';
import { createDatabase } from '../db/connection.ts';
import type { Tables } from '../db/tables/tables.ts';
import { findCluster } from '../index/cluster.ts';
import { indexedRanges, type SeqnoRange } from '../index/coverage.ts';
import type { ChainSource } from '../indexer/verify/chain-seqno.ts';
import type { Difference } from '../indexer/verify/differences.ts';
import { verifyRange } from '../indexer/verify/verify-range.ts';
import { readIndexHead } from '../ingest/rollback/find-fork.ts';
import { Failure, StartError, UsageError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { type CheckOptions, ShardProofCache } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import { NO_METRICS } from '../lite/pooled-server.ts';
import { chainFolder, lockOwner } from '../localnet/chain/chain-folder.ts';
import { formatTable } from './format.ts';
import { openLiteServers } from './lite-servers.ts';
import { openDatabase } from './open-database.ts';

interface VerifyPorts {
  readonly wanted: SeqnoRange;
  readonly db: Kysely<Tables>;
  readonly source: ChainSource;
  readonly out: TextOutput;
}

const SHOWN = 50;
const PROGRESS_INTERVAL_SEQNOS = 100;
const USAGE = 'usage: verify [--from SEQNO] [--to SEQNO]';

/** Compares the index with the chain; returns 1 if there is a difference, or nothing to compare. */
async function verifyCommand({ wanted, db, source, out }: VerifyPorts): Promise<number> {
  const ranges = (await indexedRanges(db)).flatMap((range) => {
    const first = Math.max(range.first, wanted.first);
    const last = Math.min(range.last, wanted.last);
    return first <= last ? [{ first, last }] : [];
  });
  if (ranges.length === 0) {
    out.write('Nothing to compare: the range is not indexed.\n');
    return 1;
  }
  const compared = new Map<string, number>();
  const skipped = new Map<string, number>();
  let differenceCount = 0;
  for (const { first, last } of ranges) {
    out.write(`Comparing masterchain seqnos ${first} to ${last} with the chain\n`);
    const found = await verifyRange({
      ...source,
      db,
      from: first,
      to: last,
      onProgress: (seqno, differences) => {
        if (seqno % PROGRESS_INTERVAL_SEQNOS === 0)
          out.write(`  seqno ${seqno} of ${last}, ${differences} differences\n`);
      },
    });
    for (const [table, rows] of found.compared) compared.set(table, (compared.get(table) ?? 0) + rows);
    for (const [reason, rows] of found.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + rows);
    for (const difference of found.differences.slice(0, SHOWN)) out.write(`${describe(difference)}\n`);
    differenceCount += found.differenceCount;
  }
  out.write(
    `\n${formatTable([...compared].map(([table, rows]) => ({ TABLE: table, COMPARED: `${rows}` })))}\n`,
  );
  for (const [reason, rows] of skipped)
    out.write(`Not compared: ${rows} account states, because ${reason}.\n`);
  out.write(differenceCount === 0 ? 'No differences.\n' : `${differenceCount} differences.\n`);
  return differenceCount === 0 ? 0 : 1;
}

function describe({ table, key, column, expected, found }: Difference): string {
  const place = column === undefined ? table : `${table}.${column}`;
  return `- ${place} of ${key}: the chain has ${expected ?? 'nothing'}, the index ${found ?? 'nothing'}`;
}

function readArgs(args: readonly string[]): SeqnoRange {
  let values: { from?: string; to?: string };
  try {
    values = parseArgs({
      args: [...args],
      options: { from: { type: 'string' }, to: { type: 'string' } },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}; ${USAGE}`);
  }
  const { from = '1', to = String(Number.MAX_SAFE_INTEGER) } = values;
  for (const [name, text] of [['--from', from] as const, ['--to', to] as const])
    if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`${name} is "${text}": expected a seqno; ${USAGE}`);
  return { first: Number(from), last: Number(to) };
}

export const SETTLE_MS = 10_000;
const CHECK_MS = 30_000;
const NOT_RUNNING = 'The local chain is not running: start it with tongate start or tongate localnet';

/** Throws StartError unless the lite servers have the chain of the index. */
async function checkChain(
  db: Kysely<Tables>,
  { pool, check }: { readonly pool: LitePool; readonly check: CheckOptions },
  network: Settings['network'],
): Promise<void> {
  const { head } = pool;
  if (head === undefined)
    throw new StartError(
      network === 'localnet' ? NOT_RUNNING : 'No lite server responds: see tongate doctor',
    );
  const origin = await db.selectFrom('index_origin').select('zero_state').executeTakeFirst();
  if (origin === undefined) return;
  const name = (hash: Buffer) => hash.toString('base64');
  if (!origin.zero_state.equals(pool.zeroState.rootHash))
    throw new StartError(
      `The index is that of another chain (its zero state is ${name(origin.zero_state)}, that of the lite servers is ${name(pool.zeroState.rootHash)})`,
    );
  const newest = await readIndexHead({ pool, check, signal: AbortSignal.timeout(CHECK_MS) }, db);
  if (newest === undefined || newest.isOnChain) return;
  const reason =
    newest.seqno > head.seqno ? `the lite servers are at ${head.seqno}` : 'the chain has another block there';
  throw new StartError(
    `The index has masterchain block ${newest.seqno}, but ${reason}: ` +
      (network === 'localnet' ? 'the indexer follows the chain back when it runs' : 'see tongate doctor'),
  );
}

/** Runs `verify` on the database and the lite servers of the settings. */
export async function openForVerify(
  settings: Settings,
  { args, log, out }: { args: readonly string[]; log: Log; out: TextOutput },
): Promise<number> {
  useNativeSha256();
  const wanted = readArgs(args);
  const isLocal = settings.network === 'localnet' && settings.tonConfig === undefined;
  if (isLocal && lockOwner(chainFolder(settings.dataDir)) === undefined) throw new StartError(NOT_RUNNING);
  const { url, close } = await openDatabase(settings, log);
  // Looking for surplus rows takes longer than the timeout of requests.
  const isCluster = await findCluster(url, settings.databaseCluster);
  const database = createDatabase({ url, replicaUrls: [], poolSize: 2, isCluster, log });
  try {
    const lite = await openLiteServers({ settings, isChainHere: false, log, metricsOf: () => NO_METRICS });
    try {
      await lite.settle(SETTLE_MS);
      const check = { verify: settings.liteVerify, shardProofs: new ShardProofCache() };
      const source = { pool: lite.pool(undefined), check };
      await checkChain(database.primary, source, settings.network);
      return await verifyCommand({ wanted, db: database.primary, source, out });
    } catch (error) {
      // What a lite server or the database says; others are faults of ours.
      if (error instanceof Failure)
        throw new StartError(`Verification stopped: ${error.message}`, { cause: error });
      throw error;
    } finally {
      await lite.close();
    }
  } finally {
    await database.close();
    await close();
  }
}
