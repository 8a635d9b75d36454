import type { BlockId } from '../chain/block-id.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { createClassifier } from '../classify/classifier.ts';
import { isClassified } from '../classify/reclassify.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../db/tables/tables.ts';
import { createDetection } from '../detect/create-detection.ts';
import { DETECTORS } from '../detect/detectors/all-detectors.ts';
import { knownContracts } from '../detect/known-contracts.ts';
import {
  checkIndexNetwork,
  gapsBetween,
  indexedRanges,
  openOrigin,
  partitionSeqnosFor,
} from '../index/coverage.ts';
import { readMasterchainBlock, type SeqnoRange } from '../index/snapshot.ts';
import { MISSING_QUEUE } from '../index/write/missing-queue.ts';
import { createWriter } from '../index/write/writer.ts';
import { completeImport } from '../ingest/complete-import.ts';
import { createDecoder } from '../ingest/decode/decoder.ts';
import { firstSeqnoSince } from '../ingest/fetch/packs/find-by-time.ts';
import { createPackSource } from '../ingest/fetch/packs/pack-source.ts';
import { type ImportOutcome, importPacks } from '../ingest/import-packs.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import { createNoServers } from '../lite/no-servers.ts';
import { createChainMetadataReader } from '../metadata/token-fields.ts';
import { createVm } from '../vm/vm.ts';
import { readArguments } from './arguments.ts';
import { formatDuration } from './format.ts';
import { GET_METHOD_QUEUE, metadataSettings, networkOf, threadsOf } from './indexing.ts';
import { openDatabase } from './open-database.ts';
import { type OpenPacks, openPacks } from './open-packs.ts';
import { checkStart } from './start-checks.ts';

interface ImportPorts {
  readonly args: readonly string[];
  readonly settings: Settings;
  readonly log: Log;
  readonly out: TextOutput;
  readonly signal: AbortSignal;
}

const USAGE = 'usage: import --packs DIR... [--from genesis|SEQNO|DATE] [--to SEQNO|DATE]';
/** The largest that the database has. */
const MAX_SEQNO = 2 ** 31 - 1;
const PROGRESS_MS = 5000;
const CLASSIFY_POLL_MS = 200;
const MAX_SHOWN = 50;

/** Fills the index from pack files; returns 1 if something of them is not indexed. */
export async function importCommand(ports: ImportPorts): Promise<number> {
  const { settings, log, out } = ports;
  const { folders, from, to } = readArgs(ports.args);
  await checkStart(settings, {});
  const { database, url, close } = await openDatabase(settings, log, { create: true });
  const db = database.primary;
  let packs: OpenPacks | undefined;
  try {
    packs = await openPacks({ settings, folders, log, isIndexed: (id) => isIndexed(db, id) });
    const { zeroState } = packs;
    await checkIndexNetwork(db, { network: settings.network, zeroState: zeroState.rootHash });
    const wanted = { first: await firstWanted(packs, from), last: await lastWanted(packs, to) };
    const origin = await openOrigin(db, {
      zeroState: zeroState.rootHash,
      firstSeqno: wanted.first,
      partitionSeqnos: partitionSeqnosFor(settings.indexKeep),
    });
    out.write(`Importing ${rangeText(wanted)} from ${folders.join(', ')}\n`);
    const outcome = await runImport({ ...ports, url, db, packs, origin, wanted });
    return await summarize(outcome, { db, out, damages: packs.damages() });
  } finally {
    await packs?.close();
    await close();
  }
}

interface RunParts extends ImportPorts {
  readonly url: string;
  readonly db: Db;
  readonly packs: OpenPacks;
  readonly origin: Parameters<typeof importPacks>[0]['origin'];
  readonly wanted: SeqnoRange;
}

/** Runs the parts of an import: they are those of an indexer without lite servers. */
async function runImport({ settings, url, db, packs, origin, wanted, log, out, signal }: RunParts) {
  const threads = threadsOf(settings);
  const decoder = createDecoder({ threads, log });
  const writer = createWriter({ url, log, metadata: createChainMetadataReader(metadataSettings(settings)) });
  const vm = createVm({ threads, log, queueLimit: GET_METHOD_QUEUE });
  const classifier = createClassifier({ url, log });
  const config = Promise.withResolvers<CellRef>();
  let newestConfig = config.promise;
  const onConfig = (found: CellRef): void => {
    config.resolve(found);
    newestConfig = Promise.resolve(found);
  };
  const pool = createNoServers(packs.zeroState);
  const detection = createDetection({
    vm,
    db,
    pool,
    check: { verify: true },
    log,
    detectors: DETECTORS,
    known: knownContracts(networkOf(settings)),
    readConfig: () => newestConfig,
  });
  const progress = showProgress(db, out);
  classifier.start();
  try {
    const outcome = await importPacks({
      ...packs,
      db,
      decoder,
      writer,
      detection,
      origin,
      wanted,
      log,
      signal,
      onConfig,
      onHeld: progress.begin,
      onWritten: progress.add,
    });
    const source = createPackSource({ ...packs, onConfig, signal });
    await completeImport({ db, decoder, writer, detection, source, zeroState: packs.zeroState, log });
    await waitUntilClassified(db, outcome, signal);
    return outcome;
  } finally {
    await progress.end();
    await Promise.all([decoder.close(), classifier.close(), vm.close()]);
    await writer.close();
  }
}

async function waitUntilClassified(db: Db, { held }: ImportOutcome, signal: AbortSignal): Promise<void> {
  while (held !== undefined && !(await isClassified(db, held.last))) {
    await pause(CLASSIFY_POLL_MS, signal);
    signal.throwIfAborted();
  }
}

async function isIndexed(db: Db, { seqno, rootHash, fileHash }: BlockId): Promise<boolean> {
  const block = await readMasterchainBlock(db, seqno);
  return block?.root_hash.equals(rootHash) === true && block.file_hash.equals(fileHash);
}

/** Writes a line every few seconds: what all processes have indexed, and what this one does in a second. */
function showProgress(db: Db, out: TextOutput) {
  const startMs = performance.now();
  let held: SeqnoRange | undefined;
  let seqnos = 0;
  let transactions = 0;
  let shown: Promise<void> = Promise.resolve();
  const show = async (): Promise<void> => {
    if (held === undefined) return;
    const { first, last } = held;
    const missing = gapsBetween(await indexedRanges(db), held).reduce(
      (sum, gap) => sum + gap.last - gap.first + 1,
      0,
    );
    const seconds = (performance.now() - startMs) / 1000;
    const all = last - first + 1;
    const left =
      seqnos === 0
        ? ''
        : `, ${formatDuration((missing / seqnos) * seconds)} left at the rate of this process`;
    out.write(
      `${all - missing} of ${all} masterchain seqnos, ${Math.round(transactions / seconds)} transactions/s${missing === 0 ? '' : left}\n`,
    );
  };
  const timer = setInterval(() => {
    shown = shown.then(show).catch(() => {});
  }, PROGRESS_MS);
  return {
    begin(range: SeqnoRange | undefined): void {
      held = range;
    },
    add(batch: { readonly seqnos: number; readonly transactions: number }): void {
      seqnos += batch.seqnos;
      transactions += batch.transactions;
    },
    async end(): Promise<void> {
      clearInterval(timer);
      await shown;
    },
  };
}

interface SummaryParts {
  readonly db: Db;
  readonly out: TextOutput;
  readonly damages: readonly string[];
}

/** Says what is indexed and what is not; returns the exit code. */
async function summarize(
  { held, missing }: ImportOutcome,
  { db, out, damages }: SummaryParts,
): Promise<number> {
  if (held === undefined) {
    out.write('The packs have none of the wanted seqnos.\n');
    return 1;
  }
  for (const text of damages.slice(0, MAX_SHOWN)) out.write(`Damaged: ${text}\n`);
  if (damages.length > MAX_SHOWN) out.write(`Damaged: ${damages.length - MAX_SHOWN} more places\n`);
  for (const { first, last, reason } of missing.slice(0, MAX_SHOWN))
    out.write(`Missing: ${rangeText({ first, last })}: ${reason}\n`);
  if (missing.length > MAX_SHOWN) out.write(`Missing: ${missing.length - MAX_SHOWN} more ranges\n`);
  const all = held.last - held.first + 1;
  const lacking = missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  out.write(`${all - lacking} of ${all} masterchain seqnos are indexed, ${held.first} to ${held.last}.\n`);
  const accounts = await MISSING_QUEUE.count(db);
  if (accounts > 0)
    out.write(
      `${accounts} accounts wait for cells that the packs do not show, or for their interfaces: the command index reads them from lite servers.\n`,
    );
  return lacking + damages.length === 0 ? 0 : 1;
}

function rangeText({ first, last }: SeqnoRange): string {
  if (last >= MAX_SEQNO) return `masterchain seqnos from ${first} on`;
  return first === last ? `masterchain seqno ${first}` : `masterchain seqnos ${first} to ${last}`;
}

/** A masterchain seqno, or the first one since a time in unix seconds. */
type Place = { readonly seqno: number } | { readonly utime: number };

function readArgs(args: readonly string[]) {
  const options = {
    packs: { type: 'string', multiple: true },
    from: { type: 'string', default: 'genesis' },
    to: { type: 'string' },
  } as const;
  const { values, positionals } = readArguments(
    { args, options, allowPositionals: true },
    (text) => `${text}; ${USAGE}`,
  );
  const folders = [...(values.packs ?? []), ...positionals];
  if (values.packs === undefined) throw new UsageError(`import: --packs is missing; ${USAGE}`);
  return {
    folders,
    from: values.from === 'genesis' ? { seqno: 1 } : readPlace('--from', values.from),
    to: values.to === undefined ? { seqno: MAX_SEQNO } : readPlace('--to', values.to),
  };
}

function readPlace(name: string, text: string): Place {
  if (/^[1-9]\d{0,9}$/.test(text)) return { seqno: Math.min(Number(text), MAX_SEQNO) };
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`${name} is "${text}": expected a seqno or a date such as 2026-01-31; ${USAGE}`);
  return { utime: time / 1000 };
}

async function firstWanted(packs: OpenPacks, from: Place): Promise<number> {
  if ('seqno' in from) return from.seqno;
  const seqno = await firstSeqnoSince(packs, from.utime);
  if (seqno === undefined) throw new StartError('--from: all blocks of the packs are older');
  return seqno;
}

async function lastWanted(packs: OpenPacks, to: Place): Promise<number> {
  if ('seqno' in to) return to.seqno;
  const next = await firstSeqnoSince(packs, to.utime);
  return next === undefined ? MAX_SEQNO : next - 1;
}
