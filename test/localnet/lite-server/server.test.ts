import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { LiteClient, LiteSingleEngine } from 'ton-lite-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPrivateAdnlKey } from '../../../src/chain/adnl/keys.ts';
import {
  createLiteServer,
  type LiteServer,
  type LiteServerOptions,
} from '../../../src/localnet/lite-server/server.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { sampleStore } from '../support/sample-store.ts';

/** A server on a free port, for one test. */
async function serve(options: Partial<LiteServerOptions> = {}): Promise<LiteServer> {
  const server = await createLiteServer({
    store: sampleStore().store,
    key: createPrivateAdnlKey(),
    host: '127.0.0.1',
    port: 0,
    log: createQuietLog(),
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

async function dial({ host, port, publicKey }: LiteServer): Promise<LiteSingleEngine> {
  const engine = new LiteSingleEngine({ host: `tcp://${host}:${port}`, publicKey });
  onTestFinished(() => engine.close());
  await once(engine, 'ready');
  return engine;
}

async function rawSocket({ host, port }: LiteServer): Promise<Socket> {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe('createLiteServer', () => {
  it('serves several clients with many concurrent queries each', async () => {
    const server = await serve();
    const engines = await Promise.all([dial(server), dial(server), dial(server)]);
    const clients = engines.map((engine) => new LiteClient({ engine }));
    const asked = clients.flatMap((client) => Array.from({ length: 50 }, () => client.getMasterchainInfo()));
    const seqnos = (await Promise.all(asked)).map((info) => info.last.seqno);
    expect(seqnos).toEqual(new Array(150).fill(7));
    expect(server.clients).toBe(3);
  });

  it('responds to other queries while one waits for a block', async () => {
    const { store, steps } = sampleStore(3);
    const client = new LiteClient({ engine: await dial(await serve({ store })) });
    const waiting = client.getMasterchainInfo({ awaitSeqno: 4 });
    expect((await client.getMasterchainInfo()).last.seqno).toBe(3);
    store.append(steps[3]!);
    expect((await waiting).last.seqno).toBe(4);
  });

  it('disconnects clients that break the protocol, and no others', async () => {
    const server = await serve();
    const client = new LiteClient({ engine: await dial(server) });
    const stranger = await rawSocket(server);
    const ended = once(stranger, 'close');
    stranger.write(Buffer.alloc(4096, 'GET / HTTP/1.1\r\n'));
    await ended;
    expect((await client.getMasterchainInfo()).last.seqno).toBe(7);
    expect(server.clients).toBe(1);
  });

  it('accepts no more clients than its limit', async () => {
    const server = await serve({ maxClients: 1 });
    const client = new LiteClient({ engine: await dial(server) });
    const second = await rawSocket(server);
    await once(second, 'close');
    expect((await client.getCurrentTime()) > 0).toBe(true);
  });

  it('ends connections and frees the port on close', async () => {
    const key = createPrivateAdnlKey();
    const server = await createLiteServer({
      store: sampleStore().store,
      key,
      host: '127.0.0.1',
      port: 0,
      log: createQuietLog(),
    });
    const socket = await rawSocket(server);
    const ended = once(socket, 'close');
    await server.close();
    await ended;
    const again = await serve({ key, port: server.port });
    expect(again.port).toBe(server.port);
    expect(again.publicKey).toEqual(key.publicBytes);
  });

  it('names the address when the port is in use', async () => {
    const server = await serve();
    await expect(serve({ port: server.port })).rejects.toThrow('EADDRINUSE');
  });
});
