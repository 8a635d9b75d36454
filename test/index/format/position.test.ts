import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accountKey } from '../../../src/chain/address.ts';
import {
  accountPrefix,
  accountsWithPrefixOf,
  hashPrefix,
  pageNumber,
  pageOf,
  positionOf,
  seqnoOfPage,
  shardPrefixes,
  slotOf,
} from '../../../src/index/format/position.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

it('positions are safe integers that give back their parts, also at the largest seqno', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.nat(2 ** 16 - 1), fc.nat(63), (seqno, ordinal, slot) => {
      const at = positionOf(pageNumber(seqno, ordinal), slot);
      expect(Number.isSafeInteger(at)).toBe(true);
      expect([seqnoOfPage(pageOf(at)), pageOf(at) - pageNumber(seqno, 0), slotOf(at)]).toEqual([
        seqno,
        ordinal,
        slot,
      ]);
    }),
    { examples: [[2 ** 31 - 1, 2 ** 16 - 1, 63]] },
  );
  expect(() => pageNumber(1, 2 ** 16)).toThrow(RangeError);
});

it('the order of hash prefixes is the order of hashes', () => {
  fc.assert(
    fc.property(hash, hash, (one, other) => {
      const order = Buffer.compare(one.subarray(0, 8), other.subarray(0, 8));
      expect(Math.sign(Number(hashPrefix(one) - hashPrefix(other)))).toBe(order);
    }),
  );
  expect(hashPrefix(Buffer.alloc(32))).toBe(-(2n ** 63n));
  expect(hashPrefix(Buffer.alloc(32, 255))).toBe(2n ** 63n - 1n);
});

it('account prefixes order the masterchain before the basechain, and hashes in both', () => {
  const workchain = fc.constantFrom(-1, 0);
  fc.assert(
    fc.property(workchain, hash, workchain, hash, (a, one, b, other) => {
      const [left, right] = [accountPrefix(accountKey(a, one)), accountPrefix(accountKey(b, other))];
      // The last of the 64 bits is not in the prefix.
      const bits = one.readBigUInt64BE(0) / 2n - other.readBigUInt64BE(0) / 2n;
      expect(Math.sign(Number(left - right))).toBe(Math.sign(a - b || Number(bits)));
    }),
  );
});

it('the same hash has different account prefixes in different workchains, all of them 64-bit integers', () => {
  fc.assert(
    fc.property(hash, (one) => {
      const prefixes = [-128, -2, -1, 0, 1, 2, 127].map((chain) => accountPrefix(accountKey(chain, one)));
      expect(new Set(prefixes).size).toBe(prefixes.length);
      for (const prefix of prefixes) expect(BigInt.asIntN(64, prefix)).toBe(prefix);
    }),
  );
});

it('the prefixes of a shard are those of its accounts', () => {
  const depth = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(fc.constantFrom(-1, 0), hash, hash, depth, (workchain, one, other, bits) => {
      const end = 1n << BigInt(63 - bits);
      const shardOf = (account: Buffer) => (account.readBigUInt64BE(0) & -end & ~end) | end;
      const { from, to } = shardPrefixes(workchain, BigInt.asIntN(64, shardOf(one)));
      for (const account of [one, other]) {
        const prefix = accountPrefix(accountKey(workchain, account));
        expect(prefix >= from && prefix <= to).toBe(shardOf(account) === shardOf(one));
      }
    }),
  );
  expect(shardPrefixes(0)).toEqual({ from: 0n, to: 2n ** 63n - 1n });
  expect(shardPrefixes(-1)).toEqual({ from: -(2n ** 63n), to: -1n });
});

it('accounts with the same prefix are those between two accounts', () => {
  const bit = fc.nat(8 * 33 - 1);
  fc.assert(
    fc.property(fc.constantFrom(-1, 0), hash, bit, (workchain, one, changed) => {
      const account = accountKey(workchain, one);
      const other = Buffer.from(account);
      other[changed >> 3]! ^= 0x80 >> (changed & 7);
      const [first, last] = accountsWithPrefixOf(account);
      const isBetween = Buffer.compare(first, other) <= 0 && Buffer.compare(other, last) <= 0;
      expect(isBetween).toBe(other[0] === account[0] && accountPrefix(other) === accountPrefix(account));
    }),
  );
});
