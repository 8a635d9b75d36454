import { differences } from '../../localnet/lite-server/support/answers.ts';
import type { Outcome } from './case.ts';
import type { Json } from './recorded-files.ts';

/** One place where an answer is not the wanted one. */
export interface Difference {
  readonly path: string;
  readonly want: Json;
  readonly got: Json;
}

/** Members that hold Merkle proofs: not the bytes count, but that ours shows all that the other shows. */
const PROOFS = /\.(?:proof|dest_proof|state_proof)$/;

/** Everything in which an answer differs from the wanted one. */
export function outcomeDifferences(want: Outcome, got: Outcome): Difference[] {
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

/** Differences as lines for people, values shortened. */
export function describeDifferences(found: readonly Difference[], most: number): string[] {
  const lines = found
    .slice(0, most)
    .map(({ path, want, got }) => `${path || '(whole)'}: wanted ${short(want)}, got ${short(got)}`);
  return found.length > most ? [...lines, `… and ${found.length - most} more`] : lines;
}

const MAX_SHOWN = 220;

function short(value: Json): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}
