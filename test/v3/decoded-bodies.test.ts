import { beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { createProtocolDecoder } from '../../src/actions/layouts.ts';
import { rawJson } from '../../src/http/serializer.ts';
import { createDecodedBodies } from '../../src/v3/decoded-bodies.ts';

const decoder = createProtocolDecoder();
const comment = (text: string) => beginCell().storeUint(0, 32).storeStringTail(text).endCell().toBoc();

describe('createDecodedBodies', () => {
  it('returns null for missing and unknown bodies', () => {
    const bodies = createDecodedBodies(decoder);
    expect(bodies.decodedJson(null)).toBeNull();
    expect(bodies.decodedJson(Buffer.from('no bag'))).toBeNull();
    expect(bodies.decodedJson(beginCell().storeUint(5, 5).endCell().toBoc())).toBeNull();
  });

  it('gives text comments their older field names, but not comments that are bags of cells', () => {
    const bodies = createDecodedBodies(decoder);
    const old = '{"@type":"text_comment","comment":"a \\"b\\"","type":"text_comment"}';
    expect(bodies.decodedJson(comment('a "b"'))).toBe(rawJson(old));
    expect(bodies.decodedJson(comment(''))).toBe(
      rawJson('{"@type":"text_comment","comment":"","type":"text_comment"}'),
    );
    const inside = '{"@type":"text_comment","text":{"@type":"text_comment","text":"x"}}';
    expect(bodies.decodedJson(comment(comment('x').toString('base64')))).toBe(rawJson(inside));
    // Nested comments have one form only.
    const bounced = beginCell().storeUint(0xffffffff, 32).storeUint(0, 32).storeStringTail('x').endCell();
    const below = '{"@type":"bounce","payload":{"@type":"text_comment","text":"x"}}';
    expect(bodies.decodedJson(bounced.toBoc())).toBe(rawJson(below));
    expect(bodies.decodedJsonOfText(comment('x').toString('hex'))).toBe(
      rawJson('{"@type":"text_comment","text":"x"}'),
    );
  });

  it('returns null beyond the size limit of a response', () => {
    const bodies = createDecodedBodies(decoder);
    const long = comment('x'.repeat(100_000));
    const shown = Array.from({ length: 1000 }, () => bodies.decodedJson(long)).filter(
      (meaning) => meaning !== null,
    );
    expect(shown.length).toBeGreaterThan(500);
    expect(shown.length).toBeLessThan(700);
    expect(bodies.decodedJsonOfText(long.toString('base64'))).toBe(
      rawJson('{"error":"unknown: too much to decode"}'),
    );
    expect(createDecodedBodies(decoder).decodedJson(long)).toBe(shown[0]);
  });
});
