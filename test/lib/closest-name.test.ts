import { describe, expect, it } from 'vitest';
import { closestName } from '../../src/lib/closest-name.ts';

const NAMES = ['account', 'accounts', 'hash', 'limit', 'start_utime', 'end_utime'];

describe('closestName', () => {
  it.each([
    ['acount', 'account'],
    ['accouts', 'accounts'],
    ['hahs', 'hash'],
    ['start_time', 'start_utime'],
    ['limi', 'limit'],
    ['limit', 'limit'],
  ])('finds for %s the name %s', (name, meant) => expect(closestName(name, NAMES)).toBe(meant));

  it.each(['', 'colour', 'x', 'a'.repeat(1000)])('finds none for %s', (name) =>
    expect(closestName(name, NAMES)).toBeUndefined(),
  );
});
