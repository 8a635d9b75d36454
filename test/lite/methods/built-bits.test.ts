import { describe, expect, it } from 'vitest';
import { encodeResponse } from '../../../src/lite/methods/codec.ts';
import { ProofFailure } from '../../../src/lite/methods/proofs.ts';
import { sampleChain } from '../../support/chain-builder/sample-chain.ts';
import { answerRequest } from '../../support/chain-builder/sample-server.ts';
import { sampled } from '../../support/long-run.ts';
import { builtRequests } from './support/built-requests.ts';
import { checkAnswer } from './support/check-answer.ts';
import { flipBits } from './support/flip-bits.ts';

const FLIPS = sampled(50, 200);

describe('responses of a built chain', () => {
  const chain = sampleChain();

  it.each(Object.entries(builtRequests(chain)))(
    '%s: is accepted, and refused with any changed bit',
    (_name, request) => {
      const answer = encodeResponse(request.method, answerRequest(chain, request) as never);
      checkAnswer(request, answer);
      checkAnswer(request, answer, { verify: false });
      const { refused, harmless, problems } = flipBits(request, answer, FLIPS);
      expect(problems).toEqual([]);
      expect(refused + harmless).toBe(FLIPS);
    },
  );

  it('are refused if they are malformed, or of another function', () => {
    const requests = Object.values(builtRequests(chain));
    const time = encodeResponse('getTime', { now: 1 });
    for (const request of requests)
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(100), time])
        expect(() => checkAnswer(request, bytes)).toThrow(ProofFailure);
  });

  it('are refused if they are truncated or too long', () => {
    for (const request of Object.values(builtRequests(chain))) {
      const answer = encodeResponse(request.method, answerRequest(chain, request) as never);
      expect(() => checkAnswer(request, answer.subarray(0, answer.length - 4))).toThrow(ProofFailure);
      expect(() => checkAnswer(request, Buffer.concat([answer, Buffer.alloc(4)]))).toThrow(ProofFailure);
    }
  });
});
