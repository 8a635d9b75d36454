import { beforeAll, describe, expect, it } from 'vitest';
import { Slice } from '../../../src/chain/boc/slice.ts';
import {
  configParam,
  readBlockLimits,
  readCatchainConfig,
  readConfigAddresses,
  readFundamentalAddresses,
  readGlobalVersion,
  readWorkchains,
} from '../../../src/chain/tlb/config.ts';
import { readForwardPrices, readGasPrices, readStoragePrices } from '../../../src/chain/tlb/config-prices.ts';
import { readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { walkDictionary } from '../../../src/chain/tlb/dictionary.ts';
import { readValidatorSet } from '../../../src/chain/tlb/validators.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { CONFIG_ID, ELECTOR_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import {
  configParams,
  readConsensusConfig,
  readElectionTimes,
  readPrecompiledContracts,
  readSimplexConfigs,
  readStakeLimits,
  readValidatorCounts,
} from '../../chain/support/config-params.ts';
import type { Genesis } from '../support/genesis.ts';
import { type OpenState, openMasterchain } from './open-states.ts';

const NOW = 1_800_000_000;

describe('the genesis config', () => {
  let genesis: Genesis;
  let cells: OpenState['cells'];
  let config: number;
  beforeAll(async () => {
    genesis = await createGenesis({ now: NOW, shards: 8 });
    ({ cells, config } = openMasterchain(genesis));
  });
  const param = (index: number): number => configParam(cells, config, index);

  it('has the mandatory parameters and nothing specific to mainnet', () => {
    const indices = configParams(cells, config).map(({ index }) => index);
    expect(indices).toEqual([
      0, 1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 30, 31, 34,
      45,
    ]);
    const mandatory: number[] = [];
    walkDictionary(cells, param(9), 32, (key) => {
      mandatory.push(key.readInt32BE());
    });
    expect(mandatory.length).toBeGreaterThan(0);
    expect(indices).toEqual(expect.arrayContaining(mandatory));
  });

  it('names the system accounts', async () => {
    const minter = genesis.masterchainFaucet.address.hash;
    const named = { config: CONFIG_ID, elector: ELECTOR_ID, minter, feeCollector: ELECTOR_ID };
    expect(readConfigAddresses(cells, config)).toEqual({ ...named, dnsRoot: undefined });
    expect(readFundamentalAddresses(cells, param(31))).toEqual(
      [CONFIG_ID, ELECTOR_ID, genesis.tickTockId].sort(Buffer.compare),
    );

    const dnsRoot = Buffer.alloc(32, 0xd5);
    const withNames = openMasterchain(await createGenesis({ now: NOW, shards: 1, dnsRoot }));
    expect(readConfigAddresses(withNames.cells, withNames.config)).toMatchObject({ dnsRoot });
  });

  it('has the global version and the global id', () => {
    expect(readGlobalVersion(cells, param(8))).toEqual({ version: 13, capabilities: 238n });
    expect(new Slice(cells, param(19)).int(32)).toBe(-4242);
  });

  it('splits the basechain as requested', async () => {
    const [basechain, ...others] = readWorkchains(cells, param(12));
    expect(others).toEqual([]);
    expect(basechain).toMatchObject({
      workchain: 0,
      enabledSince: NOW,
      minSplit: 3,
      maxSplit: 3,
      active: true,
      acceptMsgs: true,
      format: { kind: 'basic', vmVersion: -1, vmMode: 0n },
      persistentStateSplitDepth: 0,
    });
    const one = openMasterchain(await createGenesis({ now: NOW, shards: 1 }));
    expect(readWorkchains(one.cells, configParam(one.cells, one.config, 12))).toMatchObject([
      { minSplit: 0, maxSplit: 0 },
    ]);
  });

  it('has one validator', () => {
    expect(readValidatorSet(cells, param(34))).toEqual({
      since: NOW,
      until: 2 ** 32 - 1,
      main: 1,
      validators: [{ publicKey: genesis.validator.publicKey, weight: 1n, adnlAddress: Buffer.alloc(32) }],
      totalWeight: 1n,
    });
    expect(readValidatorCounts(cells, param(16)).minValidators).toBe(1);
    expect(readCatchainConfig(cells, param(28))).toMatchObject({
      shuffleMcValidators: true,
      mcCatchainLifetime: 250,
      shardValidatorsNum: 1,
    });
    expect(readConsensusConfig(cells, param(29))).toMatchObject({ maxBlockBytes: 2 ** 21 });
    const simplex = {
      useQuic: false,
      protocolVersion: 0,
      slotsPerLeaderWindow: 4,
      noncriticalParams: new Map([
        [0, 1000],
        [1, 1000],
        [10, 2],
      ]),
    };
    expect(readSimplexConfigs(cells, param(30))).toEqual({ masterchain: simplex, shards: simplex });
  });

  it('has short elections with small stakes', () => {
    expect(readElectionTimes(cells, param(15))).toEqual({
      validatorsElectedFor: 1200,
      electionsStartBefore: 600,
      electionsEndBefore: 180,
      stakeHeldFor: 300,
    });
    expect(readStakeLimits(cells, param(17))).toEqual({
      minStake: 10n ** 13n,
      maxStake: 10n ** 16n,
      minTotalStake: 2n * 10n ** 13n,
      maxStakeFactor: 3 * 65536,
    });
  });

  it('has the prices and limits of mainnet', () => {
    expect(readStoragePrices(cells, param(18))).toEqual([
      { since: 0, bitPrice: 1n, cellPrice: 500n, mcBitPrice: 1000n, mcCellPrice: 500_000n },
    ]);
    expect([20, 21].map((index) => readGasPrices(cells, param(index)).flatGasPrice)).toEqual([
      1_000_000n,
      40_000n,
    ]);
    expect([22, 23].map((index) => readBlockLimits(cells, param(index)).gas.softLimit)).toEqual([
      1_000_000, 10_000_000,
    ]);
    expect([24, 25].map((index) => readForwardPrices(cells, param(index)).lumpPrice)).toEqual([
      10_000_000n,
      400_000n,
    ]);
    expect(readPrecompiledContracts(cells, param(45))).toHaveLength(1);
    // Block rewards: 1.7 TON in the masterchain and 1 TON in the basechain.
    const rewards = new Slice(cells, param(14));
    expect([rewards.uint(8), rewards.coins(), rewards.coins()]).toEqual([0x6b, 1_700_000_000n, 10n ** 9n]);
  });

  it('has all minted extra currencies', () => {
    const extra = new Slice(cells, param(7)).maybeRef();
    expect(readExtraCurrencies(cells, { grams: 0n, extra })).toEqual([{ id: 100, amount: 10n ** 15n }]);
  });
});
