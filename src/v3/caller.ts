import type { Socket } from 'node:net';
import type { Payer } from '../http/gate.ts';

/** Who sent a request. */
export interface V3Caller {
  /** Group of lite servers that the caller's plan names. */
  readonly group: string | undefined;
  /** The connection on which the answer is awaited. */
  readonly client: Socket;
  /** When the request arrived, on the clock of `performance.now`. */
  readonly startedAtMs: number;
  /** Who the request is counted against, as far as it is known. */
  readonly payer?: Payer | undefined;
}
