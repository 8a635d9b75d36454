import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastifyWebsocket from '@fastify/websocket';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../src/streaming/connection.ts';
import { stateEvent } from '../../src/streaming/events.ts';
import { createSharedBytes } from '../../src/streaming/send-queue.ts';
import { openSse } from '../../src/streaming/sse.ts';
import { emptySubscription } from '../../src/streaming/subscription.ts';
import { SOCKET_SERVER_OPTIONS, serveSocket } from '../../src/streaming/websocket.ts';
import { openWs, waitFor } from './support/stream-clients.ts';

const ACCOUNT = 'a'.repeat(33);
const LIMITS = { maxMessages: 100, maxBytes: 1024 * 1024, eventsPerSecond: -1 };

const app = Fastify();
const connections: Connection[] = [];
const closings: string[] = [];
const sockets: Socket[] = [];
/** The server's ends of the streams. */
const served: Socket[] = [];
let url: string;

beforeAll(async () => {
  await app.register(fastifyWebsocket, { options: SOCKET_SERVER_OPTIONS });
  app.get('/api/streaming/v2/sse', (request, reply) => {
    const { overflow } = request.query as { overflow: 'close' | 'gap' };
    const stream = openSse(reply, { keepAliveMs: 60_000, hasCursors: false, idleCursor: () => undefined });
    open('sse', overflow, stream, () => stream.end());
    served.push(request.raw.socket);
  });
  app.route({
    method: 'GET',
    url: '/api/streaming/v2/ws',
    handler: () => 'no',
    wsHandler: (socket, request) => {
      const { overflow } = request.query as { overflow: 'close' | 'gap' };
      const outlet = serveSocket(socket, request.raw.socket, {
        pingMs: 60_000,
        idleMs: 120_000,
        messagesPerSecond: 100,
        controlFramesPerSecond: 100,
        maxFrameBytes: 1000,
        onMessage: () => {},
        answer: () => {},
        onRefused: () => {},
      });
      open('ws', overflow, outlet, (reason) => outlet.close(1013, reason));
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

function open(
  transport: 'sse' | 'ws',
  onOverflow: 'close' | 'gap',
  outlet: ConstructorParameters<typeof Connection>[0]['outlet'],
  end: (reason: string) => void,
): void {
  const connection = new Connection({
    transport,
    outlet,
    limits: LIMITS,
    subscription: {
      ...emptySubscription(undefined),
      addresses: new Set([ACCOUNT]),
      types: new Set(['account_state_change'] as const),
      cursors: true,
      onOverflow,
    },
    network: () => 'abcdef01',
    close: (reason) => {
      closings.push(`${transport} ${reason}`);
      connection.close();
      end(reason);
    },
    onTraceSeen: () => {},
    onTraceDone: () => {},
    onEvent: () => {},
    onGap: () => {},
  });
  connections.push(connection);
}

let seqno = 1000;

/** Offers states of ever other accounts, so that none replaces another. */
function flood(count: number, bytes: number): void {
  for (let i = 0; i < count; i++) {
    seqno += 1;
    const place = { seqno, index: 0 };
    const event = stateEvent(
      { finality: 'finalized', at: { lane: 'blocks', place, mark: '00000000' } },
      { key: String(seqno), members: `"seqno":${seqno},"fill":"${'x'.repeat(bytes)}"`, extended: '' },
    );
    for (const connection of connections) connection.offer(event);
  }
}

/** A client that reads so many bytes per second from its socket. */
function readSlowly(path: string, bytesPerSecond: number) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  let text = '';
  sockets.push(socket);
  socket.on('error', () => {});
  socket.pause();
  const timer = setInterval(() => {
    const chunk = socket.read(Math.min(bytesPerSecond / 10, socket.readableLength || 1));
    if (chunk !== null) text += chunk;
  }, 100);
  return {
    socket,
    text: () => text,
    readOn: () => {
      clearInterval(timer);
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.resume();
    },
  };
}

it('closes slow readers or tells them of a gap, and nobody else notices', async () => {
  const fast = await openWs(url, '?overflow=close');
  const slowSse = readSlowly('/api/streaming/v2/sse?overflow=gap', 1000);
  const stalled = readSlowly('/api/streaming/v2/sse?overflow=close', 0);
  const stalledWs = await openWs(url, '?overflow=close');
  (stalledWs.socket as unknown as { _socket: { pause(): void } })._socket.pause();
  await waitFor(() => connections.length === 4);
  for (let round = 0; round < 120; round++) {
    const before = fast.messages.length;
    // More than the buffers of the system hold.
    flood(10, 40_000);
    await waitFor(() => fast.messages.length >= before + 10);
    await sleep(1);
  }
  expect(closings.toSorted()).toEqual(['sse slow consumer', 'ws slow consumer']);
  // The fast client got every event, without waiting for the others.
  expect(fast.events().map((event) => event.seqno)).toEqual(Array.from({ length: 1200 }, (_, i) => 1001 + i));
  // What the slow client holds in memory is bounded, and of those that were closed nothing is left.
  expect(connections.every(({ queued }) => queued <= LIMITS.maxMessages)).toBe(true);
  const closed = connections.filter(({ isClosed }) => isClosed);
  expect(closed.map(({ queued }) => queued)).toEqual([0, 0]);
  const slow = connections[1]!;
  slowSse.readOn();
  await waitFor(() => slowSse.text().includes('"type":"gap"'));
  const gap = JSON.parse(/data: (\{"type":"gap".*\})/.exec(slowSse.text())![1]!);
  expect(gap.reason).toBe('slow consumer');
  const lastSeen = /"seqno":(\d+)(?![\s\S]*"seqno":\d+[\s\S]*"type":"gap")/.exec(
    slowSse.text().split('"type":"gap"')[0]!.split('event: event').at(-2)!,
  );
  expect(gap.from.startsWith(`${lastSeen![1]}-`)).toBe(true);
  expect(gap.to.startsWith(`${seqno}-`)).toBe(true);
  // It goes on with what comes after the gap.
  flood(1, 10);
  await waitFor(() => slowSse.text().includes(`"seqno":${seqno},`));
  expect(slow.isClosed).toBe(false);
  // Those that read nothing at all are cut off after a while, and nothing is kept for them.
  stalled.readOn();
  (stalledWs.socket as unknown as { _socket: { resume(): void } })._socket.resume();
  // The last chunk says that the stream has ended on a whole frame.
  await waitFor(() => stalled.socket.destroyed || stalled.text().endsWith('\n\n\r\n0\r\n\r\n'));
  expect([1006, 1013]).toContain((await stalledWs.closed).code);
  slowSse.socket.destroy();
  fast.close();
});

it('replaces queued states by newer ones before it gives up', async () => {
  connections.length = 0;
  const stalled = readSlowly('/api/streaming/v2/sse?overflow=close', 0);
  await waitFor(() => connections.length === 1);
  const before = closings.length;
  for (let i = 0; i < 3000; i++) {
    seqno += 1;
    const place = { seqno, index: 0 };
    connections[0]!.offer(
      stateEvent(
        { finality: 'finalized', at: { lane: 'blocks', place, mark: '00000000' } },
        { key: ACCOUNT, members: `"fill":"${'x'.repeat(2000)}"`, extended: '' },
      ),
    );
  }
  await sleep(100);
  expect(closings).toHaveLength(before);
  expect(connections[0]!.queued).toBeLessThanOrEqual(LIMITS.maxMessages);
  stalled.socket.destroy();
});

it('tells an id between events only if no event is left to send', () => {
  let goOn = () => {};
  const outlet = {
    send: () => false,
    whenReady: (callback: () => void) => {
      goOn = callback;
    },
  };
  connections.length = 0;
  open('sse', 'close', outlet, () => {});
  const [connection] = connections;
  flood(1, 10);
  expect(connection!.idleCursor()).toMatch(new RegExp(`^${seqno}-`));
  flood(1, 10);
  expect(connection!.idleCursor()).toBeUndefined();
  goOn();
  expect(connection!.idleCursor()).toMatch(new RegExp(`^${seqno}-`));
});

it('sends an event before the turn of its receiver is over', async () => {
  connections.length = 0;
  const client = readSlowly('/api/streaming/v2/sse?overflow=close', 0);
  await waitFor(() => connections.length === 1);
  const [before, socket] = [connections[0]!, served.at(-1)!];
  await waitFor(() => socket.writableLength === 0);
  const { bytesWritten } = socket;
  flood(1, 10);
  // What is left to a later turn would not count for the slice that the receivers of an event have.
  expect([socket.writableLength, before.queued]).toEqual([0, 0]);
  expect(socket.bytesWritten).toBeGreaterThan(bytesWritten);
  client.readOn();
  await waitFor(() => client.text().includes(`"seqno":${seqno},`));
  client.socket.destroy();
});

it('encodes an event once for all who see the same of it', () => {
  let written = 0;
  const bytes = createSharedBytes(({ type, text, id }) => {
    written += 1;
    return `${id}${type}${text}`;
  });
  const message = { kind: 'event', type: 'trace', text: 'shared' } as const;
  const views = ['one', 'other', undefined].map((id) => ({ ...message, id }));
  const texts = Array.from({ length: 300 }, (_, i) => String(bytes.of({ ...views[i % views.length]! })));
  expect(written).toBe(views.length);
  expect(new Set(texts)).toEqual(new Set(['onetraceshared', 'othertraceshared', 'undefinedtraceshared']));
});
