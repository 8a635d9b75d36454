import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPrivateAdnlKey, readPublicKey } from '../../../src/chain/adnl/keys.ts';
import { ClientSession, encodeMessage, ServerSession } from '../../../src/chain/adnl/sessions.ts';

const ID = Buffer.alloc(32, 5);

/** Both sides of a connection, and a wire between them that carries bytes when it is told to. */
function connectSessions() {
  const key = createPrivateAdnlKey();
  const answers: string[] = [];
  let greetings = 0;
  const client = new ClientSession(readPublicKey(key.publicBytes), {
    onReady: () => {
      greetings += 1;
    },
    onAnswer: (id, answer) => answers.push(`${id.toString('hex', 0, 1)} ${answer}`),
  });
  const server = new ServerSession(key, (id, query) => server.answer(id, Buffer.from(`re: ${query}`)));
  const toServer = (): void => server.receive(client.take() ?? Buffer.alloc(0));
  const toClient = (): void => client.receive(server.take() ?? Buffer.alloc(0));
  return { client, server, answers, toServer, toClient, greetings: () => greetings };
}

describe('an ADNL client and server session', () => {
  it('exchange handshake, query and answer', () => {
    const { client, server, answers, toServer, toClient, greetings } = connectSessions();
    server.receive(client.handshake);
    expect(client.ready).toBe(false);
    toClient();
    expect(client.ready).toBe(true);
    client.query(ID, Buffer.from('what?'));
    client.query(Buffer.alloc(32, 6), Buffer.from('who?'));
    expect(client.queuedBytes).toBeGreaterThan(0);
    toServer();
    expect(client.queuedBytes).toBe(0);
    toClient();
    expect(answers).toEqual(['05 re: what?', '06 re: who?']);
    expect(greetings()).toBe(1);
  });

  it('accept a handshake in pieces with a query right after it', () => {
    const { client, server, answers, toClient } = connectSessions();
    client.query(ID, Buffer.from('early'));
    const bytes = Buffer.concat([client.handshake, client.take()!]);
    for (let at = 0; at < bytes.length; at += 100) server.receive(bytes.subarray(at, at + 100));
    toClient();
    expect(answers).toEqual(['05 re: early']);
  });

  it('answer pings', () => {
    const { client, server, toServer, toClient } = connectSessions();
    server.receive(client.handshake);
    toClient();
    client.ping(77n);
    toServer();
    const bytes = server.take()!;
    expect(bytes).toHaveLength(4 + 64 + encodeMessage({ kind: 'pong', randomId: 77n }).length);
    expect(() => client.receive(bytes)).not.toThrow();
  });

  it('refuse a malformed handshake', () => {
    const { server } = connectSessions();
    expect(() => server.receive(randomBytes(256))).toThrow('for another key');
  });

  it('ignore unknown packets', () => {
    const { client, server, answers, toServer, toClient } = connectSessions();
    server.receive(client.handshake);
    server.send(Buffer.from('news of a later version'));
    client.query(ID, Buffer.from('what?'));
    toServer();
    toClient();
    expect(answers).toEqual(['05 re: what?']);
  });

  it('refuse a flood of unsolicited packets', () => {
    const { client, server, toClient } = connectSessions();
    server.receive(client.handshake);
    for (let count = 0; count < 1100; count += 1) server.send(Buffer.from('spam'));
    expect(toClient).toThrow('flood');
  });

  it('accept many answers to many queries', () => {
    const { client, server, answers, toServer, toClient } = connectSessions();
    server.receive(client.handshake);
    for (let count = 0; count < 5000; count += 1) client.query(ID, Buffer.from('what?'));
    toServer();
    toClient();
    expect(answers).toHaveLength(5000);
  });

  it('send nothing before the handshake', () => {
    const { server } = connectSessions();
    server.send(Buffer.from('too early'));
    expect(server.take()).toBeUndefined();
  });
});
