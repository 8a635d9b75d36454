import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../../lib/log.ts';
import { OutboundError } from '../../lib/outbound-http.ts';
import { createWorkerPool } from '../../lib/worker-pool.ts';
import { type WorkerFault, workerFile } from '../../lib/worker-thread.ts';
import { documentSource } from '../document-source.ts';
import { type FetchEnvironment, fetchParts } from '../fetch-document.ts';
import type { MetadataSettings } from '../metadata-settings.ts';
import { type AirdropFile, openAirdropFile } from './airdrop-file.ts';
import type { DumpJob } from './convert-dump.ts';
import type { DumpReply } from './dump-worker.ts';

/** The dictionary of airdrops that a jetton has, and where a dump of it is. */
export interface DumpSource {
  readonly root: Buffer;
  readonly link: string;
}

export interface AirdropStoreOptions {
  readonly folder: string;
  /** Of all files; a dump that is longer is not fetched. */
  readonly maxBytes: number;
  readonly gateways: Pick<MetadataSettings, 'ipfsGateways' | 'tonStorageGateway'>;
  readonly environment: FetchEnvironment;
  readonly log: Log;
  /** Called when a dump was fetched and is right. */
  readonly onFetched: () => void;
}

const SUFFIX = '.airdrops';
const PART_SUFFIX = '.part';
/** A file that is still being written is younger. */
const MAX_PART_AGE_MS = 24 * 3600 * 1000;

/** Creates the store of airdrops of mintless jettons in files of this machine, one per dictionary. */
export function createAirdropStore(options: AirdropStoreOptions) {
  const { folder, log, onFetched } = options;

  async function fetchAirdrops({ root, link }: DumpSource, path: string, signal: AbortSignal): Promise<void> {
    const name = join(folder, `${root.toString('hex')}-${randomBytes(4).toString('hex')}`);
    const [dump, target] = [`${name}-dump${PART_SUFFIX}`, `${name}${PART_SUFFIX}`];
    try {
      await fetchDump(link, dump, options, signal);
      const count = await convert({ dump, root: root.toString('hex'), target }, log, signal);
      await rename(target, path);
      onFetched();
      log.info({ root: root.toString('hex'), owners: count }, 'Airdrops of a mintless jetton fetched');
    } finally {
      await Promise.all([rm(dump, { force: true }), rm(target, { force: true })]);
    }
  }

  return {
    /**
     * Opens the airdrops of a dictionary; a dump is fetched if there is no file yet. Throws OutboundError, or the reason of
     * the signal.
     */
    async open(source: DumpSource, signal: AbortSignal): Promise<AirdropFile> {
      const path = join(folder, `${source.root.toString('hex')}${SUFFIX}`);
      await mkdir(folder, { recursive: true });
      if (!(await exists(path))) {
        await fetchAirdrops(source, path, signal);
        await removeOldFiles(folder, path, options.maxBytes);
      }
      const now = new Date();
      await utimes(path, now, now);
      return openAirdropFile(path);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Writes a dump to a file; the URLs of a link are tried in order. */
async function fetchDump(
  link: string,
  path: string,
  { gateways, environment, maxBytes }: AirdropStoreOptions,
  signal: AbortSignal,
): Promise<void> {
  const source = documentSource(link.trim(), gateways);
  if ('body' in source) return writeFile(path, source.body);
  const limits = { ...environment.limits, maxBytes };
  let last: unknown;
  for (const url of source.urls) {
    try {
      return await fetchParts(url, { ...environment, limits }, signal, (body) =>
        pipeline(body, createWriteStream(path)),
      );
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

const START_LIMIT_MS = 60_000;
const CONVERSION_LIMIT_MS = 15 * 60_000;
/** Objects only; the dump and its tables are outside of the heap. */
const HEAP_MB = 256;

/** Converts a dump in a thread of its own, whose memory is free afterwards. */
async function convert(job: DumpJob, log: Log, signal: AbortSignal): Promise<number> {
  const threads = createWorkerPool<DumpJob, DumpReply>({
    name: 'mintless',
    file: workerFile('./dump-worker', import.meta.url),
    threads: 1,
    queueLimit: 1,
    jobs: 'long',
    heapMb: HEAP_MB,
    startLimitMs: START_LIMIT_MS,
    stepLimitMs: CONVERSION_LIMIT_MS,
    isBackground: true,
    createEncoder: () => ({ encode: (jobs) => ({ messages: jobs }) }),
    toError: (fault: WorkerFault, what, cause) =>
      Object.assign(new OutboundError('failed', `not converted (${fault}: ${what})`), { cause }),
    log,
  });
  try {
    const reply = await threads.run(job, { signal });
    if ('fault' in reply) throw new OutboundError('failed', reply.fault);
    return reply.count;
  } finally {
    await threads.close();
  }
}

/** Removes what a killed process left behind, and the files that were used least recently while all are too large together. */
async function removeOldFiles(folder: string, newest: string, maxBytes: number): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() ? [{ path, bytes: found.size, usedMs: found.mtimeMs }] : [];
    }),
  );
  const files = found.flat().sort((a, b) => b.usedMs - a.usedMs);
  let bytes = (await stat(newest)).size;
  for (const file of files) {
    if (file.path === newest) continue;
    if (file.path.endsWith(PART_SUFFIX)) {
      if (Date.now() - file.usedMs > MAX_PART_AGE_MS) await rm(file.path, { force: true });
    } else if (file.path.endsWith(SUFFIX)) {
      bytes += file.bytes;
      if (bytes > maxBytes) await rm(file.path, { force: true });
    }
  }
}
