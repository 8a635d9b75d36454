import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CellBag, readBoc } from '../../../src/chain/boc/bag.ts';
import { type Cells, PrunedCellError } from '../../../src/chain/boc/cells.ts';
import {
  configParam,
  readBlockLimits,
  readCatchainConfig,
  readConfigAddress,
  readConfigAddresses,
  readFundamentalAddresses,
  readGlobalVersion,
  readSuspendedAddresses,
  readWorkchains,
} from '../../../src/chain/tlb/config.ts';
import { readForwardPrices, readGasPrices, readStoragePrices } from '../../../src/chain/tlb/config-prices.ts';
import { readMcStateExtra, readMcStateInfo } from '../../../src/chain/tlb/masterchain-state.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import {
  masterchainValidators,
  readValidatorSet,
  validatorSetHash,
} from '../../../src/chain/tlb/validators.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import {
  configParams,
  listSuspended,
  readConsensusConfig,
  readElectionTimes,
  readPrecompiledContracts,
  readSimplexConfigs,
  readStakeLimits,
  readValidatorCounts,
} from '../support/config-params.ts';
import { recordedAnswer, recordedBag } from '../support/recorded-network.ts';

const MAINNET = new URL('../../../../shared/data/mainnet/config/', import.meta.url);
const mainnetMissing = existsSync(MAINNET) ? '' : ' (skipped: the mainnet data are not beside this checkout)';

type Reader = (cells: Cells, cell: number) => unknown;

/** Readers by the parameters they are for. */
const READERS: Record<number, Reader> = {
  8: readGlobalVersion,
  12: readWorkchains,
  15: readElectionTimes,
  16: readValidatorCounts,
  17: readStakeLimits,
  18: readStoragePrices,
  20: readGasPrices,
  21: readGasPrices,
  22: readBlockLimits,
  23: readBlockLimits,
  24: readForwardPrices,
  25: readForwardPrices,
  28: readCatchainConfig,
  29: readConsensusConfig,
  30: readSimplexConfigs,
  31: readFundamentalAddresses,
  32: readValidatorSet,
  34: readValidatorSet,
  44: readSuspendedAddresses,
  45: readPrecompiledContracts,
};

/** The configuration in a Merkle proof of a masterchain state. */
function configOf(bag: CellBag) {
  const state = readShardState(bag, bag.ref(bag.root, 0));
  return readMcStateExtra(bag, state.custom);
}

function recordedConfig(name: string) {
  const bag = readBoc(Buffer.from(recordedAnswer(`lite/${name}`).response.decoded.config_proof, 'base64'));
  return { bag, root: configOf(bag).config };
}

describe.skipIf(missingNetwork !== '')(`configuration of the recorded network${missingNetwork}`, () => {
  it.each(['getConfigAll_F_mode0', 'getConfigAll_F_mode65536', 'getConfigAll_20'])('%s is read', (name) => {
    const { bag, root } = recordedConfig(name);
    const params = configParams(bag, root);
    const [state, at] =
      name === 'getConfigAll_20' ? ['-1_8000000000000000_0', 26] : ['-1_8000000000000000_125', 27];
    expect(params).toHaveLength(at as number);
    const whole = recordedBag(`states/${state}`);
    const config = readMcStateExtra(whole, readShardState(whole, whole.root).custom).config;
    for (const { index, cell } of params) {
      const same = configParam(whole, config, index);
      expect(bag.hash(cell, 0)).toEqual(whole.hash(same));
      READERS[index]?.(bag, cell);
    }
    const { config: address, elector, minter } = readConfigAddresses(bag, root);
    expect([address, elector, minter]).toEqual([0x55, 0x33, 0].map((fill) => Buffer.alloc(32, fill)));
    expect(readGlobalVersion(bag, configParam(bag, root, 8))).toEqual({ version: 14, capabilities: 238n });
  });

  it('can be read from a proof of some params', () => {
    const { bag, root } = recordedConfig('getConfigParams_F');
    for (const index of [0, 4, 8, 15, 18, 20, 21, 24, 25, 34])
      expect(configParam(bag, root, index)).toBeGreaterThan(0);
    expect(configParam(bag, root, 777)).toBe(-1);
    const dnsRoot = recordedAnswer('accounts/dns_root').raw.slice(3);
    expect(readConfigAddress(bag, root, 4)!.toString('hex')).toBe(dnsRoot);
    expect(readStoragePrices(bag, configParam(bag, root, 18)).length).toBeGreaterThan(1);
    expect(() => readWorkchains(bag, configParam(bag, root, 12))).toThrow(PrunedCellError);
    const missing = recordedConfig('getConfigParams_missing');
    expect(configParam(missing.bag, missing.root, 777)).toBe(-1);
  });
});

describe.skipIf(mainnetMissing !== '')(`configuration of mainnet block 65466080${mainnetMissing}`, () => {
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes.
  const decoded = (): any => JSON.parse(readFileSync(new URL('config_65466080.json', MAINNET), 'utf8'));
  const load = () => {
    const bag = readBoc(readFileSync(new URL('config_proof_65466080.boc', MAINNET)));
    const extra = configOf(bag);
    const param = <T>(index: number, reader: (cells: Cells, cell: number) => T): T =>
      reader(bag, configParam(bag, extra.config, index));
    return { bag, extra, param };
  };
  const hex = (bytes: Buffer | undefined) => bytes?.toString('hex');
  /** The fields of a record as their decoded form writes them: capital first letters, everything as numbers. */
  const plain = (record: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name[0]!.toUpperCase() + name.slice(1),
        typeof value === 'bigint' ? Number(value) : value,
      ]),
    );

  it('has the params and accounts of its reference JSON', () => {
    const { bag, extra, param } = load();
    const wanted = decoded();
    const indexes = configParams(bag, extra.config).map(({ index }) => index);
    const names = indexes.map((index) =>
      index < 0 ? `ConfigParamNegative${-index}` : `ConfigParam${index}`,
    );
    expect(Object.keys(wanted).filter((name) => !names.includes(name))).toEqual([]);
    const addresses = readConfigAddresses(bag, extra.config);
    expect(hex(addresses.config)).toBe(wanted.ConfigParam0.ConfigAddr);
    expect(hex(addresses.elector)).toBe(wanted.ConfigParam1.ElectorAddr);
    expect(hex(addresses.minter)).toBe(wanted.ConfigParam2.MinterAddr);
    expect(hex(addresses.dnsRoot)).toBe(wanted.ConfigParam4.DnsRootAddr);
    const fundamental = Object.keys(wanted.ConfigParam31.FundamentalSmcAddr);
    expect(param(31, readFundamentalAddresses).map(hex)).toEqual(fundamental);
    const { Version: version, Capabilities } = wanted.ConfigParam8.GlobalVersion;
    expect(param(8, readGlobalVersion)).toEqual({ version, capabilities: BigInt(Capabilities) });
  });

  it('has the prices and limits of its reference JSON', () => {
    const { param } = load();
    const wanted = decoded();
    expect(plain(param(15, readElectionTimes))).toEqual(wanted.ConfigParam15);
    expect(plain(param(16, readValidatorCounts))).toEqual(wanted.ConfigParam16);
    const { MaxStakeFactor, MinStake, MaxStake, MinTotalStake } = wanted.ConfigParam17;
    expect(param(17, readStakeLimits)).toEqual({
      minStake: BigInt(MinStake),
      maxStake: BigInt(MaxStake),
      minTotalStake: BigInt(MinTotalStake),
      maxStakeFactor: MaxStakeFactor,
    });
    const storage = Object.values(wanted.ConfigParam18.Value).map((value) =>
      Object.values(value as object).slice(1),
    );
    expect(param(18, readStoragePrices).map((prices) => Object.values(prices).map(Number))).toEqual(storage);
    for (const index of [20, 21]) {
      const { Other, ...flat } = wanted[`ConfigParam${index}`].GasLimitsPrices.GasFlatPfx;
      expect(plain(param(index, readGasPrices))).toEqual({ ...flat, ...Other.GasPricesExt });
    }
    for (const index of [22, 23]) {
      const limits = param(index, readBlockLimits);
      const { Bytes, Gas, LtDelta } = wanted[`ConfigParam${index}`].BlockLimits;
      for (const [read, given] of [
        [limits.bytes, Bytes],
        [limits.gas, Gas],
        [limits.ltDelta, LtDelta],
      ])
        expect({ Magic: '0xc3', ...plain(read) }).toEqual(given);
    }
    for (const index of [24, 25]) {
      const given = wanted[`ConfigParam${index}`].MsgForwardPrices;
      expect({ Magic: '0xea', ...plain(param(index, readForwardPrices)) }).toEqual(given);
    }
  });

  it('has the consensus and the workchain of its reference JSON', () => {
    const { param } = load();
    const wanted = decoded();
    const catchain = wanted.ConfigParam28.CatchainConfig.CatchainConfigNew;
    expect({ Flags: 0, ...plain(param(28, readCatchainConfig)) }).toEqual(catchain);
    const consensus = wanted.ConfigParam29.ConsensusConfig.ConsensusConfigV4;
    expect({ Flags: 0, ...plain(param(29, readConsensusConfig)) }).toMatchObject(consensus);
    const { masterchain } = param(30, readSimplexConfigs);
    const simplex = wanted.ConfigParam30.NewConsensusConfigAll.Mc.SimplexConfigV2;
    expect(masterchain).toMatchObject({
      useQuic: simplex.UseQuic,
      slotsPerLeaderWindow: simplex.SlotsPerLeaderWindow,
    });
    const noncritical = Object.fromEntries(masterchain!.noncriticalParams);
    expect(noncritical).toEqual(simplex.NoncriticalParams);
    const [workchain] = param(12, readWorkchains);
    const given = wanted.ConfigParam12.Workchains['0'].WorkchainV2;
    expect(workchain).toMatchObject({
      workchain: 0,
      enabledSince: given.EnabledSince,
      maxSplit: given.MaxSplit,
      active: given.Active,
      format: { kind: 'basic', vmVersion: -1, vmMode: 0n },
      splitMergeTimings: { delay: 100, interval: 100, minInterval: 30, maxDelay: 1000 },
      persistentStateSplitDepth: 4,
    });
    expect(hex(workchain!.zeroStateRootHash)).toBe(given.ZerostateRootHash);
  });

  it('has the validators of its reference JSON, and the group in the state', () => {
    const { bag, extra, param } = load();
    const wanted = decoded();
    for (const [index, given] of [
      [32, wanted.ConfigParam32.PrevValidators.ValidatorsExt],
      [34, wanted.ConfigParam34.CurValidators.ValidatorsExt],
    ] as const) {
      const set = param(index, readValidatorSet);
      const { UtimeSince: since, UtimeUntil: until, Main: main, Total } = given;
      expect(set).toMatchObject({ since, until, main });
      expect(set.validators).toHaveLength(Total);
      expect(Number(set.totalWeight)).toBe(given.TotalWeight);
      set.validators.forEach((validator, i) => {
        const { PublicKey, Weight, AdnlAddr } = given.List[i].ValidatorAddr;
        expect([hex(validator.publicKey), hex(validator.adnlAddress)]).toEqual([PublicKey.PubKey, AdnlAddr]);
        expect(Number(validator.weight)).toBe(Weight);
      });
    }
    const info = readMcStateInfo(bag, extra.info);
    const config = param(28, readCatchainConfig);
    const group = masterchainValidators(param(34, readValidatorSet), config, info.catchainSeqno);
    expect(group).toHaveLength(100);
    expect(validatorSetHash(group, 0)).toBe(info.validatorListHashShort);
  });

  it('has the lists of its reference JSON', () => {
    const { bag, param } = load();
    const wanted = decoded();
    const suspended = param(44, readSuspendedAddresses);
    const given = wanted.ConfigParam44.SuspendedAddressList;
    const listed = listSuspended(bag, suspended).map(({ workchain, id }) => `${workchain}:${hex(id)}`);
    expect(listed.sort()).toEqual(Object.keys(given.Addresses).sort());
    expect(suspended.until).toBe(given.SuspendedUntil);
    const contracts = param(45, readPrecompiledContracts);
    const precompiled = Object.keys(wanted.ConfigParam45.PrecompiledContractsConfig.List);
    expect(contracts.map(({ codeHash }) => hex(codeHash))).toEqual(precompiled);
    expect(contracts[0]!.gasUsage).toBe(1000n);
  });
});
