import { describe, expect, it } from 'vitest';
import { bytesKey, distinctBytes, ownBytes } from '../../src/lib/bytes-key.ts';

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

it('copies bytes that are part of a much larger buffer', () => {
  const pooled = Buffer.from('a few bytes');
  expect(pooled.buffer.byteLength).toBeGreaterThan(4096);
  const own = ownBytes(pooled);
  expect(own).toEqual(pooled);
  expect(own.buffer.byteLength).toBe(pooled.length);
  pooled.fill(0);
  expect(own.toString()).toBe('a few bytes');
});

it('leaves bytes as they are if hardly anything is kept with them', () => {
  const whole = Buffer.allocUnsafeSlow(3000);
  const most = whole.subarray(500, 2900);
  expect(ownBytes(whole)).toBe(whole);
  expect(ownBytes(most)).toBe(most);
});

it('copies empty bytes too', () => {
  const nothing = Buffer.from('text').subarray(0, 0);
  expect(ownBytes(nothing)).toHaveLength(0);
});
