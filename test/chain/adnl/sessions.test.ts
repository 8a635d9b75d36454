import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPrivateAdnlKey, readPublicKey } from '../../../src/chain/adnl/keys.ts';
import { encodePong } from '../../../src/chain/adnl/messages.ts';
import { ClientSession, ServerSession } from '../../../src/chain/adnl/sessions.ts';

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

describe('two sessions', () => {
  it('greet, ask and answer', () => {
    const { client, server, answers, toServer, toClient, greetings } = connectSessions();
    server.receive(client.handshake);
    expect(client.ready).toBe(false);
    toClient();
    expect(client.ready).toBe(true);
    client.query(ID, Buffer.from('what?'));
    client.query(Buffer.alloc(32, 6), Buffer.from('who?'));
    expect(client.waitingBytes).toBeGreaterThan(0);
    toServer();
    expect(client.waitingBytes).toBe(0);
    toClient();
    expect(answers).toEqual(['05 re: what?', '06 re: who?']);
    expect(greetings()).toBe(1);
  });

  it('take a handshake in pieces, and a query right behind it', () => {
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
    expect(bytes).toHaveLength(4 + 64 + encodePong(77n).length);
    expect(() => client.receive(bytes)).not.toThrow();
  });

  it('refuse a handshake that is none', () => {
    const { server } = connectSessions();
    expect(() => server.receive(randomBytes(256))).toThrow('for another key');
  });

  it('pass over packets that they do not know', () => {
    const { client, server, answers, toServer, toClient } = connectSessions();
    server.receive(client.handshake);
    server.send(Buffer.from('news of a later version'));
    client.query(ID, Buffer.from('what?'));
    toServer();
    toClient();
    expect(answers).toEqual(['05 re: what?']);
  });

  it('end a flood of packets that nobody asked for', () => {
    const { client, server, toClient } = connectSessions();
    server.receive(client.handshake);
    for (let count = 0; count < 1100; count += 1) server.send(Buffer.from('spam'));
    expect(toClient).toThrow('flood');
  });

  it('do not take many answers to many queries for a flood', () => {
    const { client, server, answers, toServer, toClient } = connectSessions();
    server.receive(client.handshake);
    for (let count = 0; count < 5000; count += 1) client.query(ID, Buffer.from('what?'));
    toServer();
    toClient();
    expect(answers).toHaveLength(5000);
  });

  it('say nothing before there is someone to hear it', () => {
    const { server } = connectSessions();
    server.send(Buffer.from('too early'));
    expect(server.take()).toBeUndefined();
  });
});
