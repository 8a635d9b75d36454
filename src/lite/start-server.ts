import type { BlockId } from '../chain/block-id.ts';
import type { Log } from '../lib/log.ts';
import { Alarm } from './alarm.ts';
import type { LiteConnection } from './connection/lite-connection.ts';
import { type FollowOptions, followHead } from './follow-head.ts';
import type { LiteServerAddress } from './global-config.ts';
import { PooledServer } from './pooled-server.ts';
import { watchDepth } from './watch-depth.ts';

/** Makes the connection to one server. */
export type Connect = (options: {
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
  readonly log: Log;
  readonly onReady: () => void;
  readonly onDown: () => void;
}) => LiteConnection;

/** A server as those see it who prove its head. */
export interface HeadServer {
  readonly index: number;
  /** `host:port`. */
  readonly name: string;
  readonly query: (request: Uint8Array) => Promise<Buffer>;
}

/** Asks a server for the proof of a block and checks it; throws ProofFailure when the proof is false. */
export type ProveHead = (server: HeadServer, block: BlockId) => Promise<void>;

interface StartOptions extends Omit<FollowOptions, 'server' | 'alarm' | 'prove'> {
  readonly address: LiteServerAddress;
  readonly connect: Connect;
  readonly prove: ProveHead;
  readonly maxInFlight: number;
}

/** Connects to a server and starts to follow it; `done` resolves after the signal. */
export function startServer(options: StartOptions): { server: PooledServer; done: Promise<void> } {
  const { address, log, timing } = options;
  const { index, host, port, publicKey } = address;
  const alarm = new Alarm();
  const ring = () => alarm.ring();
  const server = new PooledServer({
    ...options,
    index,
    name: `${host}:${port}`,
    connection: options.connect({ host, port, publicKey, log, onReady: ring, onDown: ring }),
  });
  const asSeenByProver: HeadServer = {
    index,
    name: server.name,
    query: (request) => server.askNow(request, { timeoutMs: timing.queryMs }),
  };
  const done = Promise.all([
    followHead({ ...options, server, alarm, prove: (block) => options.prove(asSeenByProver, block) }),
    watchDepth({ ...options, server }),
  ]);
  return { server, done: done.then(() => undefined) };
}
