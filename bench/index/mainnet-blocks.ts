import { type Kysely, sql } from 'kysely';
import { createClassifier } from '../../src/classify/classifier.ts';
import { openDatabase } from '../../src/cli/open-database.ts';
import { readSettings } from '../../src/config/settings.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { claimHead } from '../../src/index/chunks.ts';
import { openOrigin, partitionSeqnosFor, wipeIndex } from '../../src/index/coverage.ts';
import { readIndexSizes, UNPARTITIONED_TABLES } from '../../src/index/sizes.ts';
import { type DecodedSeqno, IN_INTERNAL, IN_SYSTEM } from '../../src/index/write/decoded-seqno.ts';
import { createWriter } from '../../src/index/write/writer.ts';
import { decodeSeqno } from '../../src/ingest/decode/decode-seqno.ts';
import { createStateTracker } from '../../src/ingest/states/state-tracker.ts';
import { type HashKey, keyAt } from '../../src/lib/bytes-key.ts';
import type { Log } from '../../src/lib/log.ts';
import { createChainMetadataReader } from '../../src/metadata/token-fields.ts';
import { untilClassified } from './classifying.ts';
import { copyRows } from './copied-rows.ts';
import { readMainnetSeqno } from './decoding.ts';

/** The size of an index of mainnet blocks. */
export interface MainnetSize {
  /** Of one copy, like all counts below. */
  readonly traces: number;
  readonly actions: number;
  /** Traces that have only basic actions because the rules need the messages that were cut off. */
  readonly faults: number;
  /** Tables with copied rows; bytes are per transaction. */
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[];
  /** Bytes per transaction of all tables. */
  readonly bytes: number;
}

export interface MainnetResult {
  readonly blocks: number;
  readonly transactions: number;
  readonly messages: number;
  readonly accounts: number;
  /** Transactions with token requests. */
  readonly events: number;
  readonly copies: number;
  /** With the traces that lie in the blocks. */
  readonly asInBlocks: MainnetSize;
  /** With every transaction as a trace of its own. */
  readonly singly: MainnetSize;
}

/** Enough that the first pages of tables and indexes are a few percent. */
const COPIES = 50;

/**
 * Indexes the mainnet blocks next to the checkout in an empty database in `folder`, copies the rows, and measures the size;
 * undefined without the blocks.
 */
export async function measureMainnetBlocks(folder: string): Promise<MainnetResult | undefined> {
  const fetched = readMainnetSeqno();
  if (fetched === undefined) return undefined;
  const log = { info() {}, warn: console.error, error: console.error };
  const settings = readSettings({ NETWORK: 'mainnet', DATA_DIR: folder });
  const { database, url, close } = await openDatabase(settings, log);
  try {
    const db = database.primary;
    const decode = () => decodeSeqno(fetched);
    const all = decode();
    const asInBlocks = await measureSize(db, url, log, keepLinks(decode(), linksIn(all)));
    await wipeIndex(db);
    const singly = await measureSize(db, url, log, keepLinks(decode(), new Set()));
    return {
      blocks: all.blockCount,
      transactions: all.transactions.count,
      messages: all.messages.count,
      accounts: new Set(all.accounts.map(({ account }) => account.toString('hex'))).size,
      events: all.events.length,
      copies: COPIES,
      asInBlocks,
      singly,
    };
  } finally {
    await close();
  }
}

async function measureSize(
  db: Kysely<Tables>,
  url: string,
  log: Log,
  decoded: DecodedSeqno,
): Promise<MainnetSize> {
  await write(db, url, log, decoded);
  const actions = await classify(db, url, log);
  const [traces, faults] = [await countRows(db, 'traces'), await countRows(db, 'classification_faults')];
  await copyRows(db, COPIES);
  const sizes = await readVacuumedSizes(db);
  const unpartitioned = new Set<string>(UNPARTITIONED_TABLES);
  const transactions = COPIES * decoded.transactions.count;
  return {
    traces,
    actions,
    faults,
    tables: sizes
      .filter(({ table, rows }) => rows > 0 && !unpartitioned.has(table))
      .map(({ table, rows, bytes }) => ({ table, rows: rows / COPIES, bytes: bytes / transactions })),
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0) / transactions,
  };
}

/**
 * Vacuums and reads the sizes of all tables. Queues leave empty pages behind, and accounts old versions of their rows. Both
 * depend on when PostgreSQL vacuums, which it does not within the seconds of a benchmark, and do not grow with the index.
 */
export async function readVacuumedSizes(db: Kysely<Tables>): ReturnType<typeof readIndexSizes> {
  for (const table of UNPARTITIONED_TABLES) await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
  return readIndexSizes(db);
}

/** Writes a seqno as the follower of the head does, without contract detection. */
async function write(db: Kysely<Tables>, url: string, log: Log, decoded: DecodedSeqno): Promise<void> {
  const { mcSeqno } = decoded;
  await openOrigin(db, {
    zeroState: Buffer.alloc(32),
    firstSeqno: mcSeqno,
    partitionSeqnos: partitionSeqnosFor('all'),
  });
  const claim = await claimHead(db, { owner: 'bench', head: mcSeqno, leaseMs: 60_000, chunkSeqnos: 1000 });
  if (claim === undefined) throw new Error('The index is not empty');
  const { latest } = await createStateTracker({ db }).prepare({ seqnos: [decoded], isNewest: true });
  const writer = createWriter({ url, log, metadata: createChainMetadataReader() });
  try {
    await writer.write(claim, { seqnos: [decoded], latest, earlier: [] });
  } finally {
    await writer.close();
  }
}

/** Classifies all traces and returns the number of actions. */
async function classify(db: Kysely<Tables>, url: string, log: Log): Promise<number> {
  let found = 0;
  const classifier = createClassifier({
    url,
    log,
    onBatch({ actions }) {
      found += actions;
    },
  });
  classifier.start();
  await untilClassified(db);
  await classifier.close();
  return found;
}

async function countRows(db: Kysely<Tables>, table: 'traces' | 'classification_faults'): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The messages that are sent and received in the blocks. */
function linksIn({ traces: { inHashes, outHashes } }: DecodedSeqno): ReadonlySet<HashKey> {
  const received = new Set(hashesIn(inHashes));
  return new Set(hashesIn(outHashes).filter((hash) => received.has(hash)));
}

/**
 * Cuts traces at all messages but some. The index is then as if all senders and receivers were in it: a trace that received
 * its first message from outside of the blocks begins there, one that sent messages out of them does not wait for these,
 * and only the sender has a row of a message.
 */
function keepLinks(decoded: DecodedSeqno, links: ReadonlySet<HashKey>): DecodedSeqno {
  const { traces } = decoded;
  const received = hashesIn(traces.inHashes);
  const isCut = (kind: number, i: number) => kind === IN_INTERNAL && !links.has(received[i]!);
  const outFrom = new Uint32Array(traces.count + 1);
  const kept: Buffer[] = [];
  for (let i = 0; i < traces.count; i++) {
    for (let out = traces.outFrom[i]!; out < traces.outFrom[i + 1]!; out++)
      if (links.has(keyAt(traces.outHashes, out * 32)))
        kept.push(traces.outHashes.subarray(out * 32, (out + 1) * 32));
    outFrom[i + 1] = kept.length;
  }
  const inKinds = traces.inKinds.map((kind, i) => (isCut(kind, i) ? IN_SYSTEM : kind));
  return { ...decoded, traces: { ...traces, inKinds, outFrom, outHashes: Buffer.concat(kept) } };
}

function hashesIn(hashes: Buffer): HashKey[] {
  return Array.from({ length: hashes.length / 32 }, (_, i) => keyAt(hashes, i * 32));
}
