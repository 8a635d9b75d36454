import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { type DatabaseReport, inspectDatabase } from '../db/check-database.ts';
import { StartError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { diagnoseServer, type ServerDiagnosis } from '../lite/examine-server.ts';
import { formatBytes, formatTable } from './format.ts';
import { type LiteGroup, readLiteGroups } from './lite-servers.ts';

export interface DoctorPorts {
  readonly settings: Settings;
  readonly log: Log;
  readonly out: { readonly write: (text: string) => unknown };
  /** How long a server may take to connect, and for each answer. */
  readonly timeoutMs?: number;
}

export const TIMEOUT_MS = 5000;
/** Blocks that are there only when the whole chain is. */
export const FIRST_BLOCKS = 3;

/**
 * Looks at the database, the disk and every lite server of the settings and says how they are; returns 1 when the
 * database cannot be used, or none of a group of lite servers.
 */
export async function doctorCommand(ports: DoctorPorts): Promise<number> {
  const { settings, log } = ports;
  let code = (await examineStorage(ports)) ? 0 : 1;
  const groups = await readLiteGroups({ settings, isChainHere: false, log });
  for (const group of groups) if (!(await examineGroup(group, ports))) code = 1;
  return code;
}

export async function examineGroup(group: LiteGroup, ports: DoctorPorts): Promise<boolean> {
  const { settings, out, timeoutMs = TIMEOUT_MS } = ports;
  const config = await group.config();
  const count = config.liteServers.length;
  out.write(`Network ${settings.network}, lite servers of ${group.name}: ${count}\n`);
  if (count === 0) return false;
  const exams = await Promise.all(
    config.liteServers.map((address) => diagnoseServer(address, { config, timeoutMs })),
  );
  const newest = Math.max(...exams.map(({ seqno = -1 }) => seqno));
  out.write(`\n${formatTable(exams.map((exam) => toCells(exam, newest)))}\n`);
  const usable = exams.filter((exam) => exam.fault === undefined && !isLagging(exam, newest));
  const cures = exams.flatMap((exam) => adviceFor(exam, newest, settings.network) ?? []);
  if (!usable.some(isWhole))
    cures.push('No server has the whole chain: what is asked of old blocks may fail.');
  for (const cure of new Set(cures)) out.write(`- ${cure}\n`);
  out.write(`${usable.length} of ${count} can be used.\n`);
  return usable.length > 0;
}

export function isWhole({ oldestSeqno }: ServerDiagnosis): boolean {
  return oldestSeqno !== undefined && oldestSeqno <= FIRST_BLOCKS;
}

export function toCells(exam: ServerDiagnosis, newest: number): Record<string, string> {
  const { index, name, pingMs, clockSeconds, seqno, oldestSeqno, fault } = exam;
  return {
    NO: `${index}`,
    SERVER: name,
    PING: pingMs === undefined ? '' : `${pingMs} ms`,
    HEAD: `${seqno ?? ''}`,
    LAG: seqno === undefined ? '' : `${newest - seqno}`,
    OLDEST: isWhole(exam) ? 'all' : `${oldestSeqno ?? ''}`,
    CLOCK: clockSeconds === undefined ? '' : `${clockSeconds > 0 ? '+' : ''}${clockSeconds} s`,
    STATE: fault?.text ?? (isLagging(exam, newest) ? 'behind' : 'ok'),
  };
}

interface StoragePorts {
  readonly settings: Settings;
  readonly log: Log;
  readonly out: { readonly write: (text: string) => unknown };
}

const MIN_POSTGRES_MAJOR = 14;
const MIN_FREE_BYTES = 5e9;
const MIN_FREE_SHARE = 0.05;

/** Looks at the database and the disk and says what should be done; false when the database cannot be used. */
async function examineStorage({ settings, log, out }: StoragePorts): Promise<boolean> {
  const { databaseUrl: url, dataDir } = settings;
  const cures: string[] = [];
  let isUsable = true;
  if (url === undefined) out.write(`Database: the embedded PostgreSQL in ${dataDir}\n`);
  else
    try {
      const exam = await inspectDatabase(url, log);
      out.write(`Database: PostgreSQL ${exam.version}, ${formatBytes(exam.bytes)}\n`);
      cures.push(...databaseAdvice(exam, settings));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      out.write('Database: cannot be used\n');
      cures.push(error.message);
      isUsable = false;
    }
  const disk = await diskOf(dataDir);
  if (disk !== undefined) {
    out.write(`Disk of DATA_DIR: ${formatBytes(disk.free)} of ${formatBytes(disk.all)} free\n`);
    if (disk.free < MIN_FREE_BYTES || disk.free < disk.all * MIN_FREE_SHARE)
      cures.push(
        'The disk is nearly full: make room, or let INDEX_KEEP drop old history. Indexing waits while there is no space.',
      );
  }
  cures.push(...settingsAdvice(settings));
  for (const cure of cures) out.write(`- ${cure}\n`);
  return isUsable;
}

function* databaseAdvice({ major, version, outstanding, connections }: DatabaseReport, settings: Settings) {
  if (major < MIN_POSTGRES_MAJOR)
    yield `PostgreSQL ${version} is too old: ${MIN_POSTGRES_MAJOR} or newer is needed, 16 or newer is better.`;
  if (outstanding > 0)
    yield `${outstanding} migrations are to be applied: the command migrate does it, and so does every start.`;
  if (connections.used + settings.databasePoolSize > connections.allowed)
    yield `${connections.used} of ${connections.allowed} connections are taken: raise max_connections, or lower DATABASE_POOL_SIZE.`;
}

function* settingsAdvice({ network, indexFrom, indexKeep, databaseUrl }: Settings) {
  if (network === 'mainnet' && indexFrom === 'genesis' && indexKeep === 'all')
    yield 'INDEX_FROM=genesis on mainnet means terabytes: see docs/operate/scale.md.';
  if (network === 'mainnet' && databaseUrl === undefined)
    yield 'The embedded PostgreSQL keeps its usual settings; for an index of mainnet give DATABASE_URL of a server that is tuned.';
}

/** The disk of a folder, or of the nearest one above it that exists. */
async function diskOf(path: string): Promise<{ free: number; all: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { free: bavail * bsize, all: blocks * bsize };
  } catch {
    const above = dirname(path);
    return above === path ? undefined : diskOf(above);
  }
}

/** A server that is further behind is not asked. */
const LIVE_BLOCKS = 3;
/** Servers tell whole seconds, so a difference of one says nothing. */
const CLOCK_SECONDS = 5;

/** Whether a server is too far behind the newest of its group. */
function isLagging({ seqno }: ServerDiagnosis, newest: number): boolean {
  return seqno !== undefined && newest - seqno > LIVE_BLOCKS;
}

/** What can be done about a server that is not as it should be. */
function adviceFor(exam: ServerDiagnosis, newest: number, network: string): string | undefined {
  const { fault, clockSeconds = 0 } = exam;
  if (fault?.at === 'connection') return connectionAdvice(fault.text);
  if (fault?.at === 'network')
    return `A server is of another network: does the config belong to ${network}? See NETWORK and TON_CONFIG.`;
  if (fault !== undefined) return 'A server does not answer as it should; it is left out until it does.';
  if (isLagging(exam, newest))
    return 'A server is behind the others and is not asked until it has caught up; that is its own affair.';
  // The clock of a local chain can be moved.
  if (network !== 'localnet' && Math.abs(clockSeconds) > CLOCK_SECONDS)
    return 'A clock differs: when it is so for all servers, the clock of this machine is wrong; let NTP set it.';
  return undefined;
}

function connectionAdvice(reason: string): string {
  if (reason.includes('ECONNREFUSED'))
    return 'Nobody listens at an address: the server is down, or the config is old. A new one is fetched at every start.';
  if (reason.includes('in time') || reason.includes('ETIMEDOUT'))
    return 'An address does not answer: the server is down, or a firewall stops TCP connections to its port from here.';
  if (reason.includes('ENETUNREACH') || reason.includes('EHOSTUNREACH'))
    return 'There is no way to an address: look at the network of this machine.';
  if (reason.includes('closed by the server') || reason.includes('ECONNRESET'))
    return 'A server hangs up on us: its key is another one than the config says, or it has too many clients.';
  if (reason.startsWith('AdnlError'))
    return 'What answers at an address is no lite server, or has another key than the config says.';
  return 'A server cannot be connected to; it is tried again and again while tongate runs.';
}
