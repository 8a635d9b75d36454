import { symbols } from 'pino';
import { hideSecretText } from './log-text.ts';
import type { Logger } from './logger.ts';

/** What the log keeps of an answered request. */
export interface RequestLine {
  readonly reqId: string;
  readonly interface: string;
  readonly operation: string;
  readonly keyId: string | null;
  readonly ip: string;
  readonly status: number;
  readonly ms: number;
}

/** What pino keeps about a logger; `symbols` is its public way to it. */
type Insides = Logger & {
  readonly [symbols.streamSym]: { write(line: string): void };
  readonly [symbols.timeSym]: () => string;
  readonly [symbols.chindingsSym]: string;
};

/**
 * Makes the writer of request lines: the same line that `log.info(line, 'request')` would write, put together by hand
 * because there is one for every request.
 */
export function createRequestLineWriter(log: Logger): (line: RequestLine) => void {
  if (!log.isLevelEnabled('info')) return () => {};
  const insides = log as Insides;
  const stream = insides[symbols.streamSym];
  const time = insides[symbols.timeSym];
  const bindings = insides[symbols.chindingsSym];
  return ({ reqId, interface: name, operation, keyId, ip, status, ms }) => {
    const key = keyId === null ? 'null' : JSON.stringify(keyId);
    stream.write(
      hideSecretText(
        `{"level":"info"${time()}${bindings},"reqId":${JSON.stringify(reqId)},"interface":"${name}","operation":"${operation}","keyId":${key},"ip":${JSON.stringify(ip)},"status":${status},"ms":${ms},"msg":"request"}\n`,
      ),
    );
  };
}
