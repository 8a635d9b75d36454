import { setTimeout as sleep } from 'node:timers/promises';
import { parseHash } from '../chain/hash.ts';
import { createClassifier } from '../classify/classifier.ts';
import {
  countRemaining,
  type ReclassifyRange,
  type ReclassifyRequest,
  remainingOfRange,
  requestReclassification,
  requeueTraces,
} from '../classify/reclassify.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../db/tables/tables.ts';
import { UsageError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { readArguments, readSeqno } from './arguments.ts';
import { openDatabase } from './open-database.ts';

interface ReclassifyPorts {
  readonly args: readonly string[];
  readonly settings: Settings;
  readonly log: Log;
  readonly out: TextOutput;
}

const REPORT_INTERVAL_MS = 2000;
const LOOK_EVERY_MS = 200;
const USAGE =
  'usage: reclassify [--from SEQNO] [--to SEQNO] [--type TYPE]... | --trace HASH...; --no-wait leaves the work to others';

/**
 * Queues traces for classification, helps with it and prints the progress; returns 1 if none of them is indexed. Running
 * indexers do the same work, so the command may be stopped at any time.
 */
export async function reclassifyCommand({ args, settings, log, out }: ReclassifyPorts): Promise<number> {
  const { traces, range, waits } = readArgs(args);
  const { database, url, close } = await openDatabase(settings, log);
  try {
    const left = await note(database.primary, { traces, range, out });
    if (left === undefined) {
      out.write('No matching traces in the index.\n');
      return 1;
    }
    if (waits) await work(url, left, { log, out });
    return 0;
  } finally {
    await close();
  }
}

/** Describes what is left; undefined when all is done. */
type Left = () => Promise<string | undefined>;

async function note(
  db: Db,
  { traces, range, out }: Pick<Args, 'traces' | 'range'> & Pick<ReclassifyPorts, 'out'>,
): Promise<Left | undefined> {
  if (traces.length > 0) {
    const count = await requeueTraces(db, traces);
    if (count === 0) return undefined;
    out.write(`${count} of ${traces.length} traces queued for classification\n`);
    return async () => {
      const left = await countRemaining(db, traces);
      return left === 0 ? undefined : `${left} traces`;
    };
  }
  const noted = await requestReclassification(db, range);
  if (noted === undefined) return undefined;
  out.write(
    `Traces that ended at masterchain seqnos ${noted.first} to ${noted.last} queued for classification\n`,
  );
  return () => describeLeft(db, noted);
}

async function describeLeft(db: Db, noted: ReclassifyRange): Promise<string | undefined> {
  const { seqnos, traces } = await remainingOfRange(db, noted);
  return seqnos + traces === 0 ? undefined : `${seqnos} seqnos and ${traces} traces of later ones`;
}

async function work(
  url: string,
  left: Left,
  { log, out }: Pick<ReclassifyPorts, 'log' | 'out'>,
): Promise<void> {
  let [traces, transactions] = [0, 0];
  const classifier = createClassifier({
    url,
    log,
    onBatch(figures) {
      traces += figures.traces;
      transactions += figures.transactions;
    },
  });
  classifier.start();
  const startedMs = performance.now();
  try {
    let reportedMs = startedMs;
    for (let rest = await left(); rest !== undefined; rest = await left()) {
      const nowMs = performance.now();
      if (nowMs - reportedMs >= REPORT_INTERVAL_MS) {
        reportedMs = nowMs;
        const rate = Math.round(transactions / ((nowMs - startedMs) / 1000));
        out.write(`  ${rest} left, ${rate} transactions/s here\n`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await classifier.close();
  }
  out.write(`Done; ${traces} traces with ${transactions} transactions were classified by this process.\n`);
}

interface Args {
  readonly traces: readonly Buffer[];
  readonly range: ReclassifyRequest;
  readonly waits: boolean;
}

function readArgs(args: readonly string[]): Args {
  const options = {
    from: { type: 'string' },
    to: { type: 'string' },
    type: { type: 'string', multiple: true },
    trace: { type: 'string', multiple: true },
    'no-wait': { type: 'boolean', default: false },
  } as const;
  const { values } = readArguments({ args, options }, (text) => `${text}; ${USAGE}`);
  const { from, to, type: types, trace = [], 'no-wait': leaves } = values;
  const hasRange = from !== undefined || to !== undefined;
  // Classifying everything again is a lot of work, so it must be explicit.
  if (hasRange === trace.length > 0 || (types !== undefined && !hasRange)) throw new UsageError(USAGE);
  return {
    traces: trace.map(readTrace),
    range: {
      from: readSeqno('--from', from ?? '1', USAGE, MOST_SEQNO.length),
      to: readSeqno('--to', to ?? MOST_SEQNO, USAGE, MOST_SEQNO.length),
      types,
    },
    waits: !leaves,
  };
}

const MOST_SEQNO = String(2 ** 31 - 1);

function readTrace(text: string): Buffer {
  const hash = parseHash(text);
  if (hash === undefined) throw new UsageError(`--trace is "${text}": expected a hash; ${USAGE}`);
  return hash;
}
