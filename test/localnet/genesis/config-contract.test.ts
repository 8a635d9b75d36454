import { beginCell, type Cell, Dictionary } from '@ton/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fromCoreCell, toCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { intEntry } from '../../../src/chain/stack/entries.ts';
import { readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { validatorSetParam } from '../../../src/localnet/genesis/genesis-config.ts';
import { adminKeys, validatorKeys } from '../../../src/localnet/genesis/keys.ts';
import {
  CONFIG_ID,
  type ConfigChange,
  configChangeMessage,
} from '../../../src/localnet/genesis/special-accounts.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import type { Genesis } from '../support/genesis.ts';
import { type ContractRunner, createContractRunner } from './contract-runner.ts';

const NOW = 1_800_000_000;
const VALUE = beginCell().storeUint(0xabcd, 16).endCell();

describe('the config contract', () => {
  let vm: Vm;
  let genesis: Genesis;
  let contract: ContractRunner;
  beforeAll(async () => {
    vm = sharedVm();
    genesis = await createGenesis({ now: NOW, shards: 1 });
  });
  afterAll(() => vm.close());
  beforeEach(() => {
    contract = createContractRunner(vm, genesis, { workchain: -1, id: CONFIG_ID }, NOW);
  });

  /** The parameters as nodes take them: from the first reference of the data. */
  const params = (): Dictionary<number, Cell> =>
    Dictionary.loadDirect(
      Dictionary.Keys.Int(32),
      Dictionary.Values.Cell(),
      contract.data().beginParse().loadRef(),
    );
  const change = (what: ConfigChange['change'], other: Partial<ConfigChange> = {}): Cell =>
    configChangeMessage({ admin: genesis.admin, seqno: 0, validUntil: NOW, change: what, ...other });

  it('sets one parameter and increments its seqno', async () => {
    const before = params();
    const publicKey = validatorKeys(1).publicKey;
    await contract.receive(change(new Map([[34, validatorSetParam(publicKey, NOW)]])));
    expect(await contract.get('seqno')).toEqual([intEntry(1)]);
    const after = params();
    expect(after.keys()).toEqual(before.keys());
    for (const key of after.keys().filter((index) => index !== 34))
      expect(after.get(key)!.equals(before.get(key)!)).toBe(true);
    const set = fromCoreCell(after.get(34)!);
    expect(readValidatorSet(set, set.root)).toMatchObject({ since: NOW, validators: [{ publicKey }] });

    await contract.receive(change(new Map([[-5, VALUE]]), { seqno: 1 }));
    expect(params().get(-5)!.equals(VALUE)).toBe(true);
  });

  it('sets and removes several parameters at once', async () => {
    const before = params();
    const changes = new Map([
      [71, VALUE],
      [7, undefined],
      [-1000, VALUE],
      [999, undefined],
    ]);
    await contract.receive(change(changes));
    const after = params();
    expect(new Set(after.keys())).toEqual(
      new Set([...before.keys().filter((index) => index !== 7), 71, -1000]),
    );
    expect(after.get(71)!.equals(VALUE)).toBe(true);
  });

  it('removes one parameter', async () => {
    await contract.receive(change(new Map([[45, undefined]])));
    expect(params().has(45)).toBe(false);
  });

  it('replaces the whole config', async () => {
    const config = beginCell()
      .storeDictDirect(Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell()).set(8, VALUE))
      .endCell();
    await contract.receive(change({ config }));
    expect(params().keys()).toEqual([8]);
  });

  it('returns a parameter', async () => {
    const [found] = await contract.get('get_config_param', intEntry(8));
    if (found?.type !== 'cell') throw new Error('expected a cell');
    expect(toCoreCell(found.cells, found.cell).equals(params().get(8)!)).toBe(true);
    expect(await contract.get('get_config_param', intEntry(999))).toEqual([{ type: 'null' }]);
  });

  it('accepts messages of its administrator only, in time and in sequence', async () => {
    const what = new Map([[71, VALUE]]);
    const refusal = async (other: Partial<ConfigChange>) =>
      contract.receive(change(what, other)).then(() => 'accepted', String);
    expect(await refusal({ seqno: 1 })).toBe('Error: not accepted: 33');
    expect(await refusal({ admin: adminKeys(Buffer.from('another')) })).toBe('Error: not accepted: 34');
    expect(await refusal({ validUntil: NOW - 1 })).toBe('Error: not accepted: 35');
    expect(await refusal({})).toBe('accepted');
    expect(await refusal({})).toBe('Error: not accepted: 33');
  });

  it('does not accept the same failing message twice', async () => {
    const before = contract.data().beginParse().loadRef();
    // Without any parameter left there is no configuration.
    const all = new Map(
      params()
        .keys()
        .map((index): [number, undefined] => [index, undefined]),
    );
    const failed = await contract.receive(change(all));
    expect(failed.description).toMatchObject({ computePhase: { exitCode: 40 } });
    expect(await contract.get('seqno')).toEqual([intEntry(1)]);
    expect(contract.data().beginParse().loadRef().equals(before)).toBe(true);
  });

  it('is not changed by tock without a next validator set', async () => {
    const data = contract.data();
    await contract.tickTock('tock');
    expect(contract.data().equals(data)).toBe(true);
  });
});
