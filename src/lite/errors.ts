import { LITE_ERROR_CODES } from '../chain/tl/lite-envelope.ts';
import { Failure } from '../lib/errors.ts';
import { LiteNetworkError, ProofFailure } from './methods/proofs.ts';

/** Names of the codes of `liteServer.error` that client libraries know. */
const NAME_OF_CODE: ReadonlyMap<number, string> = new Map([
  [LITE_ERROR_CODES.failure, 'FAILURE'],
  [LITE_ERROR_CODES.error, 'ERROR'],
  [LITE_ERROR_CODES.warning, 'WARNING'],
  [LITE_ERROR_CODES.protocolViolation, 'PROTOVIOLATION'],
  [LITE_ERROR_CODES.notReady, 'NOTREADY'],
  [LITE_ERROR_CODES.timeout, 'TIMEOUT'],
  [LITE_ERROR_CODES.cancelled, 'CANCELLED'],
]);

/** The response `liteServer.error` with the server's own code and text. */
export class LiteServerError extends Failure {
  readonly code: number;
  readonly text: string;

  constructor(code: number, text: string) {
    super('lite_server', `LITE_SERVER_${NAME_OF_CODE.get(code) ?? 'UNKNOWN'}: ${text}`);
    this.code = code;
    this.text = text;
  }
}

export class LiteTimeout extends Failure {
  constructor() {
    super('timeout', 'LITE_SERVER_NETWORK timeout');
  }
}

/**
 * A response that does not match a query that relies on data of our caller, such as a block id. Either may be wrong:
 * another server is tried, and no server is distrusted.
 */
export class UnattributedProofFailure extends Failure {
  constructor(cause: ProofFailure) {
    super('lite_server', cause.message, { cause });
  }
}

/** No server of the pool suits the query. */
export class NoLiteServer extends Failure {
  constructor(text: string) {
    super('no_lite_server', text);
  }
}

/** The time that all queries of one request may take together is over. */
export class LiteBudgetExceeded extends Failure {
  constructor() {
    super('timeout', 'Liteserver timeout');
  }
}

/**
 * The meaning of a failed query for the choice of the next server: `network`, another one may respond; `missing`, an archive
 * server may have it; `proof`, this one is to be distrusted; `final`, every server would say the same.
 */
export type FailureClass = 'network' | 'missing' | 'proof' | 'final';

/** Nodes add in brackets to an error about blocks how far they are. */
const HINT = / \((?:last known masterchain block|possibly out of sync): [^()]*\)$/;

/** The first pattern that matches decides. Patterns look at the end, where nodes put the reason. */
const TEXTS: readonly (readonly [RegExp, FailureClass])[] = [
  // The answer of a contract or a validator to a message is the same everywhere, whatever its text.
  [/^cannot apply external message to current state/, 'final'],
  [/^timeout$/, 'network'],
  [/^node not synced$/, 'network'],
  [/(?:^|[ :])not in db$/, 'missing'],
  [/(?:^|[ :])block not found$/, 'missing'],
  [/ is not applied$/, 'missing'],
  [/(?:^|[ :])state already gc'd$/, 'missing'],
];

export function classifyFailure(error: unknown): FailureClass {
  if (error instanceof LiteServerError) return classOfRefusal(error);
  if (error instanceof LiteTimeout || error instanceof LiteNetworkError) return 'network';
  if (error instanceof UnattributedProofFailure) return 'network';
  return error instanceof ProofFailure ? 'proof' : 'final';
}

function classOfRefusal({ code, text }: LiteServerError): FailureClass {
  if (code === LITE_ERROR_CODES.timeout) return 'network';
  const reason = text.replace(HINT, '');
  return TEXTS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'final';
}
