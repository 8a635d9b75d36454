import { existsSync, readFileSync } from 'node:fs';
import { type Builder, beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readBoc } from '../../src/chain/boc/bag.ts';
import { writeCellBoc } from '../../src/chain/boc/writer.ts';
import { readMcStateExtra } from '../../src/chain/tlb/masterchain-state.ts';
import { readShardState } from '../../src/chain/tlb/shard-state.ts';
import { readBoc as readPageBoc } from '../../web/cells/boc.ts';
import { type ShownParam, showParam } from '../../web/config/config-params.ts';
import { configParams } from '../chain/support/config-params.ts';

const MAINNET = new URL('../../../shared/data/mainnet/config/', import.meta.url);
const missing = existsSync(MAINNET) ? '' : ' (skipped: the mainnet data are not beside this checkout)';

/** The config of mainnet as its page shows it. */
function mainnetParams(): readonly ShownParam[] {
  const bag = readBoc(readFileSync(new URL('config_proof_65466080.boc', MAINNET)));
  const { config } = readMcStateExtra(bag, readShardState(bag, bag.ref(bag.root, 0)).custom);
  return configParams(bag, config).map(({ index, cell }) =>
    showParam(index, readPageBoc(writeCellBoc(bag, cell))!.root),
  );
}

it('a network id is written without spaces between its digits', () => {
  const cell = beginCell().storeInt(-4242, 32).endCell();
  expect(showParam(19, readPageBoc(cell.toBoc())!.root)).toMatchObject({
    content: { facts: [{ name: 'Id', kind: 'text', value: -4242 }] },
  });
});

it('shares of validators are rounded, so that they add up', () => {
  const validator = (weight: number) => (builder: Builder) =>
    builder.storeUint(0x53, 8).storeUint(0x8e81278a, 32).storeUint(weight, 256).storeUint(weight, 64);
  const list = Dictionary.empty<number, number>(Dictionary.Keys.Uint(16), {
    serialize: (weight, builder) => void validator(weight)(builder),
    parse: () => 0,
  });
  list.set(0, 20_000).set(1, 11_000);
  const facts = beginCell()
    .storeUint(0x11, 8)
    .storeUint(1, 32)
    .storeUint(2, 32)
    .storeUint(2, 16)
    .storeUint(2, 16);
  const cell = facts.storeRef(beginCell().storeDictDirect(list)).endCell();
  const { content } = showParam(34, readPageBoc(cell.toBoc())!.root);
  expect(JSON.stringify(content).match(/[\d.]+(?=\u00a0%)/g)).toEqual(['64.516', '35.484']);
});

describe('the validator registry in words', () => {
  const registry = (write: (builder: Builder) => Builder): ShownParam => {
    const cell = write(beginCell().storeUint(0x3601163e, 32)).endCell();
    return showParam(46, readPageBoc(cell.toBoc())!.root);
  };
  const account = 'AB'.repeat(32);
  const known = (builder: Builder): Builder =>
    builder.storeBuffer(Buffer.from(account, 'hex')).storeUint(10, 32);
  const facts = [
    { name: 'Registry', kind: 'account', value: account },
    { name: 'Collators of a validator, at most', kind: 'number', value: 10 },
  ];

  it('is a contract with a limit, and its next code if there is one', () => {
    expect(registry((builder) => known(builder).storeBit(false))).toMatchObject({
      name: 'Validator registry',
      content: { facts },
    });
    const hash = { name: 'Hash of its next code', kind: 'hash', value: 'CD'.repeat(32) };
    expect(
      registry((builder) => known(builder).storeBit(true).storeBuffer(Buffer.alloc(32, 0xcd))).content,
    ).toEqual({ facts: [...facts, hash] });
  });

  it('of an unknown form is shown as a cell', () => {
    const other = showParam(46, readPageBoc(beginCell().storeUint(1, 32).endCell().toBoc())!.root);
    expect([other.name, other.content]).toEqual(['Validator registry', undefined]);
  });
});

describe.skipIf(missing !== '')(`configuration of mainnet in words${missing}`, () => {
  it('is understood, but for params with negative numbers', () => {
    const params = mainnetParams();
    expect(params.filter(({ id, content }) => id >= 0 && content === undefined)).toEqual([]);
    for (const { id, name } of params) expect(name === 'Unknown').toBe(id < 0);
  });

  it('has the values of the network', () => {
    const facts = (id: number) =>
      Object.fromEntries(
        mainnetParams()
          .find((param) => param.id === id)!
          .content!.facts.map(({ name, value }) => [name, value]),
      );
    expect(facts(8)).toMatchObject({ Version: 13 });
    expect(facts(15)).toMatchObject({ 'Validators work for': 65_536 });
    expect(facts(16)).toEqual({ 'At most': 400, 'At most in the masterchain': 100, 'At least': 75 });
    expect(facts(24)).toMatchObject({ 'Price of a message': 10_000_000n });
    expect(facts(14)).toEqual({ 'Masterchain block': 1_700_000_000n, 'Basechain block': 1_000_000_000n });
    const [validators] = mainnetParams().find(({ id }) => id === 34)!.content!.tables!;
    expect(validators!.rows.length).toBeGreaterThan(300);
  });
});
