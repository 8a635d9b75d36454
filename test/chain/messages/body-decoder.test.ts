import { Address, type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { createProtocolDecoder } from '../../../src/actions/layouts.ts';

const decoder = createProtocolDecoder();
const decode = (cell: Cell) => {
  const decoded = decoder.decodeBoc(cell.toBoc());
  return 'json' in decoded ? JSON.parse(decoded.json) : decoded.error;
};
const op = (opcode: number) => beginCell().storeUint(opcode, 32);
const bag = (cell: Cell | Builder) =>
  ('endCell' in cell ? cell.endCell() : cell).toBoc({ idx: false, crc32: false }).toString('base64');
const comment = (text: string) => op(0).storeStringTail(text);
const someone = Address.parse(`0:${'ab'.repeat(32)}`);
const NO_LAYOUT = 'unknown: no parser succeeded';

describe('opcodeName', () => {
  it('returns the name of the first group', () => {
    expect(decoder.opcodeName(0)).toBe('text_comment');
    expect(decoder.opcodeName(0x0f8a7ea5)).toBe('jetton_transfer');
    // jetton_notify of group 1, megaton_swap of group 12.
    expect(decoder.opcodeName(0x7362d09c)).toBe('jetton_notify');
    expect(decoder.opcodeName(0xffffffff)).toBe('bounce');
    expect(decoder.opcodeName(0x12345678)).toBeUndefined();
  });

  it('returns names of bodies that never match', () => {
    const joined = 'evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin';
    expect(decoder.opcodeName(1)).toBe(joined);
    expect(decoder.opcodeName(0x0bf3f447)).toBe('tonco_account_refund_me');
    expect(decoder.opcodeName(0x0c0ffede)).toBe('coffee_staking_lock_forward_payload');
    expect(decode(op(0x0bf3f447).storeUint(1, 64).endCell())).toBe(NO_LAYOUT);
    expect(decode(op(0x0c0ffede).storeUint(1, 32).endCell())).toBe(NO_LAYOUT);
    // Not even what looks like it.
    expect(decode(op(1).storeUint(0x387da03b, 32).endCell())).toBe(NO_LAYOUT);
  });
});

describe('decodeText', () => {
  it.each([
    ['te6', 'failed to decode base64: Wrong padding length'],
    ['te6cck===', 'failed to decode base64: Wrong string padding'],
    ['te6cck E', 'failed to decode base64: Wrong character in the string'],
    ['te6cckEBAQEAAgAAAEysuc1=', 'failed to decode base64: Wrong padding in the string'],
    ['abc', 'failed to decode hex: Wrong hex string length'],
    ['0x12', 'failed to decode hex: Wrong hex string'],
    [
      '',
      'failed to deserialize boc: cannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)',
    ],
    [
      '00112233445566778899',
      'failed to deserialize boc: cannot deserialize bag-of-cells: invalid header, error 0',
    ],
  ])('%s', (text, reason) => {
    expect(decoder.decodeText(text)).toEqual({ error: `unknown: ${reason}` });
  });

  it('accepts base64, and hex of either case', () => {
    const boc = comment('hi').endCell().toBoc();
    const expected = { json: '{"@type":"text_comment","text":"hi"}' };
    for (const text of [boc.toString('base64'), boc.toString('hex'), boc.toString('hex').toUpperCase()])
      expect(decoder.decodeText(text)).toEqual(expected);
  });
});

describe('decodeCell', () => {
  it('handles bodies that are empty or too small for an opcode', () => {
    expect(decode(beginCell().endCell())).toEqual({ '@type': 'empty_cell' });
    expect(decode(beginCell().storeUint(1, 31).endCell())).toBe('unknown: boc is too small, size 31');
    const onlyRef = beginCell().storeRef(beginCell()).endCell();
    expect(decode(onlyRef)).toBe('unknown: boc is too small, size 0');
  });

  it('accepts more bits and references than the layout has', () => {
    const excess = { '@type': 'excess', query_id: '18446744073709551615' };
    const body = op(0xd53276db).storeUint(2n ** 64n - 1n, 64);
    expect(decode(body.endCell())).toEqual(excess);
    expect(decode(body.storeUint(5, 7).storeRef(beginCell()).endCell())).toEqual(excess);
    const longKey = beginCell().storeBuffer(Buffer.alloc(64, 1)).storeUint(1, 1);
    const stake = op(0xa2065f2c)
      .storeUint(0, 64)
      .storeCoins(0)
      .storeCoins(0)
      .storeUint(0, 256 + 64 + 256);
    expect(decode(stake.storeRef(longKey).endCell()).signature).toBe('01'.repeat(64));
  });

  it('uses the first group that matches', () => {
    const head = () =>
      op(0x178d4519).storeUint(1, 64).storeCoins(2).storeAddress(null).storeAddress(null).storeCoins(0);
    // Group 0 has an either, group 1 takes anything.
    expect(decode(head().storeBit(0).endCell()).forward_payload).toEqual({
      '@type': 'first_from_either',
      value: { '@type': 'empty_cell' },
    });
    expect(decode(head().endCell()).forward_payload).toEqual({ '@type': 'empty_cell' });
    // Of opcode 1 only what comes after the joined name.
    const guardians = beginCell().storeUint(1, 8).storeUint(2, 32).storeUint(3, 8);
    expect(decode(op(1).storeRef(guardians).endCell())).toEqual({
      '@type': 'pyth_update_guardian_set',
      '': {
        version: '1',
        guardian_set_index: '2',
        signatures_length: '3',
        rest_signatures: { '@type': 'empty_cell' },
      },
    });
    // A comment is text here and below, or else text below only.
    const below = beginCell().storeStringTail('below');
    expect(decode(comment('here and ').storeRef(below).endCell()).text).toBe('here and below');
    expect(decode(op(0).storeUint(0xff, 8).storeRef(below).endCell()).text).toBe('below');
  });

  it('shows a bit as a record, and conditional fields only where present', () => {
    const smc = beginCell().storeUint(0x9fd3, 16).storeAddress(someone);
    const change = (record: Builder) =>
      decode(op(0x4eb1f0f9).storeUint(0, 64).storeUint(0, 256).storeRef(record).endCell());
    expect(change(smc.storeUint(0, 8)).value).not.toHaveProperty('cap_list');
    const capable = beginCell().storeUint(0x9fd3, 16).storeAddress(someone).storeUint(1, 8).storeUint(0b0, 1);
    expect(change(capable).value.cap_list).toEqual({ '@type': 'cap_list_nil' });
    // Flags above 1 do not fit, so it is a record that is deleted.
    const wrong = beginCell().storeUint(0x9fd3, 16).storeAddress(someone).storeUint(2, 8);
    expect(change(wrong)['@type']).toBe('delete_dns_record');
    const claim = op(0x78d9f109).storeUint(0, 64).storeBit(1);
    const leaf = beginCell().storeUint(0b110, 3).storeUint(267, 9).storeBit(1);
    expect(decode(claim.storeRef(leaf).endCell()).jettons_to_claim.root).toEqual({
      '@type': 'hashmap_edge',
      label: { '@type': 'hashmap_label_same', v: false, n: '267' },
      node: { '@type': 'hashmap_node_leaf', value: { bit: '1' } },
    });
  });
});

describe('decoding a comment', () => {
  it('continues in the next cell, each padded to whole bytes', () => {
    const tail = beginCell().storeBuffer(Buffer.from('и'));
    expect(decode(comment('при').storeRef(tail).endCell()).text).toBe('прии');
    expect(decode(op(0).storeUint(0b0100, 4).endCell()).text).toBe('@');
  });

  it('accepts a character split over two cells, but only UTF-8', () => {
    const [first, second] = Buffer.from('я');
    const half = op(0).storeUint(first!, 8);
    expect(decode(half.storeRef(beginCell().storeUint(second!, 8)).endCell()).text).toBe('я');
    expect(decode(op(0).storeBuffer(Buffer.from('eda080', 'hex')).endCell())).toBe(NO_LAYOUT);
  });

  it('rejects a cell with two references', () => {
    const fork = beginCell().storeRef(beginCell()).storeRef(beginCell());
    expect(decode(comment('a').storeRef(fork).endCell())).toBe(NO_LAYOUT);
  });

  it('decodes a bag of cells in the text', () => {
    const inside = bag(comment('inside'));
    expect(decode(comment(inside).endCell()).text).toEqual({ '@type': 'text_comment', text: 'inside' });
    const unknown = bag(op(0x12345678));
    for (const text of [unknown, `${inside}x`, 'te6c', 'te6cc?'])
      expect(decode(comment(text).endCell()).text).toBe(text);
  });
});

describe('cells inside bodies', () => {
  const nested = (depth: number): Cell =>
    depth === 0
      ? comment('deep').endCell()
      : op(0xffffffff)
          .storeSlice(nested(depth - 1).asSlice())
          .endCell();

  it('are decoded down to the eleventh level', () => {
    let [at, levels] = [decode(nested(11)), 0];
    for (; typeof at === 'object' && at['@type'] === 'bounce'; at = at.payload) levels++;
    expect([levels, at]).toEqual([11, { '@type': 'text_comment', text: 'deep' }]);
    at = decode(nested(12));
    for (let i = 0; i < 12; i++) at = at.payload;
    expect(at).toBe(bag(nested(0)));
  });

  it('stay bags of cells where no layout matches', () => {
    const library = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
    const odd = beginCell().storeUint(1, 3).storeRef(beginCell().storeUint(2, 2)).endCell();
    for (const code of [library, odd]) {
      const upgrade = op(0x11aefd51).storeUint(0, 64).storeRef(code).endCell();
      expect(decode(upgrade)).toEqual({ '@type': 'cocoon_upgrade_code', query_id: '0', new_code: bag(code) });
    }
    const rest = op(0x2e04891a).storeUint(1, 3).storeRef(odd).endCell();
    expect(decode(rest).rest).toBe(bag(beginCell().storeUint(1, 3).storeRef(odd)));
  });
});
