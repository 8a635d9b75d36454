import { useNativeSha256 } from '../chain/boc/ton-core.ts';
import type { Settings } from '../config/settings.ts';
import { createDatabase } from '../db/connection.ts';
import type { Db } from '../db/tables/tables.ts';
import { findCluster } from '../index/cluster.ts';
import { indexedRanges } from '../index/coverage.ts';
import type { SeqnoRange } from '../index/snapshot.ts';
import { Failure, StartError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { chainFolder, lockOwner } from '../localnet/chain/chain-folder.ts';
import { type ChainReader, createChainReader } from '../verify/chain-reader.ts';
import type { Difference } from '../verify/differences.ts';
import { createPackReader } from '../verify/pack-reader.ts';
import { verifyRange } from '../verify/verify-range.ts';
import { readArguments, readSeqno } from './arguments.ts';
import { formatTable } from './format.ts';
import { readLiteGroups } from './lite-groups.ts';
import { openDatabase } from './open-database.ts';

interface VerifyPorts {
  readonly wanted: SeqnoRange;
  readonly db: Db;
  readonly chain: ChainReader;
  readonly out: TextOutput;
}

const SHOWN = 50;
const PROGRESS_INTERVAL_SEQNOS = 100;
const USAGE = 'usage: verify [--from SEQNO] [--to SEQNO] [--packs DIR]...';

/** Compares the index with the chain; returns 1 if there is a difference, or nothing to compare. */
async function verifyCommand({ wanted, db, chain, out }: VerifyPorts): Promise<number> {
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
    const result = await verifyRange({
      chain,
      db,
      from: first,
      to: last,
      onProgress: (seqno, differences) => {
        if (seqno % PROGRESS_INTERVAL_SEQNOS === 0)
          out.write(`  seqno ${seqno} of ${last}, ${differences} differences\n`);
      },
    });
    for (const [table, rows] of result.compared) compared.set(table, (compared.get(table) ?? 0) + rows);
    for (const [reason, rows] of result.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + rows);
    for (const difference of result.differences.slice(0, SHOWN)) out.write(`${describe(difference)}\n`);
    differenceCount += result.differenceCount;
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

interface VerifyArgs {
  readonly wanted: SeqnoRange;
  /** Folders with pack files to compare with, instead of lite servers. */
  readonly packs: readonly string[];
}

function readArgs(args: readonly string[]): VerifyArgs {
  const options = {
    packs: { type: 'string', multiple: true, default: [] as string[] },
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: String(Number.MAX_SAFE_INTEGER) },
  } as const;
  const { from, to, packs } = readArguments({ args, options }, (text) => `${text}; ${USAGE}`).values;
  return { wanted: { first: readSeqno('--from', from, USAGE), last: readSeqno('--to', to, USAGE) }, packs };
}

const NOT_RUNNING = 'The local chain is not running: start it with tongate start or tongate localnet';

/** Throws StartError unless the lite servers have the chain of the index. */
async function checkChain(db: Db, chain: ChainReader, network: Settings['network']): Promise<void> {
  const indexed = (await indexedRanges(db)).at(-1)?.last;
  const head = await chain.head(indexed).catch((error: unknown) => {
    const text = network === 'localnet' ? NOT_RUNNING : 'No lite server responds: see tongate doctor';
    throw new StartError(text, { cause: error });
  });
  const origin = await db.selectFrom('index_origin').select('zero_state').executeTakeFirst();
  if (origin === undefined) return;
  const name = (hash: Buffer) => hash.toString('base64');
  if (!origin.zero_state.equals(chain.zeroState.rootHash))
    throw new StartError(
      `The index is that of another chain (its zero state is ${name(origin.zero_state)}, that of the lite servers is ${name(chain.zeroState.rootHash)})`,
    );
  if (indexed === undefined || (await hasIndexed(db, chain, indexed, head.seqno))) return;
  const reason =
    indexed > head.seqno ? `the lite servers are at ${head.seqno}` : 'the chain has another block there';
  throw new StartError(
    `The index has masterchain block ${indexed}, but ${reason}: ` +
      (network === 'localnet' ? 'the indexer follows the chain back when it runs' : 'see tongate doctor'),
  );
}

async function hasIndexed(db: Db, chain: ChainReader, seqno: number, head: number): Promise<boolean> {
  const row = await db
    .selectFrom('blocks')
    .select('root_hash')
    .where('mc_seqno', '=', seqno)
    .where('workchain', '=', -1)
    .executeTakeFirst();
  if (row === undefined) return true;
  return seqno <= head && (await chain.masterchainId(seqno)).rootHash.equals(row.root_hash);
}

async function openServers(settings: Settings, log: Log): Promise<ChainReader> {
  const [everybody] = await readLiteGroups({ settings, isChainHere: false, log });
  return createChainReader(await everybody!.config());
}

async function openPacks(db: Db, folders: readonly string[]): Promise<ChainReader> {
  const origin = await db.selectFrom('index_origin').select('zero_state').executeTakeFirst();
  if (origin === undefined) throw new StartError('There is nothing to compare: the database has no index');
  return createPackReader({ folders, zeroState: origin.zero_state }).catch((error: unknown) => {
    throw new StartError(`The packs cannot be read: ${(error as Error).message}`, { cause: error });
  });
}

/** Runs `verify` on the database and the lite servers of the settings. */
export async function openForVerify(
  settings: Settings,
  { args, log, out }: { args: readonly string[]; log: Log; out: TextOutput },
): Promise<number> {
  useNativeSha256();
  const { wanted, packs } = readArgs(args);
  const isLocal = packs.length === 0 && settings.network === 'localnet' && settings.tonConfig === undefined;
  if (isLocal && lockOwner(chainFolder(settings.dataDir)) === undefined) throw new StartError(NOT_RUNNING);
  const { url, close } = await openDatabase(settings, log);
  // Looking for surplus rows takes longer than the timeout of requests.
  const isCluster = await findCluster(url, settings.databaseCluster);
  const database = createDatabase({ url, replicaUrls: [], poolSize: 2, isCluster, log });
  try {
    const chain =
      packs.length > 0 ? await openPacks(database.primary, packs) : await openServers(settings, log);
    try {
      if (packs.length === 0) await checkChain(database.primary, chain, settings.network);
      return await verifyCommand({ wanted, db: database.primary, chain, out });
    } catch (error) {
      // What a lite server or the database says; others are faults of ours.
      if (error instanceof Failure)
        throw new StartError(`Verification stopped: ${error.message}`, { cause: error });
      throw error;
    } finally {
      await chain.close();
    }
  } finally {
    await database.close();
    await close();
  }
}
