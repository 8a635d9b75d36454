import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../chain/block-id.ts';
import { checkIndexNetwork } from '../index/coverage.ts';
import { importDump } from '../ingest/dump/import-dump.ts';
import { createKeptBlocks } from '../ingest/dump/kept-blocks.ts';
import { findPacks } from '../ingest/fetch/packs/pack-folder.ts';
import { readZeroStates } from '../ingest/fetch/packs/pack-source.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import { onServer } from '../lite/fetch-context.ts';
import { getZeroState } from '../lite/methods/blocks.ts';
import { lookupBlockWithProof } from '../lite/methods/lookups.ts';
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
import {
  completeDumpOption,
  DUMP_OPTIONS,
  DUMP_USAGE,
  describeBags,
  openDump,
  readDumpArguments,
} from './open-dump.ts';
import {
  configOfPacks,
  createDamageList,
  createZeroStateReader,
  findZeroState,
  openPackFolder,
  readNetwork,
} from './open-packs.ts';
import { checkStart } from './start-checks.ts';

const USAGE = `usage: import --dump [URL|FILE] ${DUMP_USAGE} [--ahead N] [--packs DIR...] [--from genesis|SEQNO|DATE] [--to SEQNO|DATE] [--offline]`;
const MAX_AHEAD = 32;

/** Fills the index from the bags of a dump; returns 1 if something of them is not indexed. */
export async function importCommand(ports: ImportPorts): Promise<number> {
  const { settings, log, out, signal } = ports;
  const { dump, folders, from, to, ahead, isOffline } = readArgs(ports.args);
  configOfPacks(settings);
  await checkStart(settings, {});
  const { source, list, loader } = await openDump({ settings, dump, log, signal });
  let lite: OpenLite | undefined;
  const { database, url, close } = await openDatabase(settings, log, { create: true });
  const db = database.primary;
  try {
    if (!isOffline) lite = await openServers(ports);
    const network =
      lite === undefined
        ? await readNetwork(settings, await findPacks(folders), log)
        : { zeroState: lite.config.zeroState, trusted: [lite.config.initBlock, ...lite.config.hardforks] };
    const { zeroState } = network;
    await checkIndexNetwork(db, { network: settings.network, zeroState: zeroState.rootHash });
    const wanted = {
      first: await seqnoAt('--from', from, lite, signal),
      last: await lastWanted(to, lite, signal),
    };
    const bags = list.blocks.filter(({ first, last }) => first <= wanted.last && last >= wanted.first);
    if (bags.length === 0) throw new StartError(`--dump: no bag of ${source} has ${rangeText(wanted)}`);
    out.write(`Importing ${rangeText(wanted)} from ${bags.length} bags of ${source}\n`);

    const damages = createDamageList(log);
    const kept = createKeptBlocks(join(settings.dataDir, 'import', 'kept'));
    await mkdir(kept.folder, { recursive: true });
    const readZeroState = createZeroStateReader(async (id) => {
      try {
        return await findZeroState(await findPacks([...folders]), id);
      } catch (error) {
        if (lite === undefined) throw error;
        const { check, pool } = lite;
        return onServer({ pool, signal }, 1, ({ query }) => getZeroState(query, id, check));
      }
    });
    const openPacks: Parameters<typeof importDump>[0]['openPacks'] = async (path, proven) =>
      openPackFolder({
        ...network,
        folder: await findPacks([path, kept.folder, ...folders]),
        isIndexed: async (id) => proven.some((block) => sameBlock(block, id)) || isIndexed(db, id),
        readZeroState,
        onDamage: damages.add,
      });
    let place = 0;
    const progress = (): string => {
      const doing = describeBags(loader);
      return doing === '' ? '' : `; bag ${place} of ${bags.length}: ${doing}`;
    };
    const parts = { ...ports, url, db, zeroState, firstSeqno: wanted.first };
    const outcome = await runImport(
      parts,
      async (work) => {
        const imported = await importDump({
          ...work,
          listed: list.blocks,
          bags,
          wanted,
          loader,
          ahead,
          lite,
          kept,
          trusted: network.trusted.map(({ seqno }) => seqno),
          openPacks,
          onBag(_bag, number) {
            place = number;
          },
        });
        return { outcome: imported, readZeroStates: () => readZeroStates({ zeroState, readZeroState }) };
      },
      progress,
    );
    return await summarize(outcome, { db, out, damages: damages.texts() });
  } finally {
    await lite?.close();
    await close();
  }
}

/** Lite servers prove where a bag begins, and fill gaps. */
async function openServers(ports: ImportPorts): Promise<OpenLite> {
  try {
    return await openLite(ports);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(
      `${error.message}; with --offline, bags are imported by the signatures in them alone`,
      { cause: error },
    );
  }
}

async function lastWanted(to: Place, lite: OpenLite | undefined, signal: AbortSignal): Promise<number> {
  if ('utime' in to && to.utime * 1000 > Date.now()) return MAX_SEQNO;
  return 'seqno' in to ? to.seqno : (await seqnoAt('--to', to, lite, signal)) - 1;
}

/** The list has no times, so lite servers find the first block since one. */
async function seqnoAt(
  option: string,
  place: Place,
  lite: OpenLite | undefined,
  signal: AbortSignal,
): Promise<number> {
  if ('seqno' in place) return place.seqno;
  if (lite === undefined)
    throw new StartError(
      `${option}: a date needs lite servers, the list of bags has seqnos alone; name a seqno`,
    );
  if (place.utime * 1000 > Date.now()) throw new StartError(`${option}: this time is still to come`);
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, utime: place.utime };
  const { pool, check } = lite;
  const found = await onServer({ pool, signal }, 0, ({ query, reference }) =>
    lookupBlockWithProof(query, reference, key, check),
  );
  return found.block.seqno;
}

function readArgs(args: readonly string[]) {
  const options = {
    ...DUMP_OPTIONS,
    packs: { type: 'string', multiple: true },
    ahead: { type: 'string', default: '3' },
    ...RANGE_OPTIONS,
  } as const;
  const { values } = readArguments(
    { args: completeDumpOption(args), options },
    (text) => `import: ${text}; ${USAGE}`,
  );
  const ahead = Number(values.ahead);
  if (!Number.isInteger(ahead) || ahead < 0 || ahead > MAX_AHEAD)
    throw new UsageError(`--ahead is "${values.ahead}": expected a number up to ${MAX_AHEAD}; ${USAGE}`);
  return {
    dump: readDumpArguments(values, USAGE),
    folders: values.packs ?? [],
    ahead,
    ...readRangeArguments(values, USAGE),
  };
}
