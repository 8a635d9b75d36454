import type { BlockId } from '../chain/block-id.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { createClassifier } from '../classify/classifier.ts';
import { isClassified } from '../classify/reclassify.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../db/tables/tables.ts';
import { createDetection } from '../detect/create-detection.ts';
import { DETECTORS } from '../detect/detectors/all-detectors.ts';
import { knownContracts } from '../detect/known-contracts.ts';
import { gapsBetween, indexedRanges, openOrigin, partitionSeqnosFor } from '../index/coverage.ts';
import { readMasterchainBlock, type SeqnoRange } from '../index/snapshot.ts';
import { MISSING_QUEUE } from '../index/write/missing-queue.ts';
import { createWriter } from '../index/write/writer.ts';
import { completeImport } from '../ingest/complete-import.ts';
import { createDecoder } from '../ingest/decode/decoder.ts';
import type { LiteHelp } from '../ingest/fill-gaps.ts';
import type { ImportOutcome } from '../ingest/import-packs.ts';
import { type ImportRunOptions, untilFewUnclassified } from '../ingest/import-run.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { pause } from '../lib/wait.ts';
import { createNoServers } from '../lite/fetch-context.ts';
import { createChainMetadataReader } from '../metadata/token-fields.ts';
import { createVm } from '../vm/vm.ts';
import { formatDuration } from './format.ts';
import { GET_METHOD_QUEUE, metadataSettings, networkOf, threadsOf } from './indexing.ts';
import { readLiteGroups } from './lite-groups.ts';
import { openLiteServers } from './lite-servers.ts';

/** What the commands that import blocks run with. */
export interface ImportPorts {
  readonly args: readonly string[];
  readonly settings: Settings;
  readonly log: Log;
  readonly out: TextOutput;
  readonly signal: AbortSignal;
}

/** The largest that the database has. */
export const MAX_SEQNO = 2 ** 31 - 1;
const PROGRESS_MS = 5000;
const CLASSIFY_POLL_MS = 200;
const MAX_SHOWN = 50;
/** How long to wait for a first lite server. */
const LITE_MS = 10_000;

interface RunParts extends ImportPorts {
  readonly url: string;
  readonly db: Db;
  readonly zeroState: BlockId;
  /** The first wanted seqno, with which a new index begins. */
  readonly firstSeqno: number;
}

interface ImportWork extends ImportRunOptions {
  readonly onConfig: (config: CellRef) => void;
  readonly onHeld: (held: SeqnoRange | undefined) => void;
}

/** What an import leaves, and what open states are completed by. */
type WorkDone = { readonly outcome: ImportOutcome } & Pick<
  Parameters<typeof completeImport>[0],
  'readZeroStates' | 'blocks'
>;

/**
 * Runs the parts of an import around its work: they are those of an indexer without lite servers. `moreProgress` is told with
 * the progress.
 */
export async function runImport(
  parts: RunParts,
  work: (options: ImportWork) => Promise<WorkDone>,
  moreProgress: () => string = () => '',
): Promise<ImportOutcome> {
  const { settings, url, db, zeroState, firstSeqno, log, out, signal } = parts;
  const threads = threadsOf(settings);
  const origin = await openOrigin(db, {
    zeroState: zeroState.rootHash,
    firstSeqno,
    partitionSeqnos: partitionSeqnosFor(settings.indexKeep),
  });
  const decoder = createDecoder({ threads, log });
  const metadata = createChainMetadataReader(metadataSettings(settings));
  const writer = createWriter({ url, log, isRepeatable: true, metadata });
  const vm = createVm({ threads, log, queueLimit: GET_METHOD_QUEUE });
  const classifier = createClassifier({ url, log, isBackground: true });
  const mayClaim = () => untilFewUnclassified(() => classifier.progress().queue?.traces, signal);
  const config = Promise.withResolvers<CellRef>();
  let newestConfig = config.promise;
  const onConfig = (found: CellRef): void => {
    config.resolve(found);
    newestConfig = Promise.resolve(found);
  };
  const detection = createDetection({
    vm,
    db,
    pool: createNoServers(zeroState),
    check: { verify: true },
    log,
    detectors: DETECTORS,
    known: knownContracts(networkOf(settings)),
    readConfig: () => newestConfig,
  });
  const progress = showProgress(db, out, moreProgress);
  classifier.start();
  try {
    const { outcome, ...rest } = await work({
      db,
      decoder,
      writer,
      detection,
      origin,
      log,
      signal,
      mayClaim,
      onConfig,
      onHeld: progress.begin,
      onWritten: progress.add,
    });
    await completeImport({ db, decoder, writer, detection, ...rest, zeroState, log, signal });
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

export async function isIndexed(db: Db, { seqno, rootHash, fileHash }: BlockId): Promise<boolean> {
  const block = await readMasterchainBlock(db, seqno);
  return block?.root_hash.equals(rootHash) === true && block.file_hash.equals(fileHash);
}

/** Writes a line every few seconds: what all processes have indexed, and what this one does in a second. */
function showProgress(db: Db, out: TextOutput, more: () => string) {
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
      `${all - missing} of ${all} masterchain seqnos, ${Math.round(transactions / seconds)} transactions/s${missing === 0 ? '' : left}${more()}\n`,
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
export async function summarize(
  { held, missing }: ImportOutcome,
  { db, out, damages }: SummaryParts,
): Promise<number> {
  if (held === undefined) {
    out.write('There are none of the wanted seqnos.\n');
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
      `${accounts} accounts wait for cells that the blocks do not show, or for their interfaces: the command index reads them from lite servers.\n`,
    );
  return lacking === 0 ? 0 : 1;
}

export function rangeText({ first, last }: SeqnoRange): string {
  if (last >= MAX_SEQNO) return `masterchain seqnos from ${first} on`;
  return first === last ? `masterchain seqno ${first}` : `masterchain seqnos ${first} to ${last}`;
}

/** The options of commands that import blocks of a range. */
export const RANGE_OPTIONS = {
  from: { type: 'string', default: 'genesis' },
  to: { type: 'string' },
  offline: { type: 'boolean', default: false },
} as const;

type RangeValues = {
  readonly from: string;
  readonly to?: string | undefined;
  readonly offline: boolean;
};

export function readRangeArguments({ from, to, offline }: RangeValues, usage: string) {
  return {
    from: from === 'genesis' ? { seqno: 1 } : readPlace('--from', from, usage),
    to: to === undefined ? { seqno: MAX_SEQNO } : readPlace('--to', to, usage),
    isOffline: offline,
  };
}

/** A masterchain seqno, or the first one since a time in unix seconds. */
export type Place = { readonly seqno: number } | { readonly utime: number };

function readPlace(name: string, text: string, usage: string): Place {
  if (/^[1-9]\d{0,9}$/.test(text)) return { seqno: Math.min(Number(text), MAX_SEQNO) };
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`${name} is "${text}": expected a seqno or a date such as 2026-01-31; ${usage}`);
  return { utime: time / 1000 };
}

/** Lite servers that an import may ask, with what is known of the network by their config. */
export type OpenLite = Awaited<ReturnType<typeof openLite>>;

/** Opens the lite servers of the network; throws StartError if there are none, or none responds soon. */
export async function openLite({ settings, log }: Pick<ImportPorts, 'settings' | 'log'>) {
  const groups = await readLiteGroups({ settings, isChainHere: false, log });
  const lite = await openLiteServers({ settings, groups, log });
  await lite.settle(LITE_MS);
  const pool = lite.pool(undefined);
  if (pool.head === undefined) {
    await lite.close();
    throw new StartError(`No lite server of ${settings.network} responds`);
  }
  const help: LiteHelp = { pool, check: { verify: settings.liteVerify } };
  return { ...help, config: await groups[0]!.config(), close: lite.close };
}
