import { closestName } from '../lib/closest-name.ts';
import { Failure, type FailureKind } from '../lib/errors.ts';
import { quoted } from '../lib/wrong-value.ts';

/** The header that lists names which an operation does not know. */
export const UNKNOWN_PARAMS = 'x-tongate-unknown-params';

/** The error for a name that does not exist, with the one that was probably meant; `text` says what it is a name of. */
export function unknownName(
  parameter: string,
  text: string,
  name: string,
  known: Iterable<string>,
  kind: FailureKind = 'invalid',
): Failure {
  const meant = closestName(name, known);
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return new Failure(kind, `${text} ${quoted(name)}${hint}`, { details: { parameter } });
}

/** The names that are not known; undefined if all are, which costs no allocation. */
export function unknownNames(names: Iterable<string>, known: ReadonlySet<string>): string[] | undefined {
  let unknown: string[] | undefined;
  for (const name of names) {
    if (known.has(name)) continue;
    if (unknown === undefined) unknown = [name];
    else unknown.push(name);
  }
  return unknown;
}

const MAX_LISTED = 10;
const MAX_NAME_CHARS = 64;

/** Unknown names as the value of the header. */
export function listUnknownNames(names: readonly string[]): string {
  const shown = names
    .slice(0, MAX_LISTED)
    .map((name) => encodeURIComponent(name.toWellFormed()).slice(0, MAX_NAME_CHARS));
  return names.length > MAX_LISTED ? `${shown.join(', ')}, ...` : shown.join(', ');
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Reads a switch of a request, such as `X-Strict-Params`; undefined for any other word. */
export function parseSwitch(text: string): boolean | undefined {
  if (TRUE_WORDS.has(text)) return true;
  return FALSE_WORDS.has(text) ? false : undefined;
}
