import fc from 'fast-check';
import { Codecs, Functions } from 'ton-lite-client/dist/schema.js';
import { TLReadBuffer, TLWriteBuffer } from 'ton-tl';
import { describe, expect, it } from 'vitest';
import {
  decodeMessage,
  encodeMessage,
  unwrapLiteQuery,
  wrapLiteQuery,
} from '../../../src/chain/adnl/sessions.ts';
import { TlError } from '../../../src/chain/tl/tl.ts';
import { RECORDED_SESSIONS } from './recorded-sessions.ts';

const GET_TIME = Buffer.from('345aad16', 'hex');
const encodeQuery = (id: Buffer, some: Buffer) => encodeMessage({ kind: 'query', id, body: some });
const encodeAnswer = (id: Buffer, some: Buffer) => encodeMessage({ kind: 'answer', id, body: some });
const encodePing = (randomId: bigint) => encodeMessage({ kind: 'ping', randomId });
const encodePong = (randomId: bigint) => encodeMessage({ kind: 'pong', randomId });
const bytes32 = (): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((id) => Buffer.from(id));
const body = (): fc.Arbitrary<Buffer> => fc.uint8Array({ maxLength: 600 }).map((some) => Buffer.from(some));

describe('ADNL messages', () => {
  it.each(RECORDED_SESSIONS)('equal the messages of a recorded client', ({ queryId, query }) => {
    expect(encodeQuery(queryId, wrapLiteQuery(GET_TIME))).toEqual(query);
    const message = decodeMessage(query);
    expect(message).toMatchObject({ kind: 'query', id: queryId });
    expect(unwrapLiteQuery((message as { body: Buffer }).body)).toEqual(GET_TIME);
  });

  it('are read and written as by ton-lite-client', () => {
    fc.assert(
      fc.property(bytes32(), body(), (queryId, query) => {
        const writer = new TLWriteBuffer();
        Codecs.adnl_Message.encode({ kind: 'adnl.message.query', queryId, query }, writer);
        expect(encodeQuery(queryId, query)).toEqual(writer.build());
        const answer = Codecs.adnl_Message.decode(new TLReadBuffer(encodeAnswer(queryId, query)));
        expect(answer).toMatchObject({ kind: 'adnl.message.answer', queryId, answer: query });
        const wrapped = new TLWriteBuffer();
        Functions.liteServer_query.encodeRequest({ kind: 'liteServer.query', data: query }, wrapped);
        expect(wrapLiteQuery(query)).toEqual(wrapped.build());
      }),
    );
  });

  it('survive encoding and decoding', () => {
    fc.assert(
      fc.property(bytes32(), body(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (id, some, randomId) => {
        expect(decodeMessage(encodeQuery(id, some))).toEqual({ kind: 'query', id, body: some });
        expect(decodeMessage(encodeAnswer(id, some))).toEqual({ kind: 'answer', id, body: some });
        expect(decodeMessage(encodePing(randomId))).toEqual({ kind: 'ping', randomId });
        expect(decodeMessage(encodePong(randomId))).toEqual({ kind: 'pong', randomId });
        expect(unwrapLiteQuery(wrapLiteQuery(some))).toEqual(some);
      }),
    );
  });

  it('encode pings and pongs in twelve bytes', () => {
    expect(encodePing(1n).toString('hex')).toBe('9a2b084d0100000000000000');
    expect(encodePong(-1n).toString('hex')).toBe('03fb69dcffffffffffffffff');
  });

  it('of unknown kinds are ignored', () => {
    expect(decodeMessage(Buffer.alloc(0))).toBeUndefined();
    expect(decodeMessage(Buffer.from('123'))).toBeUndefined();
    expect(decodeMessage(Buffer.from('nobody knows this'))).toBeUndefined();
    expect(unwrapLiteQuery(Buffer.from('nobody knows this'))).toBeUndefined();
    expect(unwrapLiteQuery(Buffer.alloc(0))).toBeUndefined();
  });

  it('that are truncated or too long are refused', () => {
    const whole = encodeAnswer(Buffer.alloc(32, 7), Buffer.alloc(300, 1));
    for (let length = 4; length < whole.length; length += 1)
      expect(() => decodeMessage(whole.subarray(0, length))).toThrow(TlError);
    expect(() => decodeMessage(Buffer.concat([whole, Buffer.alloc(4)]))).toThrow(TlError);
    const wrapped = wrapLiteQuery(Buffer.alloc(20));
    expect(() => unwrapLiteQuery(wrapped.subarray(0, 12))).toThrow(TlError);
    expect(() => unwrapLiteQuery(Buffer.concat([wrapped, Buffer.alloc(4)]))).toThrow(TlError);
  });
});
