import { differences } from '../../localnet/lite-server/support/answers.ts';
import type { V2TestApp } from '../../v2/support/v2-app.ts';
import { type Case, isNotOffered, type NotOffered, type Outcome, type Recorded, type Rule } from './case.ts';
import { httpCases, outcomeOf } from './http-cases.ts';
import { type HttpFile, type Json, recordedFiles, type TonlibFile } from './recorded-files.ts';
import { acceptedRules } from './rules/accepted-rules.ts';
import { errorRules } from './rules/error-rules.ts';
import { shapeRules } from './rules/shape-rules.ts';
import { timeRules } from './rules/time-rules.ts';
import { tonlibCases } from './tonlib-cases.ts';

export type Verdict = 'equal' | 'intended' | 'time' | 'wrong';

/** The result of one case. */
export interface Compared {
  readonly testCase: Case;
  readonly verdict: Verdict;
  /** The rules that were applied. */
  readonly rules: readonly Rule[];
  readonly differences: readonly Difference[];
}

/** The results of all cases. */
export interface Comparison {
  readonly compared: readonly Compared[];
  readonly notOffered: readonly NotOffered[];
}

const CONCURRENCY = 4;
/** Sent one at a time: a lite server accepts the same message only once. */
const SENDS = /^send/;

/** Repeats all recorded requests whose operation or name contains `only`. */
export async function runComparison(
  app: V2TestApp,
  only = '',
  choose: (cases: readonly Case[]) => readonly Case[] = (cases) => cases,
): Promise<Comparison> {
  const recorded = readRecorded();
  const cases = [...tonlibCases(recorded.tonlib), ...httpCases(recorded.http)];
  const isSelected = (text: string): boolean => text.toLowerCase().includes(only.toLowerCase());
  const notOffered = cases.filter(isNotOffered).filter(({ name }) => isSelected(name));
  const testCase = choose(
    cases
      .filter((one): one is Case => !isNotOffered(one))
      .filter(({ name, operation }) => isSelected(name) || isSelected(operation)),
  );
  const compared: Compared[] = [];
  const [sends, others] = [true, false].map((isSend) =>
    [...testCase.entries()].filter(([, { operation }]) => SENDS.test(operation) === isSend).values(),
  );
  const work = async (waiting: Iterable<[number, Case]>): Promise<void> => {
    for (const [i, one] of waiting) compared[i] = await compareOne(app, one, recorded);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, () => work(others!)));
  await work(sends!);
  return { compared, notOffered };
}

function readRecorded(): Recorded {
  const http = recordedFiles<HttpFile>('http');
  const tonlib = recordedFiles<TonlibFile>('tonlib');
  let known: ReadonlyMap<string, Outcome> | undefined;
  const want = (name: string): Outcome => {
    known ??= new Map(
      [...httpCases(http), ...tonlibCases(tonlib).filter((one): one is Case => !isNotOffered(one))].map(
        (one) => [one.name.startsWith('tonlib/') ? `${one.name}#${one.operation}` : one.name, one.want],
      ),
    );
    const found = known.get(name);
    if (found === undefined) throw new Error(`Nothing recorded as ${name}`);
    return found;
  };
  return { http, tonlib, want };
}

async function compareOne(app: V2TestApp, testCase: Case, recorded: Recorded): Promise<Compared> {
  const response = await app.app.inject(testCase.request);
  const outcome = outcomeOf(response.statusCode, response.json());
  const got =
    testCase.view !== undefined && outcome.result !== undefined
      ? { ...outcome, result: testCase.view(outcome.result) }
      : outcome;
  return { testCase, ...verdictOf(testCase, got, recorded) };
}

/** Compares with the recorded outcome first, then with the outcome after the rules. */
function verdictOf(testCase: Case, got: Outcome, recorded: Recorded): Omit<Compared, 'testCase'> {
  if (outcomeDifferences(testCase.want, got).length === 0)
    return { verdict: 'equal', rules: [], differences: [] };
  const used: Rule[] = [];
  let want = testCase.want;
  for (const rule of rules) {
    const changed = rule.change(want, testCase, recorded);
    if (changed === undefined || outcomeDifferences(changed, want).length === 0) continue;
    used.push(rule);
    want = changed;
  }
  const differences = outcomeDifferences(want, got);
  if (differences.length > 0) return { verdict: 'wrong', rules: used, differences };
  return {
    verdict: used.some(({ kind }) => kind === 'time') ? 'time' : 'intended',
    rules: used,
    differences,
  };
}

/** A member whose value differs from the expected one. */
interface Difference {
  readonly path: string;
  readonly want: Json;
  readonly got: Json;
}

/** Members with Merkle proofs: ours may differ in bytes, but must include every cell of the recorded proof. */
const PROOFS = /\.(?:proof|dest_proof|state_proof)$/;

/** All differences between two outcomes. */
function outcomeDifferences(want: Outcome, got: Outcome): Difference[] {
  return compare(want, got, '');
}

function compare(want: Json, got: Json, path: string): Difference[] {
  if (Array.isArray(want) && Array.isArray(got)) {
    if (want.length !== got.length)
      return [
        { path: `${path}.length`, want: want.length, got: got.length },
        ...compareItems(want, got, path),
      ];
    return compareItems(want, got, path);
  }
  if (isObject(want) && isObject(got)) {
    const keys = new Set([...Object.keys(want), ...Object.keys(got)]);
    return [...keys].flatMap((key) => compare(want[key], got[key], `${path}.${key}`));
  }
  if (want === got) return [];
  if (PROOFS.test(path) && typeof want === 'string' && typeof got === 'string') {
    const [ours, theirs] = [Buffer.from(got, 'base64'), Buffer.from(want, 'base64')];
    if (differences(ours, theirs).length === 0) return [];
  }
  return [{ path, want, got }];
}

function compareItems(want: readonly Json[], got: readonly Json[], path: string): Difference[] {
  return want.slice(0, got.length).flatMap((item, i) => compare(item, got[i], `${path}[${i}]`));
}

function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Differences as text, with long values shortened. */
export function describeDifferences(found: readonly Difference[], maxLines: number): string[] {
  const lines = found
    .slice(0, maxLines)
    .map(({ path, want, got }) => `${path || '(whole)'}: expected ${short(want)}, got ${short(got)}`);
  return found.length > maxLines ? [...lines, `… and ${found.length - maxLines} more`] : lines;
}

const MAX_SHOWN = 220;

function short(value: Json): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}

/** All rules in the order of application: accepted rules copy recorded results, which the others then change. */
export const rules: readonly Rule[] = [...acceptedRules, ...timeRules, ...errorRules, ...shapeRules];
