import { methodIdOfName } from '../stack/method-id.ts';
import { interfaceOfCode } from './interface-codes.ts';
import { INTERFACE_METHODS } from './interface-methods.ts';

interface Candidate {
  readonly name: string;
  readonly methods: readonly number[];
}

/** The kinds by that method of each which the fewest others have, so that few are looked at for a contract. */
const CANDIDATES = byRarestMethod(
  Object.entries(INTERFACE_METHODS).map(([name, methods]) => ({
    name,
    methods: methods.map(methodIdOfName),
  })),
);

/**
 * What kinds of contract an account is, by its code: the one that has this very code, else all whose get-methods it
 * has. As clients know it, there are two ways to say none: null for an account without code, and for one whose methods
 * belong to no kind; an empty list when the methods are not known.
 */
export function interfaceNames(
  codeHash: Buffer | undefined,
  methods: readonly number[] | undefined,
): string[] | null {
  const known = codeHash && interfaceOfCode(codeHash);
  if (known !== undefined) return [known];
  if (codeHash === undefined && methods === undefined) return null;
  if (methods === undefined || methods.length === 0) return [];
  const present = new Set(methods);
  const names: string[] = [];
  for (const method of present) {
    for (const candidate of CANDIDATES.get(method) ?? []) {
      if (candidate.methods.every((needed) => present.has(needed))) names.push(candidate.name);
    }
  }
  return names.length === 0 ? null : names.sort();
}

function byRarestMethod(candidates: readonly Candidate[]): ReadonlyMap<number, readonly Candidate[]> {
  const uses = new Map<number, number>();
  for (const method of candidates.flatMap(({ methods }) => methods))
    uses.set(method, (uses.get(method) ?? 0) + 1);
  const found = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const [rarest] = candidate.methods.toSorted((a, b) => uses.get(a)! - uses.get(b)!);
    if (rarest !== undefined) found.set(rarest, [...(found.get(rarest) ?? []), candidate]);
  }
  return found;
}
