import { describe, expect, it } from 'vitest';
import { bytesKey, distinctBytes } from '../../src/lib/bytes-key.ts';

describe('bytesKey', () => {
  it('gives equal bytes the same key and different bytes different keys', () => {
    expect(bytesKey(Buffer.from('80ff', 'hex'))).toBe(bytesKey(Buffer.from([0x80, 0xff])));
    expect(bytesKey(Buffer.from([0x80]))).not.toBe(bytesKey(Buffer.from([0x81])));
  });
});

describe('distinctBytes', () => {
  it('keeps the first of equal values, in the order given', () => {
    const [one, two] = [Buffer.from([2]), Buffer.from([1])];
    expect(distinctBytes([one, two, Buffer.from([2])])).toEqual([one, two]);
  });
});
