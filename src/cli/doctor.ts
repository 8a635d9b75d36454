import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { type DatabaseReport, inspectDatabase } from '../db/check-database.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { StartError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { diagnoseServer, type ServerDiagnosis } from '../verify/diagnose-server.ts';
import { readArguments } from './arguments.ts';
import { examinePacks } from './examine-packs.ts';
import { formatBytes, formatNodes, formatTable } from './format.ts';
import { type LiteGroup, readLiteGroups } from './lite-groups.ts';

interface DoctorPorts {
  readonly args?: readonly string[];
  readonly settings: Settings;
  readonly log: Log;
  readonly out: TextOutput;
  /** For the connection to a server, and for each response. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
/** Each is a thread. */
const SERVERS_AT_ONCE = 4;
/** Blocks that only an archive server has. */
const FIRST_BLOCKS = 3;

const USAGE = 'usage: doctor [--packs DIR]...';

/**
 * Says what the packs in folders hold, with `--packs`. Otherwise checks the database, the disk and every lite server of the settings; returns 1 if the database is unusable, or all
 * lite servers of a group are.
 */
export async function doctorCommand(ports: DoctorPorts): Promise<number> {
  const { args = [], settings, log, out } = ports;
  const options = { packs: { type: 'string', multiple: true } } as const;
  const { packs } = readArguments({ args, options }, (text) => `${text}; ${USAGE}`).values;
  if (packs !== undefined) return (await examinePacks(packs, out)) ? 0 : 1;
  let code = (await examineStorage(ports)) ? 0 : 1;
  const groups = await readLiteGroups({ settings, isChainHere: false, log });
  for (const group of groups) if (!(await examineGroup(group, ports))) code = 1;
  return code;
}

async function examineGroup(group: LiteGroup, ports: DoctorPorts): Promise<boolean> {
  const { settings, out, timeoutMs = TIMEOUT_MS } = ports;
  const config = await group.config();
  const count = config.liteServers.length;
  out.write(`Network ${settings.network}, lite servers of ${group.name}: ${count}\n`);
  if (count === 0) {
    out.write('- There is no local chain yet: run the command start or localnet.\n');
    return false;
  }
  const exams = await mapInOrder(config.liteServers, SERVERS_AT_ONCE, (address) =>
    diagnoseServer(address, { zeroState: config.zeroState, timeoutMs }),
  );
  const newest = Math.max(...exams.map(({ seqno = -1 }) => seqno));
  out.write(`\n${formatTable(exams.map((exam) => toCells(exam, newest)))}\n`);
  const usable = exams.filter((exam) => exam.fault === undefined && !isLagging(exam, newest));
  const cures = exams.flatMap((exam) => adviceFor(exam, newest, settings.network) ?? []);
  if (!usable.some(isWhole)) cures.push('No server has the full history: requests for old blocks may fail.');
  for (const cure of new Set(cures)) out.write(`- ${cure}\n`);
  out.write(`${usable.length} of ${count} usable.\n`);
  return usable.length > 0;
}

function isWhole({ oldestSeqno }: ServerDiagnosis): boolean {
  return oldestSeqno !== undefined && oldestSeqno <= FIRST_BLOCKS;
}

function toCells(exam: ServerDiagnosis, newest: number): Record<string, string> {
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

const MIN_FREE_BYTES = 5e9;
const MIN_FREE_SHARE = 0.05;

/** Checks the database and the disk; returns false if the database is unusable. */
async function examineStorage({ settings, log, out }: DoctorPorts): Promise<boolean> {
  const { databaseUrl: url, dataDir } = settings;
  const cures: string[] = [];
  let isUsable = true;
  if (url === undefined) out.write(`Database: embedded PostgreSQL in ${dataDir}\n`);
  else
    try {
      const exam = await inspectDatabase(url, log);
      out.write(`Database: PostgreSQL ${exam.version}, ${formatBytes(exam.bytes)}\n`);
      if (exam.nodes.length > 0) out.write(`${formatNodes(exam.nodes)}\n`);
      cures.push(...databaseAdvice(exam, settings));
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      out.write('Database: unusable\n');
      cures.push(error.message);
      isUsable = false;
    }
  const disk = await diskOf(dataDir);
  if (disk !== undefined) {
    out.write(`Disk of DATA_DIR: ${formatBytes(disk.free)} of ${formatBytes(disk.all)} free\n`);
    if (disk.free < MIN_FREE_BYTES || disk.free < disk.all * MIN_FREE_SHARE)
      cures.push(
        'The disk is nearly full: free some space, or set INDEX_KEEP to drop old history. Indexing pauses while there is no space.',
      );
  }
  cures.push(...settingsAdvice(settings));
  for (const cure of cures) out.write(`- ${cure}\n`);
  return isUsable;
}

function* databaseAdvice({ outstanding, connections, nodes }: DatabaseReport, settings: Settings) {
  for (const { name } of nodes.filter(({ isReachable }) => !isReachable))
    yield `The coordinator cannot connect to the node ${name}: requests that need it fail until it is back.`;
  if (outstanding > 0)
    yield `${outstanding} pending migrations: run the command migrate; every start applies them too.`;
  if (connections.used + settings.databasePoolSize > connections.allowed)
    yield `${connections.used} of ${connections.allowed} connections are in use: raise max_connections, or lower DATABASE_POOL_SIZE.`;
}

function* settingsAdvice({ network, indexFrom, indexKeep, databaseUrl }: Settings) {
  if (network === 'mainnet' && indexFrom === 'genesis' && indexKeep === 'all')
    yield 'INDEX_FROM=genesis on mainnet takes terabytes: see docs/operate/scale.md.';
  if (network === 'mainnet' && databaseUrl === undefined)
    yield 'The embedded PostgreSQL is not tuned: for an index of mainnet, set DATABASE_URL to a tuned server.';
}

/** The disk of a directory, or of its nearest existing parent. */
async function diskOf(path: string): Promise<{ free: number; all: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { free: bavail * bsize, all: blocks * bsize };
  } catch {
    const above = dirname(path);
    return above === path ? undefined : diskOf(above);
  }
}

/** A server with a larger lag is not used. */
const LIVE_BLOCKS = 3;
/** Servers report whole seconds: a difference of one means nothing. */
const CLOCK_SECONDS = 5;

function isLagging({ seqno }: ServerDiagnosis, newest: number): boolean {
  return seqno !== undefined && newest - seqno > LIVE_BLOCKS;
}

function adviceFor(exam: ServerDiagnosis, newest: number, network: string): string | undefined {
  const { fault, clockSeconds = 0 } = exam;
  if (fault?.at === 'connection') return connectionAdvice(fault.text);
  if (fault?.at === 'network')
    return `A server belongs to another network: is this the config of ${network}? See NETWORK and TON_CONFIG.`;
  if (fault !== undefined) return 'A server sends invalid responses; it is not used until it recovers.';
  if (isLagging(exam, newest))
    return 'A server lags behind the others; it is not used until it has caught up.';
  // The clock of a local chain can be moved.
  if (network !== 'localnet' && Math.abs(clockSeconds) > CLOCK_SECONDS)
    return 'Clocks differ: if this is the case for all servers, the clock of this machine is wrong; use NTP.';
  return undefined;
}

function connectionAdvice(reason: string): string {
  if (reason.includes('ECONNREFUSED'))
    return 'Connection refused: the server is down, or the config is out of date. A new one is downloaded at every start.';
  if (reason.includes('in time') || reason.includes('ETIMEDOUT'))
    return 'Connection timed out: the server is down, or a firewall blocks TCP connections to its port.';
  if (reason.includes('ENETUNREACH') || reason.includes('EHOSTUNREACH'))
    return 'No route to a server: check the network of this machine.';
  if (reason.includes('closed by the server') || reason.includes('ECONNRESET'))
    return 'A server closes the connection: its key differs from the config, or it has too many clients.';
  if (reason.startsWith('AdnlError')) return 'Not a lite server, or its key differs from the config.';
  return 'Connection failed; tongate keeps retrying while it runs.';
}
