import type { V2TestApp } from '../../v2/support/v2-app.ts';
import { type Case, isNotOffered, type NotOffered, type Outcome } from './case.ts';
import { httpCases, outcomeOf } from './http-cases.ts';
import { type Difference, outcomeDifferences } from './outcome-differences.ts';
import { type HttpFile, recordedFiles, type TonlibFile } from './recorded-files.ts';
import type { Recorded, Rule } from './rule.ts';
import { rules } from './rules/rules-list.ts';
import { tonlibCases } from './tonlib-cases.ts';

export type Verdict = 'equal' | 'wanted' | 'time' | 'wrong';

/** How one question came out. */
export interface Compared {
  readonly asked: Case;
  readonly verdict: Verdict;
  /** Rules that explain the answer. */
  readonly rules: readonly Rule[];
  readonly differences: readonly Difference[];
}

/** How all questions came out. */
export interface Comparison {
  readonly compared: readonly Compared[];
  readonly notOffered: readonly NotOffered[];
}

const CONCURRENCY = 4;
/** A lite server takes a message once: what sends the same one waits for its turn. */
const SENDS = /^send/;

/** Asks v2 all recorded questions whose operation or name has the given text in it. */
export async function runComparison(ground: V2TestApp, only = ''): Promise<Comparison> {
  const recorded = readRecorded();
  const cases = [...tonlibCases(recorded.tonlib), ...httpCases(recorded.http)];
  const isAsked = (text: string): boolean => text.toLowerCase().includes(only.toLowerCase());
  const notOffered = cases.filter(isNotOffered).filter(({ name }) => isAsked(name));
  const asked = cases
    .filter((one): one is Case => !isNotOffered(one))
    .filter(({ name, operation }) => isAsked(name) || isAsked(operation));
  const compared: Compared[] = [];
  const [sends, questions] = [true, false].map((isSend) =>
    [...asked.entries()].filter(([, { operation }]) => SENDS.test(operation) === isSend).values(),
  );
  const work = async (waiting: Iterable<[number, Case]>): Promise<void> => {
    for (const [i, one] of waiting) compared[i] = await compareOne(ground, one, recorded);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, () => work(questions!)));
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
    if (found === undefined) throw new Error(`nothing recorded under ${name}`);
    return found;
  };
  return { http, tonlib, want };
}

async function compareOne(ground: V2TestApp, asked: Case, recorded: Recorded): Promise<Compared> {
  const response = await ground.app.inject(asked.request);
  const outcome = outcomeOf(response.statusCode, response.json());
  const got =
    asked.view !== undefined && outcome.result !== undefined
      ? { ...outcome, result: asked.view(outcome.result) }
      : outcome;
  return { asked, ...judge(asked, got, recorded) };
}

/** The recorded answer counts first; then the one that the rules make of it. */
function judge(asked: Case, got: Outcome, recorded: Recorded): Omit<Compared, 'asked'> {
  if (outcomeDifferences(asked.want, got).length === 0)
    return { verdict: 'equal', rules: [], differences: [] };
  const used: Rule[] = [];
  let want = asked.want;
  for (const rule of rules) {
    const changed = rule.change(want, asked, recorded);
    if (changed === undefined || outcomeDifferences(changed, want).length === 0) continue;
    used.push(rule);
    want = changed;
  }
  const differences = outcomeDifferences(want, got);
  if (differences.length > 0) return { verdict: 'wrong', rules: used, differences };
  return { verdict: used.some(({ kind }) => kind === 'time') ? 'time' : 'wanted', rules: used, differences };
}
