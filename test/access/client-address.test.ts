import { normalizeIP } from '@fastify/rate-limit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAddressGroups } from '../../src/access/client-address.ts';

const groupOf = createAddressGroups();

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['255.255.255.255', '255.255.255.255'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80::'],
  // Written by some proxies with the port.
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::'],
])('%s belongs to %s', (ip, group) => {
  expect(groupOf(ip)).toBe(group);
  expect(groupOf(ip)).toBe(group);
});

test('neighbours in a /64 share a group, others do not', () => {
  expect(groupOf('2001:db8:1:2::1')).toBe(groupOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  expect(groupOf('2001:db8:1:2::1')).not.toBe(groupOf('2001:db8:1:3::1'));
});

test('what is no address shares one group, however it is varied', () => {
  const forged = [
    'unknown-client-of-the-proxy',
    '1.2.3.4.5.6.7.8.9',
    'a:b:c',
    `::ffff:${'1.'.repeat(5000)}`,
    `10.0.0.1${' '.repeat(5000)}`,
  ];
  expect(new Set(forged.map(groupOf))).toEqual(new Set(['invalid']));
  // A Unix socket has no address.
  expect(groupOf(undefined)).toBe('');
});

test('agrees with the package on every address', () => {
  const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(anyAddress, (ip) => {
      expect(groupOf(ip)).toBe(normalizeIP(ip));
    }),
  );
});
