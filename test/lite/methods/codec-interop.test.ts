import fc from 'fast-check';
import { Codecs, Functions } from 'ton-lite-client/dist/schema.js';
import { type TLCodec, TLReadBuffer, TLWriteBuffer } from 'ton-tl';
import { describe, expect, test } from 'vitest';
import { decodeLiteError, encodeLiteError, withWaitPrefix } from '../../../src/chain/tl/lite-envelope.ts';
import {
  decodeResponse,
  encodeRequest,
  encodeResponse,
  LITE_METHODS,
  type LiteMethod,
  type LiteRequest,
} from '../../../src/lite/methods/codec.ts';
import { int } from '../../chain/tl/arbitrary-values.ts';
import type { LiteResponse } from '../../support/lite-response.ts';
import { decodeRequest } from '../../support/lite-server.ts';
import { arbitraryAnswers, arbitraryRequests } from './support/arbitrary-messages.ts';

/** Their codecs write and read a constructor's fields without its id. */
const codecOf = (name: string): TLCodec<unknown> =>
  (Codecs as unknown as Record<string, TLCodec<unknown>>)[name.replaceAll('.', '_')] as TLCodec<unknown>;

/** Reads a message with their codec and writes it again. Works on a copy: their reader changes negative longs in place. */
function throughTheirs(name: string, message: Buffer): Buffer {
  const codec = codecOf(name);
  const decoder = new TLReadBuffer(Buffer.from(message.subarray(4)));
  const value = codec.decode(decoder);
  expect(decoder.readObject()).toHaveLength(0);
  const encoder = new TLWriteBuffer();
  codec.encode(value, encoder);
  return Buffer.concat([message.subarray(0, 4), encoder.build()]);
}

/** Responses that came after their schema, or changed since: a proof may hold the new signature sets, an id metadata. */
function knowsAnswer(method: LiteMethod, answer: LiteResponse): boolean {
  if (method === 'getBlockProof' && 'steps' in answer) {
    return answer.steps.every((step) => step.kind === 'back' || step.signatures.kind === 'ordinary');
  }
  if (method === 'listBlockTransactions' && 'reqCount' in answer && 'ids' in answer) {
    return answer.ids.every((id) => id.metadata === undefined);
  }
  return true;
}

/** Their schema takes the two flags of a list, which have no bytes, for fields. */
function knowsRequest(request: LiteRequest): boolean {
  return request.method !== 'listBlockTransactions' || (request.mode & 0b110_0000) === 0;
}

const THEIRS = (Object.keys(LITE_METHODS) as LiteMethod[]).filter(
  (method) => `liteServer_${method}` in Functions,
);

describe.each(THEIRS)('ton-lite-client and our codec of %s', (method) => {
  test('agree on requests', () => {
    const requests = arbitraryRequests[method] as fc.Arbitrary<LiteRequest>;
    fc.assert(
      fc.property(requests, (request) => {
        fc.pre(knowsRequest(request));
        const bytes = encodeRequest(request);
        const again = throughTheirs(`liteServer.${method}`, bytes);
        expect(again.equals(bytes)).toBe(true);
        expect(decodeRequest(again)).toEqual(request);
      }),
      { numRuns: 25 },
    );
  });

  test('agree on responses', () => {
    const answers = arbitraryAnswers[method] as fc.Arbitrary<LiteResponse>;
    fc.assert(
      fc.property(answers, (answer) => {
        fc.pre(knowsAnswer(method, answer));
        const bytes = encodeResponse(method, answer as never);
        const again = throughTheirs(LITE_METHODS[method].response.name, bytes);
        expect(again.equals(bytes)).toBe(true);
        expect(decodeResponse(method, again)).toEqual(answer);
      }),
      { numRuns: 25 },
    );
  });
});

test('ton-lite-client lacks exactly the functions that are newer than its schema', () => {
  const ours = Object.keys(LITE_METHODS) as LiteMethod[];
  expect(ours.filter((method) => !THEIRS.includes(method))).toEqual([
    'getBlockOutMsgQueueSize',
    'getDispatchQueueInfo',
    'getLibrariesWithProof',
    'getOutMsgQueueSizes',
    'listBlockTransactionsExt',
    'lookupBlockWithProof',
    'nonfinal.getPendingShardBlocks',
  ]);
});

test('ton-lite-client writes the same id before a request', () => {
  const encoder = new TLWriteBuffer();
  Functions.liteServer_getTime.encodeRequest({ kind: 'liteServer.getTime' }, encoder);
  expect(encoder.build()).toEqual(encodeRequest({ method: 'getTime' }));
});

test('ton-lite-client and our codecs agree on errors and wait prefixes', () => {
  fc.assert(
    fc.property(int, int, fc.string(), (number, seqno, message) => {
      const error = encodeLiteError({ code: number, message });
      expect(decodeLiteError(throughTheirs('liteServer.error', error))).toEqual({ code: number, message });
      const waiting = withWaitPrefix({ seqno, timeoutMs: number }, Buffer.alloc(0));
      expect(throughTheirs('liteServer.waitMasterchainSeqno', waiting)).toEqual(waiting);
    }),
  );
});
