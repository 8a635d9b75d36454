import { beginCell, type Cell, CellType } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { ALL_LAYOUTS } from '../../../src/actions/layouts.ts';
import { createBodyDecoder } from '../../../src/chain/messages/body-decoder.ts';
import { parseScheme } from '../../../src/chain/messages/notation.ts';
import { createMutator } from '../../support/fuzz/fuzz-decoder.ts';
import { createBodyMaker, WALLET_FORMS } from './made-body.ts';

const scheme = parseScheme(ALL_LAYOUTS);
const decoder = createBodyDecoder(() => scheme);
const maker = createBodyMaker(scheme, createMutator(Number(process.env.FUZZ_SEED ?? 1)).below);
const decode = (cell: Cell) => decoder.decodeBoc(cell.toBoc());
const typeOf = (cell: Cell) => {
  const decoded = decode(cell);
  return 'json' in decoded ? JSON.parse(decoded.json)['@type'] : decoded.error;
};

const LIBRARY = 'unknown: vm error - failed to load library cell (no vm_state_interface available)';
const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 5)).endCell({ exotic: true });
const signature = Buffer.alloc(64, 0xee);
const signed = () => beginCell().storeBuffer(signature);

describe('bodies of wallets', () => {
  it.each(WALLET_FORMS)('%s with %j is read as it was written', (type, numbers) => {
    for (let round = 0; round < 20; round++) {
      const { cell, json } = maker.type(type, numbers);
      expect(decode(cell)).toEqual({ json });
    }
  });

  it('with a signature are rejected if anything is left over', () => {
    for (const [type, numbers] of WALLET_FORMS.slice(4)) {
      const { cell } = maker.type(type, numbers);
      const [bits, refs] = [cell.bits.length, cell.refs.length];
      if (bits < 1020) {
        const longer = beginCell().storeSlice(cell.asSlice()).storeUint(0b101, 3).endCell();
        expect(typeOf(longer), type).toBe('unknown: no parser succeeded');
      }
      if (refs < 4) {
        const wider = beginCell().storeSlice(cell.asSlice()).storeRef(beginCell()).endCell();
        expect(typeOf(wider), type).toBe('unknown: no parser succeeded');
      }
    }
  });

  it('of v5 that do not match are shown as the rest after the opcode', () => {
    const rest = beginCell().storeUint(7, 3).endCell();
    for (const [opcode, name] of [
      [0x7369676e, 'w5_external_signed_request'],
      [0x73696e74, 'w5_internal_signed_request'],
      [0x6578746e, 'w5_extension_action_request'],
      [0xae42e5a4, 'highload_v3_internal_request'],
    ] as const) {
      const shown = rest.toBoc({ idx: false, crc32: false }).toString('base64');
      const json = JSON.stringify({ '@type': name, rest: shown });
      expect(decode(beginCell().storeUint(opcode, 32).storeUint(7, 3).endCell())).toEqual({ json });
    }
  });

  it('with 255 messages are read completely', () => {
    let list = beginCell().endCell();
    for (let i = 0; i < 255; i++) {
      const reserve = beginCell().storeUint(0x36e6b809, 32).storeUint(i, 8).storeCoins(i).storeBit(0);
      list = beginCell().storeRef(list).storeBuilder(reserve).endCell();
    }
    const body = beginCell().storeUint(0xae42e5a4, 32).storeUint(1, 64).storeRef(list).endCell();
    const decoded = decode(body);
    let [depth, at] = [0, JSON.parse('json' in decoded ? decoded.json : '{}').actions];
    for (; at['@type'] === 'out_list'; at = at.prev) depth++;
    expect([depth, at]).toEqual([255, { '@type': 'out_list_empty' }]);
  });

  it('with exotic cells in the chain of actions are not decoded', () => {
    expect(decode(signed().storeRef(library).endCell())).toEqual({ error: LIBRARY });
    const w5 = beginCell().storeUint(0x6578746e, 32).storeUint(0, 64).storeUint(0b01, 2).storeRef(library);
    expect(decode(w5.endCell())).toEqual({ error: LIBRARY });
    expect(decode(library)).toEqual({ error: LIBRARY });
    expect(library.type).toBe(CellType.Library);
  });

  it('end with their chain of actions', () => {
    // One action, below which is a library: as long as a chain that ends there.
    const action = beginCell().storeRef(library).storeUint(0xad4de08e, 32).storeRef(beginCell());
    const body = beginCell().storeUint(0xae42e5a4, 32).storeUint(1, 64).storeRef(action).endCell();
    expect(typeOf(body)).toBe('highload_v3_internal_request');
  });
});
