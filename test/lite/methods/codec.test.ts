import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  decodeLiteError,
  encodeLiteError,
  splitWaitPrefix,
  withWaitPrefix,
} from '../../../src/chain/tl/lite-envelope.ts';
import { TlError } from '../../../src/chain/tl/tl.ts';
import type { AccountState } from '../../../src/lite/methods/accounts.ts';
import {
  decodeResponse,
  encodeRequest,
  encodeResponse,
  LITE_METHODS,
  type LiteMethod,
  type LiteRequest,
  type LiteRequestOf,
  type LiteResponseOf,
} from '../../../src/lite/methods/codec.ts';
import { blockId, hash, int } from '../../chain/tl/arbitrary-values.ts';
import type { LiteResponse } from '../../support/lite-response.ts';
import { decodeRequest } from '../../support/lite-server.ts';
import { sampled } from '../../support/long-run.ts';
import { arbitraryAnswers, arbitraryRequests } from './support/arbitrary-messages.ts';

const METHODS = Object.keys(LITE_METHODS) as LiteMethod[];

/** Every proper beginning of a message is too short, and every longer one has bytes left over. */
function expectExactLength(bytes: Buffer, decode: (bytes: Buffer) => unknown): void {
  const isRefused = (part: Buffer): boolean => {
    try {
      decode(part);
      return false;
    } catch (error) {
      return error instanceof TlError;
    }
  };
  const accepted: number[] = [];
  for (let length = 0; length < bytes.length; length += 4) {
    if (!isRefused(bytes.subarray(0, length))) accepted.push(length);
  }
  expect(accepted).toEqual([]);
  expect(isRefused(Buffer.concat([bytes, Buffer.alloc(4)]))).toBe(true);
}

describe.each(METHODS)('%s', (method) => {
  test('a request survives encoding and decoding', () => {
    const requests = arbitraryRequests[method] as fc.Arbitrary<LiteRequest>;
    fc.assert(
      fc.property(requests, (request) => {
        const bytes = encodeRequest(request);
        expect(bytes.length % 4).toBe(0);
        expect(decodeRequest(bytes)).toEqual(request);
        expectExactLength(bytes, decodeRequest);
      }),
      { numRuns: sampled(25, 100) },
    );
  });

  test('a response survives encoding and decoding', () => {
    const answers = arbitraryAnswers[method] as fc.Arbitrary<LiteResponse>;
    fc.assert(
      fc.property(answers, (answer) => {
        const bytes = encodeResponse(method, answer as never);
        expect(bytes.length % 4).toBe(0);
        expect(decodeResponse(method, bytes)).toEqual(answer);
        expectExactLength(bytes, (part) => decodeResponse(method, part));
      }),
      { numRuns: sampled(6, 20) },
    );
  });
});

test('requests and responses have the types of their function', () => {
  expectTypeOf<LiteRequestOf<'lookupBlock'>>().toExtend<{
    readonly method: 'lookupBlock';
    readonly mode: number;
    readonly lt?: bigint | undefined;
  }>();
  expectTypeOf<LiteResponseOf<'getAccountState'>>().toEqualTypeOf<AccountState>();
  expectTypeOf<LiteRequest['method']>().toEqualTypeOf<LiteMethod>();
});

test('an unknown constructor is refused with its id', () => {
  const unknown = Buffer.from('deadbeef', 'hex');
  expect(() => decodeRequest(unknown)).toThrow('unknown function 0xefbeadde');
  expect(() => decodeResponse('getTime', unknown)).toThrow(
    'expected liteServer.currentTime, got constructor 0xefbeadde',
  );
  expect(() => decodeRequest(Buffer.alloc(0))).toThrow(TlError);
});

test('bytes after a response are ignored with allowTrailing', () => {
  const bytes = Buffer.concat([encodeResponse('getTime', { now: 7 }), Buffer.alloc(8)]);
  expect(() => decodeResponse('getTime', bytes)).toThrow('8 bytes follow the end of the message');
  expect(decodeResponse('getTime', bytes, { allowTrailing: true })).toEqual({ now: 7 });
});

test('a field that does not agree with its mode is refused', () => {
  const place = { workchain: -1, shard: -(2n ** 63n), seqno: 5 };
  expect(() => encodeRequest({ method: 'lookupBlock', mode: 2, id: place })).toThrow('lt is not given');
  expect(() => encodeRequest({ method: 'lookupBlock', mode: 1, id: place, utime: 3 })).toThrow(
    'utime is given',
  );
});

test('an unknown link or signature set inside a proof is refused', () => {
  const [from] = fc.sample(blockId, { numRuns: 1, seed: 1 });
  const proof = {
    complete: true,
    from: from!,
    to: from!,
    steps: [
      {
        kind: 'forward' as const,
        toKeyBlock: true,
        from: from!,
        to: from!,
        destProof: Buffer.alloc(0),
        configProof: Buffer.alloc(0),
        signatures: {
          kind: 'ordinary' as const,
          validatorSetHash: 0xffffffff,
          catchainSeqno: 1,
          signatures: [],
        },
      },
    ],
  };
  const bytes = encodeResponse('getBlockProof', proof);
  expect(decodeResponse('getBlockProof', bytes)).toEqual(proof);
  const link = Buffer.from(bytes);
  link.writeUInt32LE(0x12345678, link.indexOf(Buffer.from('1cce0f52', 'hex')));
  expect(() => decodeResponse('getBlockProof', link)).toThrow(
    'liteServer.BlockLink, got constructor 0x12345678',
  );
  const set = Buffer.from(bytes);
  set.writeUInt32LE(0x12345678, set.indexOf(Buffer.from('e6a644f6', 'hex')));
  expect(() => decodeResponse('getBlockProof', set)).toThrow('SignatureSet, got constructor 0x12345678');
});

test('decodeLiteError decodes errors only', () => {
  fc.assert(
    fc.property(int, fc.string({ unit: 'grapheme' }), (code, message) => {
      expect(decodeLiteError(encodeLiteError({ code, message }))).toEqual({ code, message });
    }),
  );
  expect(decodeLiteError(encodeResponse('getTime', { now: 1 }))).toBeUndefined();
  expect(decodeLiteError(Buffer.alloc(3))).toBeUndefined();
  expect(() => decodeLiteError(Buffer.from('48e1a9bb', 'hex'))).toThrow(TlError);
});

test('a wait prefix survives withWaitPrefix and splitWaitPrefix', () => {
  fc.assert(
    fc.property(int, int, hash, (seqno, timeoutMs, request) => {
      const waiting = withWaitPrefix({ seqno, timeoutMs }, request);
      expect(splitWaitPrefix(waiting)).toEqual({ wait: { seqno, timeoutMs }, request });
    }),
  );
  const plain = encodeRequest({ method: 'getTime' });
  expect(splitWaitPrefix(plain)).toEqual({ wait: undefined, request: plain });
  expect(splitWaitPrefix(Buffer.alloc(2))).toEqual({ wait: undefined, request: Buffer.alloc(2) });
  expect(() => splitWaitPrefix(Buffer.from('92b8eaba00', 'hex'))).toThrow(TlError);
});
