import { Address, beginCell, Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  decodeDnsName,
  dnsCategory,
  dnsCategoryName,
  encodeDnsName,
  formatAdnlAddress,
  readDnsRecord,
  readDnsRecords,
} from '../../../src/chain/contracts/dns.ts';

const ID = Buffer.alloc(32, 0x5a);
const account = new Address(-1, ID);

function record(cell: Cell): unknown {
  const bag = fromCoreCell(cell);
  return readDnsRecord(bag, bag.root);
}

const tag = (value: number) => beginCell().storeUint(value, 16);

describe('DNS records', () => {
  it('are read for every kind', () => {
    const address = { kind: 'std', workchain: -1, hash: ID, anycast: undefined };
    const smc = tag(0x9fd3).storeAddress(account);
    expect(record(smc.storeUint(0, 8).endCell())).toEqual({ kind: 'smc_address', address });
    expect(record(tag(0xba93).storeAddress(account).endCell())).toEqual({ kind: 'next_resolver', address });
    const adnl = tag(0xad01)
      .storeBuffer(ID)
      .storeUint(1, 8)
      .storeUint(0b1, 1)
      .storeUint(0x4854, 16)
      .storeBit(0);
    expect(record(adnl.endCell())).toEqual({ kind: 'adnl_address', id: ID });
    expect(record(tag(0x7473).storeBuffer(ID).endCell())).toEqual({ kind: 'storage_address', id: ID });
    const tail = beginCell().storeUint(6, 8).storeBuffer(Buffer.from(' world')).endCell();
    const text = tag(0x1eda).storeUint(2, 8).storeUint(5, 8).storeBuffer(Buffer.from('hello')).storeRef(tail);
    expect(record(text.endCell())).toEqual({ kind: 'text', text: 'hello world' });
    expect(record(tag(0x1eda).storeUint(0, 8).endCell())).toEqual({ kind: 'text', text: '' });
  });

  it.each([
    ['nothing', Cell.EMPTY],
    ['an unknown tag', tag(1).storeBuffer(ID).endCell()],
    ['no address', tag(0xba93).storeUint(0, 2).endCell()],
    [
      'an address outside the chain',
      tag(0xba93).storeUint(0b01, 2).storeUint(8, 9).storeUint(7, 8).endCell(),
    ],
    ['no flags', tag(0x9fd3).storeAddress(account).endCell()],
    ['unknown flags', tag(0xad01).storeBuffer(ID).storeUint(2, 8).endCell()],
    ['a short id', tag(0x7473).storeUint(0, 255).endCell()],
    ['a text without its second chunk', tag(0x1eda).storeUint(2, 8).storeUint(0, 8).endCell()],
    ['a library reference', beginCell().storeUint(2, 8).storeBuffer(ID).endCell({ exotic: true })],
  ])('are undefined for %s', (_name, cell) => {
    expect(record(cell)).toBeUndefined();
  });

  it('are listed for a name, without unreadable ones', () => {
    const records = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
    records.set(dnsCategory('wallet'), tag(0x9fd3).storeAddress(account).storeUint(0, 8).endCell());
    records.set(dnsCategory('site'), tag(0xad01).storeBuffer(ID).storeUint(0, 8).endCell());
    records.set(dnsCategory('broken'), tag(0xad01).endCell());
    records.set(dnsCategory('mine'), tag(0x7473).storeBuffer(ID).endCell());
    const bag = fromCoreCell(beginCell().storeDictDirect(records).endCell());
    const found = readDnsRecords(bag, bag.root);
    expect(found.map(({ record: { kind } }) => kind).sort()).toEqual([
      'adnl_address',
      'smc_address',
      'storage_address',
    ]);
    expect(found.map(({ category }) => dnsCategoryName(category)).sort()).toEqual([
      'site',
      'wallet',
      undefined,
    ]);
    expect(found.map(({ category }) => category.toString('hex'))).toEqual(
      found.map(({ category }) => category.toString('hex')).sort(),
    );
    const none = fromCoreCell(Cell.EMPTY);
    expect(() => readDnsRecords(none, none.root)).toThrow(CellError);
  });

  it.each([
    ['wallet', 'e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b'],
    ['site', 'fbae041b02c41ed0fd8a4efb039bc780dd6af4a1f0c420f42561ae705dda43fe'],
    ['storage', '49a25f9feefaffecad0fcd30c50dc9331cff8b55ece53def6285c09e17e6f5d7'],
    ['dns_next_resolver', '19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff'],
  ])('have the category %s', (name, hex) => {
    expect(dnsCategory(name).toString('hex')).toBe(hex);
    expect(dnsCategoryName(Buffer.from(hex, 'hex'))).toBe(name);
  });
});

describe('encodeDnsName and decodeDnsName', () => {
  it.each([
    ['', '\0'],
    ['.', '\0'],
    ['ton', 'ton\0'],
    ['alice.ton', 'ton\0alice\0'],
    ['alice.ton.', '\0ton\0alice\0'],
    ['.ton', 'ton\0'],
    ['привет.ton', 'ton\0привет\0'],
  ])('encode %j', (name, encoded) => {
    expect(encodeDnsName(name).toString()).toBe(encoded);
  });

  it('decode the resolved part', () => {
    expect(decodeDnsName(Buffer.from('ton\0'))).toBe('.ton');
    expect(decodeDnsName(Buffer.from('\0ton\0alice\0'))).toBe('.alice.ton.');
    expect(decodeDnsName(Buffer.from('ton\0alice'))).toBe('alice.ton');
  });

  it('reject names that are too long', () => {
    expect(encodeDnsName('a'.repeat(126))).toHaveLength(127);
    expect(() => encodeDnsName('a'.repeat(127))).toThrow('DNS encoded name is too long');
    expect(() => encodeDnsName('a'.repeat(129))).toThrow('Name is too long');
    expect(() => encodeDnsName('я'.repeat(65))).toThrow('Name is too long');
  });
});

describe('ADNL addresses', () => {
  it('have 55 characters', () => {
    const id = Buffer.from('dadb8d9a8952695fd529c85cde3c12df799c5fac3bbeb869589ff23ac20009e3', 'hex');
    expect(formatAdnlAddress(id)).toBe('xnnxdm2rfjgsx6vfhefzxr4clpxthc7vq535odjlcp7eowcaae6gaxi');
  });
});
