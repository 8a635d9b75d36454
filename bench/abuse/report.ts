import { goalLines, type RunInfo, row, runInfoLines } from '../support/report.ts';
import type { Outcomes } from './attack-process.ts';
import { type MixedReport, megabytes, missedByMix, mixedLines, outcomesText } from './mixed-report.ts';
import { OPERATIONS, type Seen, type SeenByOperation } from './victim.ts';
import type { SeenEvents } from './webhook-victim.ts';

/** What the victim noticed in a time, and the state of the server. */
export interface Phase {
  readonly seen: SeenByOperation;
  /** Of the webhook of the victim, if it has one. */
  readonly events: SeenEvents | undefined;
  readonly residentBytes: number;
  readonly loopDelayP99Ms: number;
  /** How many processors the server took. */
  readonly processors: number;
  /** The same of PostgreSQL; rows of earlier days do not have it. */
  readonly ofDatabase?: number;
  /** The share of all processors that other guests of the host took; rows of earlier days do not have it. */
  readonly stolen?: number;
}

/** An attack with a number of attackers. */
interface Round {
  readonly attackers: number;
  readonly during: Phase;
  /** How many processors the attackers took, which the server had less. */
  readonly processors: number;
  readonly after: Phase;
  readonly outcomes: Outcomes;
}

export interface AttackResult {
  readonly name: string;
  readonly what: string;
  /** Whether it is no attack, so that no goal is missed by it. */
  readonly isBaseline: boolean;
  readonly before: Phase;
  readonly rounds: readonly Round[];
}

export interface Report extends RunInfo {
  readonly seconds: number;
  readonly transactions: number;
  readonly results: readonly AttackResult[];
  /** What three attackers did that mixed all attacks. */
  readonly mixed: MixedReport | undefined;
}

const MAX_RATIO = 3;
/** The goals are those with at most this many attackers; more are only reported. */
const GOAL_ATTACKERS = 3;
const MAX_GROWTH_MB = 300;

/** Above this share of the processors, what other guests of the host take would be measured instead of an attack. */
export const MAX_STOLEN = 0.02;
/** How often a phase is measured at most because of it. */
export const MAX_TRIES = 8;

/** One line per goal that was missed. */
export function missedGoals({ results }: Report): string[] {
  return results.flatMap(({ name, isBaseline, before, rounds }) =>
    rounds
      .filter(({ attackers }) => attackers <= GOAL_ATTACKERS && !isBaseline)
      .flatMap(({ attackers, during, after }) => {
        const missed: string[] = [];
        const attack = `${name}, ${attackers}`;
        for (const operation of OPERATIONS) {
          const ratio = during.seen[operation].p99Ms / before.seen[operation].p99Ms;
          if (ratio > MAX_RATIO)
            missed.push(
              `${attack}: p99 of ${operation} is ${ratio.toFixed(1)} times as long, the goal is ${MAX_RATIO}`,
            );
          const { failures, failure } = during.seen[operation];
          if (failures > 0) missed.push(`${attack}: ${failures} failures of ${operation}: ${failure}`);
        }
        const [eventsBefore, eventsDuring] = [before.events, during.events];
        if (eventsBefore !== undefined && eventsDuring !== undefined) {
          const ratio = eventsDuring.p99Ms / eventsBefore.p99Ms;
          if (ratio > MAX_RATIO)
            missed.push(
              `${attack}: p99 of events is ${ratio.toFixed(1)} times as long, the goal is ${MAX_RATIO}`,
            );
          if (eventsDuring.missing > 0)
            missed.push(`${attack}: ${eventsDuring.missing} of ${eventsDuring.events} events did not come`);
        }
        const growth = megabytes(Math.max(during.residentBytes, after.residentBytes) - before.residentBytes);
        if (growth > MAX_GROWTH_MB)
          missed.push(`${attack}: memory grew by ${growth} MB, the goal is ${MAX_GROWTH_MB} MB`);
        return missed;
      }),
  );
}

export function toMarkdown(report: Report): string {
  return [
    '# Abuse benchmark',
    '',
    'Written by `npm run bench:abuse`. A client with an API key asks `getMasterchainInfo`, `runGetMethod` (a run that is not',
    'cached) and `v3/transactions` at a steady pace while 1, 3 or 10 attackers without a key, each with an address of its own,',
    'attack the server. The server runs like `npm run serve` with a limit of 4096 open files; the local chain, the attackers',
    'and the client are processes of their own on the same machine.',
    '',
    ...runInfoLines(report),
    `- ${report.seconds} s per phase, an index of ${report.transactions} transactions`,
    `- goal with up to ${GOAL_ATTACKERS} attackers: p99 at most ${MAX_RATIO} times that before, no failure, memory within ${MAX_GROWTH_MB} MB`,
    '',
    ...tableOf(report.results),
    '',
    '"ratio" is the largest of the three, relative to the row without attackers. "after" is measured when the attack is over.',
    '"processors" is how many of them the server, PostgreSQL and the attackers took: what the attackers take themselves, on',
    'the same machine, the server and its database do not have. "stolen" is what other guests of the host took of all processors:',
    `above ${MAX_STOLEN * 100} % a phase is measured again, at most ${MAX_TRIES} times in all, and the one with the least counts.`,
    '',
    `p99 of ${report.seconds} s is the third or fourth slowest of some hundred calls. Without attackers it differs from attack to attack by chance, and`,
    `ratios with it: ${quietRanges(report.results)}.`,
    '',
    ...report.results.map(({ name, what }) => `- **${name}**: ${what}, each attacker.`),
    '',
    ...(report.mixed === undefined ? [] : mixedLines(report.mixed)),
    ...goalLines([...missedGoals(report), ...missedByMix(report.mixed)]),
    '',
  ].join('\n');
}

/** The smallest and the largest p99 without attackers. */
function quietRanges(results: readonly AttackResult[]): string {
  const ranges = OPERATIONS.map((operation) => {
    const all = results.map(({ before }) => before.seen[operation].p99Ms);
    return `${operation} ${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)} ms`;
  });
  return ranges.join(', ');
}

/** The lines of the table of some attacks. */
export function tableOf(results: readonly AttackResult[]): string[] {
  return [
    row([
      'attack',
      'attackers',
      ...OPERATIONS.map((operation) => `p99 ms: ${operation}`),
      'ratio',
      'failures',
      'events ms: p50, p99',
      'loop delay p99 ms',
      'processors: server, database, attackers',
      'stolen %',
      'memory MB',
      'answers to attackers',
    ]),
    row(['---', '--:', ...OPERATIONS.map(() => '--:'), ...Array<string>(7).fill('--:'), '---']),
    ...results.flatMap(rowsOf),
  ];
}

function rowsOf({ name, before, rounds }: AttackResult): string[] {
  return [
    row([name, 'none', ...phaseCells(before, before), '']),
    ...rounds.flatMap(({ attackers, during, processors, after, outcomes }) => [
      row(['', attackers, ...phaseCells(during, before, processors), outcomesText(outcomes)]),
      row(['', 'after', ...phaseCells(after, before), '']),
    ]),
  ];
}

function phaseCells(phase: Phase, before: Phase, attackers?: number): string[] {
  const { seen, events, residentBytes, loopDelayP99Ms, processors, ofDatabase, stolen } = phase;
  const shares = [processors, ofDatabase, attackers].map((share) => share?.toFixed(2) ?? '–');
  const all: readonly Seen[] = OPERATIONS.map((operation) => seen[operation]);
  const ratios = OPERATIONS.map((operation) => seen[operation].p99Ms / before.seen[operation].p99Ms);
  return [
    ...all.map(({ p99Ms }) => p99Ms.toFixed(1)),
    Math.max(...ratios).toFixed(1),
    String(all.reduce((sum, { failures }) => sum + failures, 0)),
    events === undefined ? '' : eventsText(events),
    loopDelayP99Ms.toFixed(1),
    shares.join(', '),
    stolen === undefined ? '' : (stolen * 100).toFixed(1),
    String(megabytes(residentBytes)),
  ];
}

function eventsText({ events, missing, p50Ms, p99Ms }: SeenEvents): string {
  const text = `${p50Ms.toFixed(0)}, ${p99Ms.toFixed(0)}`;
  return missing === 0 ? text : `${text} (${missing} of ${events} missing)`;
}
