/** One lite server over one socket; it connects, and connects again, by itself until it is closed. */
export interface LiteConnection {
  /**
   * Sends a bare lite-server function (optionally with a wait prefix) and gives the bytes of its answer. Queries are
   * pipelined. Throws LiteServerError, LiteTimeout, LiteNetworkError, or the reason of the signal; never sends a query
   * twice. The answer may be a view of a buffer of 64 KiB that neighbours share: copy what is kept for long.
   */
  query(request: Uint8Array, options?: QueryOptions): Promise<Buffer>;
  /** Whether a query would be written to the socket at once; while it is false queries fail at once. */
  readonly ready: boolean;
  readonly inFlight: number;
  /** Ends the connection for ever; what waits for an answer fails. */
  close(): void;
}

/** How one query is asked. */
export interface QueryOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}
