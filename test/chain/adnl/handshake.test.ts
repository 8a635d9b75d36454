import { describe, expect, it } from 'vitest';
import {
  AdnlError,
  createPrivateAdnlKey,
  readPublicKey,
  sharedSecret,
} from '../../../src/chain/adnl/keys.ts';
import {
  acceptHandshake,
  HANDSHAKE_BYTES,
  makeHandshake,
  openHandshake,
  sealHandshake,
} from '../../../src/chain/adnl/sessions.ts';
import { RECORDED_SESSIONS, SERVER_ID } from './recorded-sessions.ts';

const own = createPrivateAdnlKey();
const server = readPublicKey(own.publicBytes);

describe('the ADNL handshake', () => {
  it.each(RECORDED_SESSIONS)('equals the packet of a recorded client', (session) => {
    const packet = sealHandshake(SERVER_ID, session.clientKey, session.secret, session.parameters);
    expect(packet).toEqual(session.handshake);
  });

  it('transfers the session parameters to the server', () => {
    const client = createPrivateAdnlKey();
    const { parameters } = RECORDED_SESSIONS[0];
    const packet = sealHandshake(
      server.shortId,
      client.publicBytes,
      sharedSecret(client, server),
      parameters,
    );
    expect(packet).toHaveLength(HANDSHAKE_BYTES);
    expect(openHandshake(own, packet)).toEqual(parameters);
  });

  it('gives both sides the same streams in opposite directions', () => {
    const { packet, streams: client } = makeHandshake(server);
    const accepted = acceptHandshake(own, packet);
    const text = Buffer.from('some text, longer than one block of the cipher');
    expect(accepted.inbound.update(client.outbound.update(text))).toEqual(text);
    expect(client.inbound.update(accepted.outbound.update(text))).toEqual(text);
    expect(accepted.outbound.update(text)).not.toEqual(client.outbound.update(text));
  });

  it('is different each time', () => {
    expect(makeHandshake(server).packet).not.toEqual(makeHandshake(server).packet);
  });

  it('is refused for another server key', () => {
    const { packet } = makeHandshake(readPublicKey(createPrivateAdnlKey().publicBytes));
    expect(() => acceptHandshake(own, packet)).toThrow('for another key');
  });

  it.each([0, 31, 32, 63, 64, 95, 96, 200, 255])('is refused when byte %i is changed', (at) => {
    const { packet } = makeHandshake(server);
    packet.writeUInt8(packet.readUInt8(at) ^ 4, at);
    expect(() => acceptHandshake(own, packet)).toThrow(AdnlError);
  });

  it.each([0, 255, 257])('is refused when it has %i bytes', (length) => {
    expect(() => acceptHandshake(own, Buffer.alloc(length))).toThrow(AdnlError);
  });

  it('is refused for a client key of small order', () => {
    const { packet } = makeHandshake(server);
    packet.fill(0, 32, 64);
    expect(() => acceptHandshake(own, packet)).toThrow('small order');
  });
});
