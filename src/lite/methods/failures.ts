import { Failure } from '../../lib/errors.ts';

/** A query without a response: the connection failed or broke, or the response could not be parsed. */
export class LiteNetworkError extends Failure {
  /** `detail` follows the prefix without a separator, as existing clients expect. */
  constructor(detail: string, cause?: unknown) {
    super('lite_server', `LITE_SERVER_NETWORK${detail}`, { cause });
  }
}

/** A response whose proof is wrong: the server is malicious or broken. */
export class ProofFailure extends Failure {
  /** `prefix` is one of the VALIDATE_… names; `detail` follows it without a separator. */
  constructor(prefix: `VALIDATE_${string}`, detail: string, cause?: unknown) {
    super('lite_server', `${prefix}${detail}`, { cause });
  }
}
