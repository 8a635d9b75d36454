import { median } from '../support/measure.ts';
import { goalLines, type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Outcomes } from './requests.ts';

/** The state of the server at a time. */
export interface Sample {
  readonly minute: number;
  readonly residentMb: number;
  readonly loopDelayP99Ms: number;
  /** Requests answered so far. */
  readonly answered: number;
  /** Since the sample before. */
  readonly outcomes: Outcomes;
  /** What was done to it then. */
  readonly fault: string | undefined;
}

export interface Report extends RunInfo {
  readonly minutes: number;
  readonly clients: number;
  readonly requests: number;
  readonly samples: readonly Sample[];
  /** The last line of `verify`. */
  readonly verify: string;
  readonly verified: boolean;
}

/** Of the memory of the third quarter; garbage collection makes single samples differ by more. */
const MAX_GROWTH = 0.05;

/** One line per goal that was missed. */
export function missedGoals(report: Report): string[] {
  const { third, fourth } = memoryOf(report);
  const growth = fourth / third - 1;
  return [
    ...(growth > MAX_GROWTH ? [`memory grew by ${(growth * 100).toFixed(1)} % in the last half`] : []),
    ...(report.verified ? [] : [`verify: ${report.verify}`]),
  ];
}

/** Medians of resident memory in the last two quarters. */
function memoryOf({ samples }: Report): { third: number; fourth: number } {
  const memory = samples.map(({ residentMb }) => residentMb);
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  return { third: median(memory.slice(-2 * quarter, -quarter)), fourth: median(memory.slice(-quarter)) };
}

const ROWS = 24;

export function toMarkdown(report: Report): string {
  const { samples, minutes, clients, requests } = report;
  const { third, fourth } = memoryOf(report);
  const every = Math.max(1, Math.floor(samples.length / ROWS));
  const groups = Array.from({ length: Math.ceil(samples.length / every) }, (_, at) =>
    samples.slice(at * every, (at + 1) * every),
  );
  return [
    '# Soak',
    '',
    'Written by `npm run soak`. Clients send mixed requests of v2 and v3, valid ones and others, each the next one when the',
    'last was answered; some leave before the answer. The local chain with the demo runs in a process of its own and gets a',
    'message a second. PostgreSQL and the lite server are killed, stopped and restarted in turn. Afterwards the index is',
    'compared with the chain by `verify`.',
    '',
    ...runInfoLines(report),
    `- ${minutes} minutes, ${clients} clients, ${requests} requests answered (${Math.round(requests / minutes / 60)} per second)`,
    `- memory, median of the third and of the last quarter: ${third} and ${fourth} MB (${((fourth / third - 1) * 100).toFixed(1)} %)`,
    `- \`verify\`: ${report.verify}`,
    '',
    row(['minute', 'memory MB', 'loop delay p99 ms', 'answers by status', 'fault']),
    row(['--:', '--:', '--:', '---', '---']),
    ...groups.map((group) =>
      row([
        group.at(-1)!.minute,
        median(group.map(({ residentMb }) => residentMb)),
        Math.max(...group.map(({ loopDelayP99Ms }) => loopDelayP99Ms)),
        outcomesText(group.map(({ outcomes }) => outcomes)),
        group.flatMap(({ fault }) => fault ?? []).join(', '),
      ]),
    ),
    '',
    '`left` are requests whose client left before the answer; 409 and 422 answer requests that are wrong. Answers from 500 on',
    'belong to the faults.',
    '',
    ...goalLines(missedGoals(report)),
    '',
  ].join('\n');
}

function outcomesText(all: readonly Outcomes[]): string {
  const sum: Outcomes = {};
  for (const outcomes of all)
    for (const [outcome, count] of Object.entries(outcomes)) sum[outcome] = (sum[outcome] ?? 0) + count;
  return Object.entries(sum)
    .toSorted()
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ');
}
