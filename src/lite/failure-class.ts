import { DoubtfulAnswer, LiteNetworkError, LiteServerError, LiteTimeout, ProofFailure } from './errors.ts';

/**
 * What a failed query means for the choice of the next server: `network`, another one may answer; `missing`, one
 * with a deeper archive may have it; `proof`, this one is not to be believed; `final`, every one would say the same.
 */
export type FailureClass = 'network' | 'missing' | 'proof' | 'final';

/** Code that a server uses when it was too slow itself. */
const CODE_TIMEOUT = 652;

/** What nodes add in brackets to an answer about blocks: how far they are. */
const HINT = / \((?:last known masterchain block|possibly out of sync): [^()]*\)$/;

/** The first row whose pattern fits decides. The patterns look at the end, where nodes put the reason. */
const TEXTS: readonly (readonly [RegExp, FailureClass])[] = [
  // What a contract or a validator says about a message is the same everywhere, whatever words it holds.
  [/^cannot apply external message to current state/, 'final'],
  [/^timeout$/, 'network'],
  [/^node not synced$/, 'network'],
  [/(?:^|[ :])not in db$/, 'missing'],
  [/(?:^|[ :])block not found$/, 'missing'],
  [/ is not applied$/, 'missing'],
  [/(?:^|[ :])state already gc'd$/, 'missing'],
];

/** Tells what to do after a query failed. */
export function failureClassOf(error: unknown): FailureClass {
  if (error instanceof LiteServerError) return classOfRefusal(error);
  if (error instanceof LiteTimeout || error instanceof LiteNetworkError) return 'network';
  if (error instanceof DoubtfulAnswer) return 'network';
  return error instanceof ProofFailure ? 'proof' : 'final';
}

function classOfRefusal({ code, text }: LiteServerError): FailureClass {
  if (code === CODE_TIMEOUT) return 'network';
  const reason = text.replace(HINT, '');
  return TEXTS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'final';
}
