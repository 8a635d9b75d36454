/**
 * The program of a thread with one connection of ton-lite-client. Its engine throws out of socket events on packets it
 * does not expect, and has timers that nothing cancels; here both end with the thread.
 */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
// Not the package's index, which loads @ton/core: a reader starts a thread for each connection.
import { LiteSingleEngine } from 'ton-lite-client/dist/engines/single.js';
import { Functions } from 'ton-lite-client/dist/schema.js';
import type { LiteServerAddress, ThreadEvent, ThreadQuery } from './lite-client.ts';

const { host, port, publicKey } = workerData as LiteServerAddress;
const post = (event: ThreadEvent): void => parentPort!.postMessage(event);

const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey: Buffer.from(publicKey) });
engine.on('connect', () => post({ kind: 'connected' }));
engine.on('ready', () => post({ kind: 'ready' }));
engine.on('close', () => post({ kind: 'down', reason: CLOSED }));
engine.on('error', findReason);
post({ kind: 'started' });

parentPort!.on('message', ({ id, name, request, timeoutMs }: ThreadQuery) => {
  // The type of the request was checked by the caller.
  engine.query(Functions[name] as never, request as never, { timeout: timeoutMs }).then(
    (answer) => post({ kind: 'answer', id, answer }),
    (error: Error) => post({ kind: 'refusal', id, text: error.message }),
  );
});

const CLOSED = 'closed by the server';

/** The engine does not say why it cannot connect; a plain socket does. */
function findReason(): void {
  const end = (reason: string): void => {
    socket.destroy();
    post({ kind: 'down', reason });
  };
  const socket = connect({ host, port });
  socket.on('connect', () => end(CLOSED));
  socket.on('error', (error) => end(error.message));
}
