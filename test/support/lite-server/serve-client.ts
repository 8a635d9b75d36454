import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { AdnlFault } from '../../../src/chain/adnl/adnl-fault.ts';
import type { AdnlPrivateKey } from '../../../src/chain/adnl/keys.ts';
import { unwrapLiteQuery } from '../../../src/chain/adnl/lite-query.ts';
import { LENGTH_BYTES, MAX_PACKET_BYTES } from '../../../src/chain/adnl/packet-size.ts';
import { ServerSession } from '../../../src/chain/adnl/server-session.ts';
import { encodeLiteError } from '../../../src/chain/tl/lite-error.ts';
import { TlError } from '../../../src/chain/tl/tl-error.ts';
import { LiteServerError } from '../../../src/lite/errors.ts';
import type { Misbehaviour } from './misbehaviour.ts';

interface Service {
  readonly key: AdnlPrivateKey;
  readonly answer: (request: Buffer) => Buffer | Promise<Buffer>;
  readonly misbehaviourFor: (request: Buffer) => Misbehaviour | undefined;
}

const GARBAGE_BYTES = 4096;
const UNASKED = Buffer.from('nobody asked');

/** Talks to one client until its socket ends. */
export function serveClient(socket: Socket, { key, answer, misbehaviourFor }: Service): void {
  const session = new ServerSession(key, onQuery);
  let flushPlanned = false;

  socket.on('data', (chunk) => {
    try {
      session.receive(chunk);
      planFlush();
    } catch (error) {
      socket.destroy();
      // Anything else is a mistake of the test, which has to see it.
      if (!(error instanceof AdnlFault || error instanceof TlError)) throw error;
    }
  });

  function onQuery(id: Buffer, query: Buffer): void {
    const request = unwrapLiteQuery(query);
    if (request === undefined) return;
    const misbehaviour = misbehaviourFor(request);
    if (misbehaviour?.kind === 'hung') socket.pause();
    if (misbehaviour?.kind === 'hung' || misbehaviour?.kind === 'silent') return;
    const send = (bytes: Buffer): void => sendAnswer(id, bytes, misbehaviour);
    try {
      const bytes = answer(request);
      if (Buffer.isBuffer(bytes)) send(bytes);
      else bytes.then(send, (error) => send(refusal(error)));
    } catch (error) {
      send(refusal(error));
    }
  }

  function sendAnswer(id: Buffer, bytes: Buffer, misbehaviour: Misbehaviour | undefined): void {
    switch (misbehaviour?.kind) {
      case 'slow':
        setTimeout(() => sendAnswer(id, bytes, undefined), misbehaviour.delayMs).unref();
        return;
      case 'cut':
        sendAlone(id, bytes, (packet) => packet.subarray(0, packet.length >> 1));
        socket.end();
        return;
      case 'wrong-checksum':
        sendAlone(id, bytes, withLastBitChanged);
        return;
      case 'garbage':
        sendAlone(id, bytes, (packet) =>
          Buffer.concat([withLength(packet, 2 ** 32 - 1), randomBytes(GARBAGE_BYTES)]),
        );
        return;
      case 'endless':
        sendAlone(id, bytes, (packet) => withLength(packet, MAX_PACKET_BYTES));
        return;
      case 'flood':
        for (let count = 0; count < misbehaviour.packets; count += 1) session.send(UNASKED);
        break;
      case 'error':
        session.answer(id, encodeLiteError({ code: misbehaviour.code, message: misbehaviour.text }));
        planFlush();
        return;
    }
    session.answer(id, bytes);
    planFlush();
  }

  /** Sends an answer by itself, with its encrypted bytes changed. */
  function sendAlone(id: Buffer, bytes: Buffer, change: (packet: Buffer) => Buffer): void {
    flush();
    session.answer(id, bytes);
    const packet = session.take();
    if (packet !== undefined && socket.writable) socket.write(change(packet));
  }

  function planFlush(): void {
    if (flushPlanned) return;
    flushPlanned = true;
    process.nextTick(flush);
  }

  function flush(): void {
    flushPlanned = false;
    const bytes = session.take();
    if (bytes !== undefined && socket.writable) socket.write(bytes);
  }
}

// AES-CTR: to change a bit of the encrypted bytes is to change the same bit of the plain ones.

function withLength(packet: Buffer, length: number): Buffer {
  const change = (packet.length - LENGTH_BYTES) ^ length;
  packet.writeInt32LE(packet.readInt32LE(0) ^ change, 0);
  return packet;
}

function withLastBitChanged(packet: Buffer): Buffer {
  packet.writeUInt8(packet.readUInt8(packet.length - 1) ^ 1, packet.length - 1);
  return packet;
}

function refusal(error: unknown): Buffer {
  return error instanceof LiteServerError
    ? encodeLiteError({ code: error.code, message: error.text })
    : encodeLiteError({ code: 0, message: String(error) });
}
