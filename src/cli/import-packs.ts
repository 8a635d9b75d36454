import { sameBlock } from '../chain/block-id.ts';
import { checkIndexNetwork } from '../index/coverage.ts';
import { firstSeqnoSince } from '../ingest/fetch/packs/find-by-time.ts';
import { createPackSource, readZeroStates } from '../ingest/fetch/packs/pack-source.ts';
import { importPacks } from '../ingest/import-packs.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import { readArguments } from './arguments.ts';
import {
  type ImportPorts,
  isIndexed,
  MAX_SEQNO,
  type OpenLite,
  openLite,
  type Place,
  RANGE_OPTIONS,
  rangeText,
  readRangeArguments,
  runImport,
  summarize,
} from './import-blocks.ts';
import { openDatabase } from './open-database.ts';
import { configOfPacks, type OpenPacks, openPacks } from './open-packs.ts';
import { checkStart } from './start-checks.ts';

const USAGE = 'usage: import --packs DIR... [--from genesis|SEQNO|DATE] [--to SEQNO|DATE] [--offline]';

/** Fills the index from pack files; returns 1 if something of them is not indexed. */
export async function importCommand(ports: ImportPorts): Promise<number> {
  const { settings, log, out } = ports;
  const { folders, from, to, isOffline } = readArgs(ports.args);
  configOfPacks(settings);
  await checkStart(settings, {});
  const { database, url, close } = await openDatabase(settings, log, { create: true });
  const db = database.primary;
  let opened: OpenPacks | undefined;
  let lite: OpenLite | undefined;

  async function openServers({ zeroState }: OpenPacks): Promise<OpenLite | undefined> {
    try {
      lite = await openLite(ports);
      if (!sameBlock(lite.pool.zeroState, zeroState))
        throw new StartError('lite servers are of another network');
      out.write('Filling gaps of the packs from lite servers\n');
      return lite;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      out.write(`Gaps of the packs stay: ${error.message}\n`);
      return undefined;
    }
  }

  try {
    const packs = await openPacks({ settings, folders, log, isIndexed: (id) => isIndexed(db, id) });
    opened = packs;
    const { zeroState } = packs;
    await checkIndexNetwork(db, { network: settings.network, zeroState: zeroState.rootHash });
    const wanted = { first: await firstWanted(packs, from), last: await lastWanted(packs, to) };
    out.write(`Importing ${rangeText(wanted)} from ${folders.join(', ')}\n`);
    const outcome = await runImport(
      { ...ports, url, db, zeroState, firstSeqno: wanted.first },
      async (work) => {
        const imported = await importPacks({
          ...packs,
          ...work,
          wanted,
          openLite: isOffline ? undefined : () => openServers(packs),
        });
        const blocks = createPackSource({ ...packs, ...work });
        return { outcome: imported, readZeroStates: () => readZeroStates(packs), blocks };
      },
    );
    return await summarize(outcome, { db, out, damages: packs.damages() });
  } finally {
    await lite?.close();
    await opened?.close();
    await close();
  }
}

function readArgs(args: readonly string[]) {
  const options = {
    packs: { type: 'string', multiple: true },
    ...RANGE_OPTIONS,
  } as const;
  const { values, positionals } = readArguments(
    { args, options, allowPositionals: true },
    (text) => `${text}; ${USAGE}`,
  );
  const folders = [...(values.packs ?? []), ...positionals];
  if (values.packs === undefined) throw new UsageError(`import: --packs is missing; ${USAGE}`);
  return { folders, ...readRangeArguments(values, USAGE) };
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
