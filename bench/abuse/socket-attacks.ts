import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Attacker } from './attacks.ts';
import { BUSY_ACCOUNTS } from './webhook-victim.ts';

const TICK_MS = 10;
/** What a tick of an attacker sends at most: 600 kB per second as empty pings were, 18 MB in a second and a half. */
const PING_BYTES_PER_TICK = 6_000;
const PIECE_BYTES_PER_TICK = 120_000;
/** Between the end of a connection and the next one. */
const REOPEN_MS = 100;
const STREAMS = 1667;
const OPENED_AT_ONCE = 50;
const READ_BYTES = 64 * 1024;

const HANDSHAKE =
  'GET /api/streaming/v2/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
const CHUNKED = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const TINY_CHUNK = Buffer.from('1\r\n \r\n');

/** Attacks by many small pieces on one connection, and by many streams. */
export const SOCKET_ATTACKS: readonly Attack[] = [
  {
    name: 'pings',
    what: 'empty pings on a WebSocket, 600 kB per second, a new one when it is closed',
    run: (attacker) => stuff(attacker, HANDSHAKE, frame(9), PING_BYTES_PER_TICK),
  },
  {
    name: 'unread-pings',
    what: 'pings of 125 bytes on a WebSocket that reads nothing, as many as it takes',
    run: (attacker) => stuff(attacker, HANDSHAKE, frame(9, 125), PIECE_BYTES_PER_TICK, { reads: false }),
  },
  {
    name: 'pongs',
    what: 'pongs that nobody asked for on a WebSocket, 600 kB per second',
    run: (attacker) => stuff(attacker, HANDSHAKE, frame(10), PING_BYTES_PER_TICK),
  },
  {
    name: 'tiny-fragments',
    what: 'a message on a WebSocket in fragments of one byte, as many as it takes',
    run: (attacker) =>
      stuff(attacker, Buffer.concat([Buffer.from(HANDSHAKE), frame(1, 1, false)]), frame(0, 1, false)),
  },
  {
    name: 'tiny-chunks',
    what: 'a JSON-RPC body in chunks of one byte, as many as it takes',
    run: (attacker) => stuff(attacker, `POST /api/v2/jsonRPC HTTP/1.1\r\n${CHUNKED}`, TINY_CHUNK),
  },
  {
    name: 'tiny-chunks-refused',
    what: 'the same to a path that does not exist',
    run: (attacker) => stuff(attacker, `POST /nothing HTTP/1.1\r\n${CHUNKED}`, TINY_CHUNK),
  },
  {
    name: 'tiny-trailers',
    what: 'a body without end of trailers of four bytes, as many as it takes',
    run: (attacker) =>
      stuff(attacker, `POST /api/v2/jsonRPC HTTP/1.1\r\n${CHUNKED}0\r\n`, Buffer.from('a:\r\n')),
  },
  {
    name: 'tiny-requests',
    what: 'requests of 25 bytes without a host on one connection, as many as it takes',
    run: (attacker) => stuff(attacker, '', Buffer.from('GET /healthz HTTP/1.1\r\n\r\n')),
  },
  {
    name: 'streams',
    what: `${STREAMS} streams of server-sent events, each from an address of its own, of an address with 4 transactions a second`,
    hasEvents: true,
    openFiles: 20_000,
    leadMs: 15_000,
    run: holdStreams,
  },
];

/** A frame of a client; its mask leaves the payload as it is. */
function frame(opcode: number, payloadBytes = 0, isLast = true): Buffer {
  const bytes = Buffer.alloc(6 + payloadBytes, 0x20);
  bytes.fill(0, 2, 6);
  bytes[0] = (isLast ? 0x80 : 0) | opcode;
  bytes[1] = 0x80 | payloadBytes;
  return bytes;
}

/** Sends the same piece over and over behind a start; once a connection is closed, on the next. */
async function stuff(
  attacker: Attacker,
  start: string | Buffer,
  piece: Buffer,
  bytesPerTick = PIECE_BYTES_PER_TICK,
  { reads = true } = {},
): Promise<void> {
  const { host, port, localAddress, isRunning, count } = attacker;
  const pieces = Buffer.concat(Array.from({ length: Math.floor(bytesPerTick / piece.length) }, () => piece));
  while (isRunning()) {
    const socket = connect({ host, port, localAddress });
    let isClosed = false;
    socket.on('error', () => {});
    socket.once('close', () => {
      isClosed = true;
      count('closed');
    });
    if (reads) socket.on('data', () => {});
    // What nobody reads does not end: the close is noticed by writing.
    else socket.pause();
    if (start.length > 0) socket.write(start);
    while (isRunning() && !isClosed) {
      if (socket.writableLength < bytesPerTick) socket.write(pieces);
      await sleep(TICK_MS);
    }
    socket.destroy();
    await sleep(REOPEN_MS);
  }
}

/**
 * Opens streams, as callers at as many addresses would. What they bring is read and not looked at: this process is on the
 * machine of the server.
 */
async function holdStreams(attacker: Attacker): Promise<void> {
  const { host, port, localAddress, isRunning, count } = attacker;
  const network = `127.${100 + Number(localAddress.split('.')[3])}`;
  const open = new Set<Socket>();
  const body = JSON.stringify({
    addresses: [`0:${BUSY_ACCOUNTS[0]!.toString('hex', 1)}`],
    types: ['transactions'],
    min_finality: 'finalized',
  });
  const request =
    'POST /api/streaming/v2/sse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const buffer = Buffer.alloc(READ_BYTES);
  for (let number = 0; number < STREAMS && isRunning(); number++) {
    const own = `${network}.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`;
    let hasAnswer = false;
    const onread = {
      buffer,
      callback(bytes: number) {
        if (!hasAnswer) count(Number(buffer.toString('latin1', 'HTTP/1.1 '.length, Math.min(12, bytes))));
        hasAnswer = true;
        return true;
      },
    };
    const socket = connect({ host, port, localAddress: own, onread });
    open.add(socket);
    socket.on('error', () => count('error'));
    socket.on('close', () => isRunning() && count('closed'));
    socket.write(request);
    if (number % OPENED_AT_ONCE === 0) await sleep(TICK_MS);
  }
  while (isRunning()) await sleep(100);
  for (const socket of open) socket.destroy();
}
