import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { type BagLoader, createBagLoader } from '../ingest/dump/bag-loader.ts';
import { type DumpList, publicDumpList, readDumpList } from '../ingest/dump/dump-list.ts';
import { createStorageDaemon, StorageDaemonError } from '../ingest/dump/storage-daemon.ts';
import { StartError, UsageError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { formatBytes, formatDuration } from './format.ts';

/** The options of commands that read bags. */
export const DUMP_OPTIONS = {
  dump: { type: 'string' },
  storage: { type: 'string' },
  downloads: { type: 'string' },
  disk: { type: 'string', default: '40GB' },
  'bag-timeout': { type: 'string', default: '1800' },
} as const;

export const DUMP_USAGE = '--storage URL [--downloads DIR] [--disk SIZE] [--bag-timeout SECONDS]';

type DumpValues = { readonly [name in keyof typeof DUMP_OPTIONS]?: string | undefined };

/** The values of the options of bags. */
export type DumpArguments = ReturnType<typeof readDumpArguments>;

/** `--dump` alone is the public list of the network: the parser of arguments wants a value of it. */
export function completeDumpOption(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    const next = args[i + 1];
    return arg === '--dump' && (next === undefined || next.startsWith('-')) ? ['--dump='] : [arg];
  });
}

export function readDumpArguments(values: DumpValues, usage: string) {
  const { dump, storage, downloads, disk = '', 'bag-timeout': timeout = '' } = values;
  if (storage === undefined)
    throw new UsageError(
      `import: --storage is missing, the URL of the HTTP API of a storage daemon; ${usage}`,
    );
  const size = /^(\d+(?:\.\d+)?) ?(kB|MB|GB|TB)?$/i.exec(disk);
  if (size === null) throw new UsageError(`--disk is "${disk}": expected a size such as 40GB; ${usage}`);
  const unit = { kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 }[size[2]?.toLowerCase() ?? ''] ?? 1;
  const seconds = Number(timeout);
  if (!(seconds > 0)) throw new UsageError(`--bag-timeout is "${timeout}": expected seconds; ${usage}`);
  return {
    list: dump === undefined || dump === '' ? undefined : dump,
    storage,
    downloads,
    maxBytes: Number(size[1]) * unit,
    patienceMs: seconds * 1000,
  };
}

/** A list of bags, and what loads them. */
export interface OpenDump {
  /** Where the list is from. */
  readonly source: string;
  readonly list: DumpList;
  readonly loader: BagLoader;
}

interface OpenDumpOptions {
  readonly settings: Settings;
  readonly dump: DumpArguments;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reads the list of bags and reaches the storage daemon; throws StartError if one of them is not to be had. */
export async function openDump({ settings, dump, log, signal }: OpenDumpOptions): Promise<OpenDump> {
  const source = dump.list ?? publicDumpList(settings.network);
  if (source === undefined)
    throw new StartError(
      `--dump: there is no public list of bags of ${settings.network}; name a URL or a file`,
    );
  const daemon = createStorageDaemon(dump.storage);
  const list = await readDumpList(source, signal);
  const bags = [...list.blocks, ...list.states].map(({ bag }) => bag);
  if (bags.length === 0) throw new StartError(`--dump: the list of bags ${source} is empty`);
  // A wrong address is better told now than waited for.
  await daemon.details(bags[0]!, signal).catch((error: unknown) => {
    if (error instanceof StorageDaemonError)
      throw new StartError(`--storage: ${error.message}`, { cause: error });
    throw error;
  });
  const folder = resolve(dump.downloads ?? join(settings.dataDir, 'downloads'));
  await mkdir(folder, { recursive: true });
  const { maxBytes, patienceMs } = dump;
  const loader = createBagLoader({
    daemon,
    folder,
    listed: new Set(bags),
    maxBytes,
    patienceMs,
    log,
    signal,
  });
  return { source, list, loader };
}

const STEPS = {
  header: 'asked for',
  space: 'waits for room on the disk',
  loaded: 'loaded',
  reading: 'read',
} as const;

/** What the bags of a loader are doing, in words. */
export function describeBags(loader: BagLoader): string {
  const texts = loader.reports().map(({ bag, step, size, downloaded, speed }) => {
    const name = bag.slice(0, 8);
    if (step !== 'loading') return `${name} ${STEPS[step]}${size === 0 ? '' : `, ${formatBytes(size)}`}`;
    const left = speed > 0 ? `, ${formatDuration((size - downloaded) / speed)} left` : '';
    return `${name} ${formatBytes(downloaded)} of ${formatBytes(size)} at ${formatBytes(speed)}/s${left}`;
  });
  return texts.join('; ');
}
