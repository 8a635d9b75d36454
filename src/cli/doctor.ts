import type { Settings } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import { examineServer, type ServerExam } from '../lite/examine-server.ts';
import { cureOf, isBehind } from './cures.ts';
import { examineStorage } from './doctor-storage.ts';
import { formatTable } from './format-table.ts';
import { type LiteGroup, readLiteGroups } from './lite-groups.ts';

interface DoctorPorts {
  readonly settings: Settings;
  readonly log: Log;
  readonly out: { readonly write: (text: string) => unknown };
  /** How long a server may take to connect, and for each answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
/** Blocks that are there only when the whole chain is. */
const FIRST_BLOCKS = 3;

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

async function examineGroup(group: LiteGroup, ports: DoctorPorts): Promise<boolean> {
  const { settings, out, timeoutMs = TIMEOUT_MS } = ports;
  const config = await group.config();
  const count = config.liteServers.length;
  out.write(`Network ${settings.network}, lite servers of ${group.name}: ${count}\n`);
  if (count === 0) return false;
  const exams = await Promise.all(
    config.liteServers.map((address) => examineServer(address, { config, timeoutMs })),
  );
  const newest = Math.max(...exams.map(({ seqno = -1 }) => seqno));
  out.write(`\n${formatTable(exams.map((exam) => toCells(exam, newest)))}\n`);
  const usable = exams.filter((exam) => exam.fault === undefined && !isBehind(exam, newest));
  const cures = exams.flatMap((exam) => cureOf(exam, newest, settings.network) ?? []);
  if (!usable.some(isWhole))
    cures.push('No server has the whole chain: what is asked of old blocks may fail.');
  for (const cure of new Set(cures)) out.write(`- ${cure}\n`);
  out.write(`${usable.length} of ${count} can be used.\n`);
  return usable.length > 0;
}

function isWhole({ oldestSeqno }: ServerExam): boolean {
  return oldestSeqno !== undefined && oldestSeqno <= FIRST_BLOCKS;
}

function toCells(exam: ServerExam, newest: number): Record<string, string> {
  const { index, name, pingMs, clockSeconds, seqno, oldestSeqno, fault } = exam;
  return {
    NO: `${index}`,
    SERVER: name,
    PING: pingMs === undefined ? '' : `${pingMs} ms`,
    HEAD: `${seqno ?? ''}`,
    LAG: seqno === undefined ? '' : `${newest - seqno}`,
    OLDEST: isWhole(exam) ? 'all' : `${oldestSeqno ?? ''}`,
    CLOCK: clockSeconds === undefined ? '' : `${clockSeconds > 0 ? '+' : ''}${clockSeconds} s`,
    STATE: fault?.text ?? (isBehind(exam, newest) ? 'behind' : 'ok'),
  };
}
