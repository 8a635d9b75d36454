import { Failure } from '../lib/errors.ts';

/** Names that client libraries know for the codes of `liteServer.error`. */
const NAME_OF_CODE: ReadonlyMap<number, string> = new Map([
  [601, 'FAILURE'],
  [602, 'ERROR'],
  [603, 'WARNING'],
  [621, 'PROTOVIOLATION'],
  [651, 'NOTREADY'],
  [652, 'TIMEOUT'],
  [653, 'CANCELLED'],
]);

/** The answer `liteServer.error`: the server's own code and text. */
export class LiteServerError extends Failure {
  readonly code: number;
  readonly text: string;

  constructor(code: number, text: string) {
    super('lite_server', `LITE_SERVER_${NAME_OF_CODE.get(code) ?? 'UNKNOWN'}: ${text}`);
    this.name = 'LiteServerError';
    this.code = code;
    this.text = text;
  }
}

/** A query that got no answer: the connection failed, or broke, or answered with something that is no answer. */
export class LiteNetworkError extends Failure {
  /** `detail` follows the prefix without a separator, as existing clients expect. */
  constructor(detail: string, cause?: unknown) {
    super('lite_server', `LITE_SERVER_NETWORK${detail}`, { cause });
    this.name = 'LiteNetworkError';
  }
}

/** A query that got no answer in time. */
export class LiteTimeout extends Failure {
  constructor() {
    super('timeout', 'LITE_SERVER_NETWORK timeout');
    this.name = 'LiteTimeout';
  }
}

/** An answer whose proof does not hold: the server lies, or is broken. */
export class ProofFailure extends Failure {
  /** `prefix` is one of the VALIDATE_… names; `detail` follows it without a separator. */
  constructor(prefix: `VALIDATE_${string}`, detail: string, cause?: unknown) {
    super('lite_server', `${prefix}${detail}`, { cause });
    this.name = 'ProofFailure';
  }
}

/**
 * An answer that does not fit a question for which only a caller vouches. Either may be at fault: another server is
 * asked, and no server is blamed.
 */
export class UnattributedProofFailure extends Failure {
  constructor(cause: ProofFailure) {
    super('lite_server', cause.message, { cause });
    this.name = 'DoubtfulAnswer';
  }
}

/** No server of the pool fits the query. */
export class NoLiteServer extends Failure {
  constructor(text: string) {
    super('no_lite_server', text);
    this.name = 'NoLiteServer';
  }
}

/** The time that one request may take in all is over. */
export class LiteBudgetExceeded extends Failure {
  constructor() {
    super('timeout', 'Liteserver timeout');
    this.name = 'LiteBudgetSpent';
  }
}

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
export function classifyFailure(error: unknown): FailureClass {
  if (error instanceof LiteServerError) return classOfRefusal(error);
  if (error instanceof LiteTimeout || error instanceof LiteNetworkError) return 'network';
  if (error instanceof UnattributedProofFailure) return 'network';
  return error instanceof ProofFailure ? 'proof' : 'final';
}

function classOfRefusal({ code, text }: LiteServerError): FailureClass {
  if (code === CODE_TIMEOUT) return 'network';
  const reason = text.replace(HINT, '');
  return TEXTS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'final';
}
