import { row } from '../support/report.ts';
import type { Outcomes } from './attack-process.ts';
import { OPERATIONS, type SeenByOperation } from './victim.ts';

/** The server and its victim at a time. */
export interface MixedSample {
  readonly second: number;
  readonly isAttacked: boolean;
  /** Since the sample before. */
  readonly seen: SeenByOperation;
  readonly residentBytes: number;
  readonly loopDelayP99Ms: number;
}

/** What attackers did that mixed all attacks. */
export interface MixedReport {
  readonly attackers: number;
  readonly samples: readonly MixedSample[];
  readonly outcomes: Outcomes;
}

/** Of the memory of the second quarter; garbage collection makes single samples differ by more. */
const MAX_GROWTH = 0.1;

/** One line per goal that was missed. */
export function missedByMix(mixed: MixedReport | undefined): string[] {
  if (mixed === undefined) return [];
  const failures = mixed.samples.flatMap(({ second, seen }) =>
    OPERATIONS.flatMap((operation) => {
      const { failures: count, failure } = seen[operation];
      return count === 0 ? [] : [`mixed, second ${second}: ${count} failures of ${operation}: ${failure}`];
    }),
  );
  const { second, fourth } = memoryOf(mixed);
  const growth = fourth / second - 1;
  return [
    ...failures,
    ...(growth > MAX_GROWTH ? [`mixed: memory grew by ${(growth * 100).toFixed(1)} % after the start`] : []),
  ];
}

/** The most memory in the second and in the last quarter of the attack, in megabytes. */
function memoryOf({ samples }: MixedReport): { second: number; fourth: number } {
  const memory = samples.filter(({ isAttacked }) => isAttacked).map(({ residentBytes }) => residentBytes);
  const quarter = Math.max(1, Math.floor(memory.length / 4));
  return {
    second: megabytes(Math.max(...memory.slice(quarter, 2 * quarter))),
    fourth: megabytes(Math.max(...memory.slice(-quarter))),
  };
}

export function mixedLines(mixed: MixedReport): string[] {
  const { attackers, samples, outcomes } = mixed;
  const { second, fourth } = memoryOf(mixed);
  const failures = samples.flatMap(({ seen }) => OPERATIONS.map((operation) => seen[operation].failures));
  const requests = samples.flatMap(({ seen }) => OPERATIONS.map((operation) => seen[operation].requests));
  return [
    '## All attacks mixed',
    '',
    `${attackers} callers without a key, each with two attacks at a time that change every 15 s, through all that need no`,
    'key of their own. The first and the last row are without them.',
    '',
    `- ${sumOf(requests)} calls of the client with a key, ${sumOf(failures)} failed`,
    `- most memory in the second and in the last quarter: ${second} and ${fourth} MB`,
    `- answers to attackers: ${outcomesText(outcomes)}`,
    '',
    row([
      'second',
      ...OPERATIONS.map((operation) => `p99 ms: ${operation}`),
      'failures',
      'loop delay p99 ms',
      'memory MB',
    ]),
    row(['--:', ...OPERATIONS.map(() => '--:'), '--:', '--:', '--:']),
    ...samples.map(({ second, seen, residentBytes, loopDelayP99Ms }) =>
      row([
        second,
        ...OPERATIONS.map((operation) => seen[operation].p99Ms.toFixed(1)),
        sumOf(OPERATIONS.map((operation) => seen[operation].failures)),
        loopDelayP99Ms.toFixed(1),
        megabytes(residentBytes),
      ]),
    ),
    '',
  ];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

export function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

export function outcomesText(outcomes: Outcomes): string {
  return Object.entries(outcomes)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ');
}
