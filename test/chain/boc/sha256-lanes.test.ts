import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSha256Lanes,
  LANE_BYTES,
  LANES,
  MAX_MESSAGE_BYTES,
  MESSAGES_AT,
} from '../../../src/chain/boc/sha256-lanes.ts';
import { sampled } from '../../support/long-run.ts';

const lanes = createSha256Lanes();
const memory = Buffer.from(lanes.memory.buffer);

function hashAll(messages: readonly Uint8Array[]): string[] {
  for (const [lane, message] of messages.entries()) memory.set(message, MESSAGES_AT + lane * LANE_BYTES);
  const [a, b, c, d] = messages.map(({ length }) => length) as [number, number, number, number];
  lanes.hash(a, b, c, d);
  return messages.map((_, lane) => memory.toString('hex', 32 * lane, 32 * (lane + 1)));
}

describe('SHA-256 of four messages at once', () => {
  it('is that of node:crypto for every length', () => {
    for (let length = 0; length <= MAX_MESSAGE_BYTES; length++) {
      // Lengths on both sides of the ends of blocks stand side by side.
      const messages = Array.from({ length: LANES }, (_, lane) =>
        Buffer.alloc((length + 61 * lane) % (MAX_MESSAGE_BYTES + 1), length + lane + 1),
      );
      expect(hashAll(messages)).toEqual(messages.map((message) => hash('sha256', message)));
    }
  });

  it('is that of node:crypto for any bytes', () => {
    const message = fc.uint8Array({ maxLength: MAX_MESSAGE_BYTES });
    fc.assert(
      fc.property(fc.array(message, { minLength: LANES, maxLength: LANES }), (messages) => {
        expect(hashAll(messages)).toEqual(messages.map((bytes) => hash('sha256', bytes)));
      }),
      { numRuns: sampled(500, 20_000) },
    );
  });
});
