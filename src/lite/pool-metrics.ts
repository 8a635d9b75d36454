/** How a query ended: answered, refused by the server, or without an answer. */
export type QueryOutcome = 'ok' | 'refused' | 'timeout' | 'network' | 'aborted';

/** What a server did wrong: no connection, no answer in time, no sense, a false proof, or another network. */
export type ServerFault = 'network' | 'timeout' | 'answer' | 'proof' | 'zero_state';

/** Where the pool counts; gauges are read from its `servers()`. */
export interface PoolMetrics {
  queryDone(method: string, outcome: QueryOutcome, seconds: number): void;
  serverFailed(server: string, fault: ServerFault): void;
}

/** Counts nothing. */
export const NO_METRICS: PoolMetrics = { queryDone() {}, serverFailed() {} };
