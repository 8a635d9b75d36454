import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { readIndexedDemo } from '../v3/support/indexed-demo.ts';
import { openStreamApp, type StreamApp } from './support/stream-app.ts';
import { openWs } from './support/stream-clients.ts';

const TEXT = 1;
const PING = 9;
const PONG = 10;
const CLOSE = 8;

let index: TestDatabase;
/** With the usual limits, and with a rate that no client reaches. */
let usual: StreamApp;
let unlimited: StreamApp;
/** The ends of the server. */
const served: Socket[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  index = await readIndexedDemo();
  usual = await openStreamApp(index.database, { maxUnfinishedBytes: 200_000 });
  unlimited = await openStreamApp(index.database, {
    messagesPerSecond: 1e9,
    timing: { pingMs: 100, idleMs: 1500 },
  });
  unlimited.app.server.on('connection', (socket: Socket) => served.push(socket));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await usual?.close();
  await unlimited?.close();
});

interface FrameOptions {
  readonly isLast?: boolean;
  /** What the frame says, if it has less. */
  readonly announced?: number;
}

/** A frame of a client; its mask leaves the payload as it is. */
function frame(opcode: number, payload = '', { isLast = true, announced }: FrameOptions = {}): Buffer {
  const bytes = announced ?? payload.length;
  const head = Buffer.alloc(bytes < 126 ? 6 : 14);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (bytes < 126 ? bytes : 127);
  if (bytes >= 126) head.writeBigUInt64BE(BigInt(bytes), 2);
  return Buffer.concat([head, Buffer.from(payload)]);
}

function frames(count: number, ...one: Parameters<typeof frame>): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frame(...one)));
}

/** A message in fragments of one byte. */
function fragmented(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (char, at) => frame(at === 0 ? TEXT : 0, char, { isLast: at === text.length - 1 })),
  );
}

interface Received {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A connection of another caller, whose frames are made by hand. */
interface BareSocket {
  readonly socket: Socket;
  readonly received: Received[];
  readonly pongs: () => number;
  /** The code of the close frame, once the connection is closed. */
  readonly closeCode: () => Promise<number | undefined>;
}

let callers = 0;

async function openBare({ url }: StreamApp): Promise<BareSocket> {
  callers += 1;
  const socket = connect({
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    localAddress: `127.0.2.${callers}`,
  });
  socket.on('error', () => {});
  sockets.push(socket);
  socket.write(
    'GET /api/streaming/v2/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 .*\r\n\r\n$/s);
  const received: Received[] = [];
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = readFrames(Buffer.concat([rest, chunk]), received);
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    socket,
    received,
    pongs: () => received.filter(({ opcode }) => opcode === PONG).length,
    async closeCode() {
      await closed;
      return received.find(({ opcode }) => opcode === CLOSE)?.payload.readUInt16BE();
    },
  };
}

/** Reads frames of a server; returns what is left. */
function readFrames(bytes: Buffer, into: Received[]): Buffer {
  let at = 0;
  while (bytes.length >= at + 4) {
    const isShort = bytes[at + 1]! < 126;
    const start = at + (isShort ? 2 : 4);
    const end = start + (isShort ? bytes[at + 1]! : bytes.readUInt16BE(at + 2));
    if (bytes.length < end) break;
    into.push({ opcode: bytes[at]! & 0xf, payload: bytes.subarray(start, end) });
    at = end;
  }
  return bytes.subarray(at);
}

describe('a WebSocket of a caller without a key', () => {
  it.concurrent.each([
    ['empty pings', frames(10_000, PING)],
    ['pings with a payload', frames(2000, PING, 'x'.repeat(125))],
    ['pongs that nobody asked for', frames(10_000, PONG)],
  ])('is closed when it floods the server with %s', async (_name, flood) => {
    const bare = await openBare(usual);
    bare.socket.write(flood);
    expect(await bare.closeCode()).toBe(1008);
    expect(bare.pongs()).toBeLessThan(100);
    expect(await usual.metrics()).toMatch(
      /tongate_stream_refused_total\{reason="control_frame_rate"\} [1-9]/,
    );
  });

  it('may send pings with the payload of its choice', async () => {
    const bare = await openBare(usual);
    bare.socket.write(Buffer.concat([frame(PING, 'one'), frame(PONG, 'two'), frame(PING, 'three')]));
    await until(() => bare.pongs() > 0 && String(bare.received.at(-1)!.payload) === 'three');
    for (const { opcode } of bare.received) expect(opcode).toBe(PONG);
  });

  it('is closed when its message has too many fragments, and may have some hundreds', async () => {
    const bare = await openBare(usual);
    bare.socket.write(fragmented(`{"operation":"ping","id":"${'x'.repeat(600)}"}`));
    await until(() => bare.received.length > 0);
    expect(String(bare.received[0]!.payload)).toContain('pong');
    bare.socket.write(fragmented('x'.repeat(5000)));
    expect(await bare.closeCode()).toBe(1008);
  });

  it('is closed when it holds more of a message than a message may have', async () => {
    const bare = await openBare(usual);
    bare.socket.write(frame(TEXT, 'x'.repeat(1_000_000), { announced: 4_000_000 }));
    expect(await bare.closeCode()).toBe(1009);
    const again = await openBare(usual);
    again.socket.write(frame(TEXT, 'x'.repeat(50_000), { isLast: false }));
    for (let i = 0; i < 20; i++) again.socket.write(frame(0, 'x'.repeat(50_000), { isLast: false }));
    expect(await again.closeCode()).toBe(1009);
  });

  it('is told why it is closed when its frames are malformed', async () => {
    const bare = await openBare(usual);
    bare.socket.write(frame(3));
    bare.socket.end();
    expect(await bare.closeCode()).toBe(1002);
  });

  it('may send much in its life: messages that were handled do not count as unfinished requests', async () => {
    const client = await openWs(usual.url);
    const id = 'x'.repeat(20_000);
    for (let i = 0; i < 30; i++)
      expect(await client.ask({ operation: 'ping', id: `${i}${id}` })).toMatchObject({ status: 'pong' });
    const unfinished = connect(Number(new URL(usual.url).port), '127.0.0.1');
    unfinished.write(
      `POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n${'x'.repeat(300_000)}`,
    );
    expect(await text(unfinished)).toMatch(/^HTTP\/1\.1 503 .*Too many unfinished requests/s);
    expect(await client.ask({ operation: 'ping' })).toMatchObject({ status: 'pong' });
    client.close();
  });
});

describe('frames within the rate', () => {
  it('are handled in turns with other work, however many come at once', async () => {
    const bare = await openBare(unlimited);
    let turns = 0;
    let isDone = false;
    const count = async (): Promise<void> => {
      while (!isDone) {
        await nextTurn();
        turns += 1;
      }
    };
    const counted = count();
    bare.socket.write(Buffer.concat([frames(2000, PONG), frame(PING, 'end')]));
    await until(() => bare.pongs() === 1);
    isDone = true;
    await counted;
    expect(turns).toBeGreaterThan(1900);
  });

  it('are answered as far as the client reads, and it is closed if it does not', async () => {
    const bare = await openBare(unlimited);
    const end = served.at(-1)!;
    bare.socket.pause();
    // More than the buffers of the system hold.
    bare.socket.write(frames(400, TEXT, `{"operation":"ping","id":"${'x'.repeat(60_000)}"}`));
    bare.socket.write(frames(10_000, PING, 'x'.repeat(125)));
    let unread = 0;
    let queued = 0;
    await until(() => {
      unread = Math.max(unread, end.writableLength);
      queued = Math.max(queued, unlimited.streaming.hub.stats().queued);
      return end.destroyed;
    });
    expect(unread).toBeLessThan(256 * 1024);
    expect(queued).toBeLessThan(10);
  });
});
