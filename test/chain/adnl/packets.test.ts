import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdnlError } from '../../../src/chain/adnl/keys.ts';
import { PacketReader, PacketWriter } from '../../../src/chain/adnl/packets.ts';
import { createStreams } from '../../../src/chain/adnl/sessions.ts';
import { RECORDED_SESSIONS } from './recorded-sessions.ts';

/** A reader and a writer of one direction, and what the reader has read. */
function pair(): {
  reader: PacketReader;
  writer: PacketWriter;
  encrypt(plain: Buffer): Buffer;
  got: Buffer[];
} {
  const parameters = randomBytes(160);
  const { outbound } = createStreams(parameters, 'client');
  const got: Buffer[] = [];
  const reader = new PacketReader(createStreams(parameters, 'server').inbound, (payload) => {
    got.push(Buffer.from(payload));
  });
  return { reader, writer: new PacketWriter(outbound), encrypt: (plain) => outbound.update(plain), got };
}

function lengthField(length: number): Buffer {
  const field = Buffer.alloc(4);
  field.writeUInt32LE(length);
  return field;
}

describe('ADNL packets', () => {
  it.each(RECORDED_SESSIONS)('of a recorded session are read', (session) => {
    const heardByClient: Buffer[] = [];
    const client = new PacketReader(createStreams(session.parameters, 'client').inbound, (payload) => {
      heardByClient.push(payload);
    });
    client.read(session.greetingPacket);
    client.read(session.answerPacket);
    expect(heardByClient[0]).toHaveLength(0);
    expect(heardByClient[1]!.includes(session.answer)).toBe(true);

    const heardByServer: Buffer[] = [];
    new PacketReader(createStreams(session.parameters, 'server').inbound, (payload) => {
      heardByServer.push(payload);
    }).read(session.queryPacket);
    expect(heardByServer).toEqual([session.query]);
  });

  it('arrive complete and in order however the stream is split', () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(payloads, cuts, (sent, sizes) => {
        const { reader, writer, got } = pair();
        for (const payload of sent) writer.add(payload);
        const bytes = writer.take() ?? Buffer.alloc(0);
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const size = sizes[cut % sizes.length]!;
          reader.read(bytes.subarray(at, at + size));
          at += size;
        }
        expect(got).toEqual(sent.map((payload) => Buffer.from(payload)));
      }),
    );
  });

  it('can be read byte by byte', () => {
    const { reader, writer, got } = pair();
    writer.add(Buffer.from('one'));
    writer.add(Buffer.from('two'));
    for (const byte of writer.take()!) reader.read(Buffer.of(byte));
    expect(got.map(String)).toEqual(['one', 'two']);
  });

  it('may be large', () => {
    const { reader, writer, got } = pair();
    const payload = randomBytes(5_000_000);
    writer.add(payload);
    writer.add(Buffer.from('after'));
    const bytes = writer.take()!;
    for (let at = 0; at < bytes.length; at += 65_536) reader.read(bytes.subarray(at, at + 65_536));
    expect(got[0]!.equals(payload)).toBe(true);
    expect(String(got[1])).toBe('after');
  });

  it('can be queued again after a take', () => {
    const { reader, writer, got } = pair();
    expect(writer.take()).toBeUndefined();
    for (const text of ['first', 'second', 'third']) {
      writer.add(Buffer.from(text));
      expect(writer.size).toBe(68 + text.length);
      reader.read(writer.take()!);
      expect(writer.size).toBe(0);
    }
    expect(got.map(String)).toEqual(['first', 'second', 'third']);
  });

  it('with the same payload have different bytes', () => {
    const parameters = randomBytes(160);
    const packet = (): Buffer => {
      const writer = new PacketWriter(createStreams(parameters, 'client').outbound);
      writer.add(Buffer.from('same'));
      return writer.take()!;
    };
    expect(packet()).not.toEqual(packet());
  });

  it.each([0, 63, 2 ** 24 + 1, 2 ** 31, 2 ** 32 - 1])('of length %i are refused immediately', (length) => {
    const { reader, encrypt } = pair();
    expect(() => reader.read(encrypt(lengthField(length)))).toThrow(AdnlError);
  });

  it('of the maximum length are accepted', () => {
    const { reader, encrypt, got } = pair();
    reader.read(encrypt(lengthField(2 ** 24)));
    reader.read(encrypt(Buffer.alloc(1000)));
    expect(got).toEqual([]);
  });

  it.each([4, 35, 36, 39, 40, 71])('with a changed byte %i are refused', (at) => {
    const { reader, writer, got } = pair();
    writer.add(Buffer.from('text'));
    const bytes = writer.take()!;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(() => reader.read(bytes)).toThrow('the checksum of a packet is wrong');
    expect(got).toEqual([]);
  });

  it('that are too large are not written', () => {
    const { writer } = pair();
    writer.add(Buffer.alloc(2 ** 24 - 64));
    expect(() => writer.add(Buffer.alloc(2 ** 24 - 63))).toThrow(AdnlError);
  });

  it('of random bytes end in an AdnlError or in nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
        const { reader, got } = pair();
        try {
          for (const chunk of chunks) reader.read(chunk);
        } catch (error) {
          expect(error).toBeInstanceOf(AdnlError);
        }
        expect(got).toEqual([]);
      }),
    );
  });
});
