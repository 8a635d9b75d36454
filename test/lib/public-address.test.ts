import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/lib/public-address.ts';
import { sampled } from '../support/long-run.ts';

const SPECIAL_IPV4: readonly (readonly [prefix: string, name: string])[] = [
  ['00000000', 'this network'],
  ['00001010', 'private'],
  ['0110010001', 'behind the translation of a provider'],
  ['01111111', 'loopback'],
  ['1010100111111110', 'link-local'],
  ['101011000001', 'private'],
  ['110000000000000000000000', 'protocols'],
  ['110000000000000000000010', 'documents'],
  ['110000000101100001100011', 'relays of 6to4'],
  ['1100000010101000', 'private'],
  ['110001100001001', 'benchmarks'],
  ['110001100011001101100100', 'documents'],
  ['110010110000000001110001', 'documents'],
  ['1110', 'multicast'],
  ['1111', 'reserved'],
  ['10101000001111111000000100010000', 'Azure'],
  ['110001110010010010011001000001', 'Google'],
  ['110001110010010010011001000010', 'Google'],
  ['1010000100011010', 'IBM'],
  ['10100110000010', 'IBM'],
];

const bitsOf = (groups: readonly number[], width: number) =>
  groups.map((group) => group.toString(2).padStart(width, '0')).join('');

function isPublicIpv4(bytes: readonly number[]): boolean {
  return !SPECIAL_IPV4.some(([prefix]) => bitsOf(bytes, 8).startsWith(prefix));
}

function isPublicIpv6([a, b, c, d]: readonly number[]): boolean {
  if (a === 0x2600 && b === 0x2d00 && c === 2 && [0x10, 0x20].includes(d! >> 8)) return false;
  if (a! < 0x2000 || a! > 0x3fff) return false;
  if (a === 0x2001) return b! > 0x1ff && b !== 0xdb8;
  return a !== 0x2002 && !(a === 0x3fff && b! < 0x1000);
}

/** Addresses near network boundaries, which are too rare among random ones. */
const ipv4 = fc.oneof(
  fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
  fc.tuple(fc.constantFrom(...SPECIAL_IPV4), fc.nat(31), fc.nat()).map(([[prefix], flip, rest]) => {
    const bits = [...(prefix + rest.toString(2).padStart(32, '0')).slice(0, 32)].map(Number);
    if (flip < prefix.length) bits[flip]! ^= 1;
    return [0, 8, 16, 24].map((at) => Number.parseInt(bits.slice(at, at + 8).join(''), 2));
  }),
);
const group = fc.nat(0xffff);
const ipv6 = fc
  .tuple(
    fc.oneof(
      group,
      fc.constantFrom(0, 0x64, 0x1fff, 0x2000, 0x2001, 0x2002, 0x3fff, 0x4000, 0xfd00, 0xfe80, 0xff02),
    ),
    fc.oneof(group, fc.constantFrom(0, 1, 0x1ff, 0x200, 0xdb8, 0xdb9, 0xfff, 0x1000, 0xff9b)),
    fc.array(group, { minLength: 6, maxLength: 6 }),
  )
  .map(([a, b, rest]) => [a, b, ...rest]);

describe('isPublicAddress', () => {
  it('agrees with a bitwise check for IPv4', () => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        expect(isPublicAddress(bytes.join('.'))).toBe(isPublicIpv4(bytes));
      }),
      { numRuns: sampled(750, 3000) },
    );
  });

  it('agrees with a groupwise check for IPv6', () => {
    fc.assert(
      fc.property(ipv6, (groups) => {
        expect(isPublicAddress(groups.map((one) => one.toString(16)).join(':'))).toBe(isPublicIpv6(groups));
      }),
      { numRuns: sampled(750, 3000) },
    );
  });

  it('rejects IPv4 addresses embedded in IPv6 in any form', () => {
    fc.assert(
      fc.property(ipv4, ([a, b, c, d]) => {
        const plain = `${a}.${b}.${c}.${d}`;
        const hex = `${((a! << 8) | b!).toString(16)}:${((c! << 8) | d!).toString(16)}`;
        for (const address of [
          `::ffff:${plain}`,
          `::ffff:${hex}`,
          `::${plain}`,
          `64:ff9b::${plain}`,
          `64:ff9b:1::${hex}`,
          `2002:${hex}::1`,
          `2001:0:${hex}::1`,
          `::ffff:0:${plain}`,
        ])
          expect(isPublicAddress(address), address).toBe(false);
      }),
    );
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '1.2.3.4.5',
    '1.2.3',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '::',
    '::1',
    'fd00::1',
  ])('rejects %j', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    ['Amazon, Azure, DigitalOcean, Google, Hetzner, OpenStack', '169.254.169.254'],
    ['Amazon, containers', '169.254.170.2'],
    ['Amazon, IPv6', 'fd00:ec2::254'],
    ['Tencent', '169.254.0.23'],
    ['Azure', '168.63.129.16'],
    ['Azure, mapped', '::ffff:168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
    ['Oracle, IPv6', 'fd00:c1::a9fe:a9fe'],
    ['Google, IPv6', 'fd20:ce::254'],
    ['Google, private access', '199.36.153.8'],
    ['Google, private access, IPv6', '2600:2d00:2:2000::1'],
    ['IBM', '161.26.0.10'],
    ['IBM', '166.9.12.1'],
  ])('rejects the metadata and the services of %s at %s', (_cloud, address) =>
    expect(isPublicAddress(address)).toBe(false),
  );

  it.each([
    '168.63.129.15',
    '168.63.129.17',
    '161.27.0.1',
    '166.12.0.1',
    '199.36.153.3',
    '2600:2d00:2:3000::1',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '3fff:1000::1',
  ])('accepts %j', (address) => expect(isPublicAddress(address)).toBe(true));
});
