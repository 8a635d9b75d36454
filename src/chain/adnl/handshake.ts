import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  type Decipheriv,
  hash,
  randomBytes,
} from 'node:crypto';
import { AdnlError } from './adnl-error.ts';
import {
  type AdnlPrivateKey,
  type AdnlPublicKey,
  createPrivateAdnlKey,
  readPublicKey,
  sharedSecret,
} from './keys.ts';

/** The first packet of a client: the server's short id, the client's key, a checksum, encrypted parameters. */
export const HANDSHAKE_BYTES = 256;

const PARAMETER_BYTES = 160;
const CIPHER = 'aes-256-ctr';

/** The ciphers of both directions of a session, for the life of its connection. */
export interface AdnlStreams {
  readonly inbound: Decipheriv;
  readonly outbound: Cipheriv;
}

/** Starts a session as a client: the packet to send first, and the streams for what follows. */
export function makeHandshake(server: AdnlPublicKey): { packet: Buffer; streams: AdnlStreams } {
  const own = createPrivateAdnlKey();
  const parameters = randomBytes(PARAMETER_BYTES);
  const packet = sealHandshake(server.shortId, own.publicBytes, sharedSecret(own, server), parameters);
  return { packet, streams: clientStreams(parameters) };
}

/** Starts a session as a server. Throws when the packet is for another key, or malformed. */
export function acceptHandshake(own: AdnlPrivateKey, packet: Uint8Array): AdnlStreams {
  return serverStreams(openHandshake(own, packet));
}

/** Creates a handshake packet. */
export function sealHandshake(
  serverId: Uint8Array,
  clientKey: Uint8Array,
  secret: Buffer,
  parameters: Uint8Array,
): Buffer {
  const checksum = hash('sha256', parameters, 'buffer');
  const cipher = createCipheriv(CIPHER, ...handshakeKey(secret, checksum));
  return Buffer.concat([serverId, clientKey, checksum, cipher.update(parameters)]);
}

/** The session parameters in a handshake for this key. */
export function openHandshake(own: AdnlPrivateKey, packet: Uint8Array): Buffer {
  if (packet.length !== HANDSHAKE_BYTES) throw new AdnlError('a handshake has 256 bytes');
  const part = (from: number, to: number): Buffer => Buffer.from(packet.subarray(from, to));
  if (!own.shortId.equals(part(0, 32))) throw new AdnlError('the handshake is for another key');
  const secret = sharedSecret(own, readPublicKey(part(32, 64)));
  const checksum = part(64, 96);
  const decipher = createDecipheriv(CIPHER, ...handshakeKey(secret, checksum));
  const parameters = decipher.update(part(96, HANDSHAKE_BYTES));
  if (!checksum.equals(hash('sha256', parameters, 'buffer')))
    throw new AdnlError('the checksum of the handshake is wrong');
  return parameters;
}

/** The streams of a session on the client's side. */
export function clientStreams(parameters: Buffer): AdnlStreams {
  return {
    inbound: createDecipheriv(CIPHER, parameters.subarray(0, 32), parameters.subarray(64, 80)),
    outbound: createCipheriv(CIPHER, parameters.subarray(32, 64), parameters.subarray(80, 96)),
  };
}

/** The streams of a session on the server's side. */
export function serverStreams(parameters: Buffer): AdnlStreams {
  return {
    inbound: createDecipheriv(CIPHER, parameters.subarray(32, 64), parameters.subarray(80, 96)),
    outbound: createCipheriv(CIPHER, parameters.subarray(0, 32), parameters.subarray(64, 80)),
  };
}

function handshakeKey(secret: Buffer, checksum: Buffer): [key: Buffer, iv: Buffer] {
  return [
    Buffer.concat([secret.subarray(0, 16), checksum.subarray(16, 32)]),
    Buffer.concat([checksum.subarray(0, 4), secret.subarray(20, 32)]),
  ];
}
