import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyTrace } from '../../../src/indexer/actions/classify-trace.ts';
import { asRow } from './compare-actions.ts';
import { fixtureInput, readTraceFixture } from './read-fixture.ts';

/** What must hold of an action for it to be the one that is meant. */
interface Condition {
  readonly path: string;
  readonly op: '==' | '!=' | 'empty';
  readonly value?: unknown;
}

interface ExpectedAction {
  readonly type: string;
  readonly selector_parsed?: readonly Condition[];
  /** Values by their paths, which may have dots and `[n]` in them. */
  readonly values: Readonly<Record<string, unknown>>;
}

interface ExpectedCase {
  /** The trace, below the folder. */
  readonly file: string;
  readonly expected_actions: readonly ExpectedAction[];
}

/** What a comparison with the cases of a folder gave. */
export interface ExpectedReport {
  readonly cases: number;
  readonly values: number;
  readonly faults: readonly { readonly name: string; readonly text: string }[];
}

type Row = Readonly<Record<string, unknown>>;

/** Compares our classification with the cases of a folder that hold the text, as the reference's own tests do it. */
export function checkExpected(folder: string, only = ''): ExpectedReport {
  const faults: { name: string; text: string }[] = [];
  let cases = 0;
  let values = 0;
  const expected = join(folder, 'expected');
  for (const name of existsSync(expected) ? readdirSync(expected) : []) {
    const text = readFileSync(join(expected, name), 'utf8');
    if (!text.includes(only)) continue;
    cases++;
    const { file, expected_actions }: ExpectedCase = JSON.parse(text);
    const rows = classifyTrace(fixtureInput(readTraceFixture(join(folder, file)))).actions.map(asRow);
    for (const one of expected_actions) {
      values += Object.keys(one.values).length;
      for (const fault of faultsOf(one, rows)) faults.push({ name, text: fault });
    }
  }
  return { cases, values, faults };
}

function faultsOf({ type, selector_parsed, values }: ExpectedAction, rows: readonly Row[]): string[] {
  const ofType = rows.filter((row) => String(row.type).toLowerCase() === type.toLowerCase());
  const meant = selector_parsed ? ofType.filter((row) => isMeant(row, selector_parsed)).slice(0, 1) : ofType;
  const [row, ...more] = meant;
  if (!row || more.length > 0) return [`${meant.length} actions of type ${type} where one is expected`];
  return Object.entries(values)
    .filter(([path, value]) => !isEqual(valueAt(row, path), value))
    .map(([path, value]) => `${type} ${path} is ${tell(valueAt(row, path))}, should be ${tell(value)}`);
}

function isMeant(row: Row, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, op, value }) => {
    const is = valueAt(row, path);
    if (op === 'empty') return is === null || (Array.isArray(is) && is.length === 0);
    return isEqual(is, value) === (op === '==');
  });
}

/** The value at a path; null where there is none. */
function valueAt(row: Row, path: string): unknown {
  let value: unknown = row;
  for (const step of path.replaceAll('[', '.').replaceAll(']', '').split('.')) {
    value = (value as Row | null | undefined)?.[step];
  }
  return value ?? null;
}

/** Objects may have more than is expected, lists may have another order, and a number may be written as text. */
function isEqual(is: unknown, should: unknown): boolean {
  if (Array.isArray(should) && Array.isArray(is))
    return is.length === should.length && should.every((one) => is.some((other) => isEqual(other, one)));
  if (isObject(should) && isObject(is))
    return Object.entries(should).every(([name, one]) => isEqual(is[name], one));
  if (isObject(is) || isObject(should) || typeof is === 'boolean' || typeof should === 'boolean')
    return is === should;
  return String(is ?? null) === String(should ?? null);
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function tell(value: unknown): string {
  return JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? String(one) : one)).slice(0, 400);
}
