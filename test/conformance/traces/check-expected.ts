import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyTrace } from '../../../src/actions/classify-trace.ts';
import { asRow, ofReference } from './compare-actions.ts';
import { fixtureInput, readTraceFixture } from './read-fixture.ts';

/** A condition that selects an action. */
interface Condition {
  readonly path: string;
  readonly op: '==' | '!=' | 'empty';
  readonly value?: unknown;
}

interface ExpectedAction {
  readonly type: string;
  readonly selector_parsed?: readonly Condition[];
  /** Values by path; paths may contain dots and `[n]`. */
  readonly values: Readonly<Record<string, unknown>>;
}

interface ExpectedCase {
  /** The trace, relative to its folder. */
  readonly file: string;
  readonly expected_actions: readonly ExpectedAction[];
}

/** Result of a comparison with the cases of folders. */
export interface ExpectedReport {
  readonly cases: number;
  readonly values: number;
  readonly faults: readonly { readonly name: string; readonly text: string }[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Compares our classification with the cases of folders that contain the text, like the tests of the reference. A case
 * replaces one with the same name in an earlier folder.
 */
export function checkExpected(folders: readonly string[], only = ''): ExpectedReport {
  const faults: { name: string; text: string }[] = [];
  let cases = 0;
  let values = 0;
  for (const [name, path] of caseFiles(folders)) {
    const text = readFileSync(path, 'utf8');
    if (!text.includes(only)) continue;
    cases++;
    const { file, expected_actions }: ExpectedCase = JSON.parse(text);
    const trace = folders.map((folder) => join(folder, file)).find((one) => existsSync(one))!;
    const rows = ofReference(classifyTrace(fixtureInput(readTraceFixture(trace))).actions).map(asRow);
    for (const one of expected_actions) {
      values += Object.keys(one.values).length;
      for (const fault of differencesOf(one, rows)) faults.push({ name, text: fault });
    }
  }
  return { cases, values, faults };
}

/** The paths of cases by name. */
function caseFiles(folders: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    folders.flatMap((folder) => {
      const expected = join(folder, 'expected');
      const names = existsSync(expected) ? readdirSync(expected) : [];
      return names.map((name) => [name, join(expected, name)] as const);
    }),
  );
}

function differencesOf({ type, selector_parsed, values }: ExpectedAction, rows: readonly Row[]): string[] {
  const ofType = rows.filter((row) => String(row.type).toLowerCase() === type.toLowerCase());
  const selected = selector_parsed
    ? ofType.filter((row) => isSelected(row, selector_parsed)).slice(0, 1)
    : ofType;
  const [row, ...more] = selected;
  if (!row || more.length > 0) return [`${selected.length} actions of type ${type} where one is expected`];
  return Object.entries(values)
    .filter(([path, value]) => !isEqual(valueAt(row, path), value))
    .map(([path, value]) => `${type} ${path} is ${toText(valueAt(row, path))}, should be ${toText(value)}`);
}

function isSelected(row: Row, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, op, value }) => {
    const actual = valueAt(row, path);
    if (op === 'empty') return actual === null || (Array.isArray(actual) && actual.length === 0);
    return isEqual(actual, value) === (op === '==');
  });
}

/** The value at a path; null if it is missing. */
function valueAt(row: Row, path: string): unknown {
  let value: unknown = row;
  for (const step of path.replaceAll('[', '.').replaceAll(']', '').split('.')) {
    value = (value as Row | null | undefined)?.[step];
  }
  return value ?? null;
}

/** Objects may have additional fields, lists may be in another order, and a number may be a string. */
function isEqual(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected) && Array.isArray(actual))
    return (
      actual.length === expected.length &&
      expected.every((one) => actual.some((other) => isEqual(other, one)))
    );
  if (isObject(expected) && isObject(actual))
    return Object.entries(expected).every(([name, one]) => isEqual(actual[name], one));
  if (isObject(actual) || isObject(expected) || typeof actual === 'boolean' || typeof expected === 'boolean')
    return actual === expected;
  return String(actual ?? null) === String(expected ?? null);
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? String(one) : one)).slice(0, 400);
}
