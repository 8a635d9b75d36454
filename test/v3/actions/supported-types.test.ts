import { describe, expect, it } from 'vitest';
import { ACTION_DETAILS } from '../../../src/v3/action-details.ts';
import { TYPES_WITHOUT_DETAILS } from '../../../src/v3/action-schemas.ts';
import { ACTION_TYPE_SETS, expandActionTypes } from '../../../src/v3/action-types.ts';
import { readReferenceContract } from '../support/reference-contract.ts';
import { missingContract } from '../support/response-schemas.ts';

const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

/** Those that the reference does not have. */
const ADDITIONAL_SETS = ['tongate', 'wallet_v5', 'launchpads', 'tradoor'];

describe('supported action types', () => {
  it('are those of the latest version by default', () => {
    expect(sorted(expandActionTypes([]))).toEqual(sorted(expandActionTypes(['latest'])));
    expect(sorted(expandActionTypes(['v5']))).toEqual(sorted(expandActionTypes(['latest'])));
  });

  it('grow from version to version', () => {
    const sizes = ['v1', 'v2', 'v3', 'v4'].map((version) => expandActionTypes([version]).size);
    expect(sizes).toEqual([23, 46, 63, 75]);
    expect(expandActionTypes(['v1', 'v4', 'tgbtc']).size).toBe(82);
  });

  it('have those that only this server has in a set of their own', () => {
    const latest = expandActionTypes(['latest', 'tgbtc']);
    const own = [...expandActionTypes(['tongate'])].filter((type) => !latest.has(type));
    expect(sorted(own)).toEqual([
      'add_extension',
      'dex_swap',
      'flawed_jetton_transfer',
      'gas_relay',
      'launchpad_buy',
      'launchpad_sell',
      'purchase',
      'remove_extension',
      'set_signature_allowed',
      'tradoor_order',
      'tradoor_position',
    ]);
    expect(expandActionTypes(['wallet_v5']).has('gas_relay')).toBe(true);
  });

  it('are all types with details, and two without', () => {
    const all = expandActionTypes(['tongate', 'tgbtc']);
    expect(sorted(all)).toEqual(sorted([...Object.keys(ACTION_DETAILS), ...TYPES_WITHOUT_DETAILS]));
  });

  it('always include those of v1', () => {
    for (const name of [
      ...Object.keys(ACTION_TYPE_SETS),
      'unheard_of',
      'jetton_swap',
      'toString',
      '__proto__',
    ]) {
      const types = expandActionTypes([name]);
      expect(sorted(types)).toEqual(sorted([...expandActionTypes(['v1']), ...types]));
      for (const type of types)
        expect(type in ACTION_TYPE_SETS && Object.hasOwn(ACTION_TYPE_SETS, type)).toBe(false);
    }
  });

  it('may be unknown names, which count as types', () => {
    expect([...expandActionTypes(['unheard_of', 'toString'])]).toEqual(
      expect.arrayContaining(['unheard_of', 'toString', 'tick_tock']),
    );
  });

  it.skipIf(missingContract !== '')(`match the contract${missingContract}`, () => {
    const lists = readReferenceContract()['x-action-shortcuts'];
    const expand = (name: string): string[] => (name in lists ? lists[name]!.flatMap(expand) : [name]);
    expect(sorted(Object.keys(ACTION_TYPE_SETS))).toEqual(
      sorted([...Object.keys(lists), ...ADDITIONAL_SETS]),
    );
    for (const name of Object.keys(lists))
      expect([name, sorted(expandActionTypes([name]))]).toEqual([
        name,
        sorted([...expand(name), ...expand('v1')]),
      ]);
  });
});
