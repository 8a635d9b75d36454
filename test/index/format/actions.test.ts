import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountKey, fromAccountOrText } from '../../../src/chain/address.ts';
import type { ActionRow } from '../../../src/index/action-row.ts';
import {
  ACTION_TYPES,
  DETAIL_KEYS,
  isCommonType,
  maskOfTypes,
  type NameTable,
} from '../../../src/index/format/action-names.ts';
import { openActions, packActions, type TraceHead } from '../../../src/index/format/actions.ts';
import { hashPrefix } from '../../../src/index/format/position.ts';
import { ACTION_DETAILS } from '../../../src/v3/action-details.ts';
import { ACTION_TYPE_SETS, expandActionTypes } from '../../../src/v3/action-types.ts';
import { ALL_GROUPS, makeAction } from '../../v3/support/made-actions.ts';

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
const hash = bytes(32);
const account = fc
  .tuple(fc.constantFrom(0, 0, -1, 5), hash)
  .map(([workchain, own]) => accountKey(workchain, own));
const party = fc.oneof(
  account,
  fc.string().map((text) => Buffer.from(text)),
);
const integer = fc.oneof(fc.bigInt(-300n, 300n), fc.bigInt(-(2n ** 256n), 2n ** 256n));

/** Texts that look like something shorter, and some that only nearly do. */
const text = fc.oneof(
  account.map(fromAccountOrText),
  account.map((own) => fromAccountOrText(own).toLowerCase()),
  integer.map(String),
  fc.constantFrom('-0', '007', '+1', '1e5', '', '=', 'QQ==', '5:12'),
  bytes(20).map((own) => own.toString('base64')),
  bytes(20).map((own) => own.toString('base64url')),
  bytes(20).map((own) => own.toString('hex')),
  fc.string({ unit: 'grapheme' }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(null, true, false, 0, 1.5, -7, 2 ** 53, 1e300),
    fc.integer(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('amount', 'comment', 'a new key', '7'), tie('value'), { maxKeys: 3 }),
  ),
}));

const type = fc.constantFrom('ton_transfer', 'jetton_swap', 'tgbtc_mint_fallback', 'a new type', '');
const own = fc.record({
  type,
  action_id: hash,
  parent_action_id: fc.option(hash),
  ancestor_type: fc.array(type, { maxLength: 3 }),
  success: fc.boolean(),
  mc_seqno_end: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  start_lt: fc.bigInt(0n, 2n ** 63n - 1n).map(String),
  end_lt: fc.bigInt(0n, 2n ** 63n - 1n).map(String),
  start_utime: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String),
  end_utime: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String),
  tx_hashes: fc.array(hash, { maxLength: 4 }),
  accounts: fc.array(account, { maxLength: 4 }),
  source: fc.option(party),
  source_secondary: fc.option(party),
  destination: fc.option(party),
  destination_secondary: fc.option(party),
  asset: fc.option(party),
  asset_secondary: fc.option(party),
  asset2: fc.option(party),
  asset2_secondary: fc.option(party),
  opcode: fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String)),
  value: fc.option(integer.map(String)),
  amount: fc.option(integer.map(String)),
  value_extra_currencies: fc.option(fc.dictionary(fc.constantFrom('1', '77'), integer.map(String))),
  data: fc.option(fc.dictionary(fc.constantFrom('ton_transfer_data', 'a new group'), value)),
});
const trace = fc.record({
  trace_id: hash,
  trace_mc_seqno_end: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  trace_end_lt: fc.bigInt(0n, 2n ** 63n - 1n).map(String),
  trace_end_utime: fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(String),
  trace_external_hash: fc.option(hash),
  trace_external_hash_norm: fc.option(hash),
});
/** Actions of one trace; now and then one has hashes and accounts of another. */
const actions = fc
  .tuple(
    trace,
    fc.array(own, { minLength: 1, maxLength: 5 }),
    fc.array(fc.nat(4), { minLength: 5, maxLength: 5 }),
  )
  .map(([columns, rows, like]) =>
    rows.map((row, at) => {
      const other = rows[like[at]!] ?? row;
      return {
        ...columns,
        ...row,
        source: other.source,
        tx_hashes: [...row.tx_hashes, ...other.tx_hashes, columns.trace_id],
      } as unknown as ActionRow;
    }),
  );

function headOf([first]: readonly ActionRow[]): TraceHead {
  return {
    trace8: hashPrefix(first!.trace_id),
    action8: hashPrefix(first!.action_id),
    mcSeqnoEnd: first!.trace_mc_seqno_end,
    endLt: BigInt(first!.trace_end_lt),
    endUtime: Number(first!.trace_end_utime),
  };
}

describe('packed actions', () => {
  it('are unpacked unchanged', () => {
    fc.assert(
      fc.property(actions, (rows) => {
        const listed = rows[0]!.accounts;
        const opened = openActions(headOf(rows), packActions(rows, listed));
        expect(opened.traceId).toEqual(rows[0]!.trace_id);
        expect(opened.listed).toEqual(listed);
        expect(opened.actions.map((action) => action.row())).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  it('are compressed when they are large', () => {
    const comment = 'The same again. '.repeat(200);
    const rows = [makeAction({ type: 'ton_transfer', data: { ton_transfer_data: { content: comment } } })];
    const body = packActions(rows, []);
    expect(body.length).toBeLessThan(comment.length / 4);
    expect(openActions(headOf(rows), body).actions.map((action) => action.row())).toEqual(rows);
  });

  it('have every hash and account once', () => {
    const rows = Array.from({ length: 10 }, (_, at) =>
      makeAction({ type: 'call_contract', data: null, action_id: Buffer.alloc(32, at) }),
    );
    const single = packActions(rows.slice(0, 1), []).length;
    const each = (packActions(rows, []).length - single) / 9;
    // The id, and numbers for everything else.
    expect(each).toBeLessThan(32 + 60);
  });

  it('throw when bytes are missing', () => {
    const rows = [makeAction({ type: 'ton_transfer' })];
    const body = packActions(rows, []);
    for (const length of [1, 30, 100, body.length >> 1])
      expect(() => openActions(headOf(rows), Buffer.from(body.subarray(0, length)))).toThrow();
  });

  it('may have a type that a newer version has stored', () => {
    const filler = Buffer.alloc(32, 0xaa);
    const row = makeAction({
      type: 'tgbtc_mint_fallback',
      data: null,
      trace_id: filler,
      action_id: filler,
      tx_hashes: [],
      accounts: [],
      trace_external_hash: null,
      trace_external_hash_norm: null,
      columns: Object.fromEntries(
        Object.keys(makeAction({ type: '' }))
          .filter((name) => /^(source|destination|asset)/.test(name))
          .map((name) => [name, null]),
      ),
    });
    const body = packActions([row], []);
    const at = body.indexOf(ACTION_TYPES.idOf(row.type));
    body[at] = 127;
    const [action] = openActions(headOf([row]), body).actions;
    expect(action!.row()).toEqual({ ...row, type: 'unknown#127' });
  });
});

/** The digest of the first names of a table. */
const digestOf = (table: NameTable, names: number) =>
  createHash('sha256')
    .update(Array.from({ length: names }, (_, at) => table.nameOf(at + 1)).join())
    .digest('hex');

describe('names in packed actions', () => {
  it('never change their numbers', () => {
    expect([digestOf(ACTION_TYPES, 82), digestOf(DETAIL_KEYS, 191)]).toEqual([
      '65d4c22a19242cffdfafe1e28e890b4cd8d883b3a8dc64b22038afe40d939165',
      '1cbdba1900b810c48e49f3b9a730beea0c83b8d3f5e1ae3c5a1ad42180a18bfe',
    ]);
  });

  it('include every type and key of v3', () => {
    const types = [...expandActionTypes(Object.keys(ACTION_TYPE_SETS)), ...Object.keys(ACTION_DETAILS)];
    expect(types.filter((name) => ACTION_TYPES.idOf(name) === 0)).toEqual([]);
    const keysIn = (object: unknown): string[] =>
      typeof object === 'object' && object !== null
        ? Object.entries(object).flatMap(([key, each]) => [
            ...(Array.isArray(object) ? [] : [key]),
            ...keysIn(each),
          ])
        : [];
    expect(keysIn(ALL_GROUPS).filter((key) => DETAIL_KEYS.idOf(key) === 0)).toEqual([]);
  });

  it('give common types a bit of their own', () => {
    const all = [...expandActionTypes(Object.keys(ACTION_TYPE_SETS))];
    for (const common of all.filter(isCommonType))
      for (const other of all)
        if (other !== common) expect(maskOfTypes([common]) & maskOfTypes([other])).toBe(0);
    expect(maskOfTypes(all)).toBeGreaterThan(0);
  });
});
