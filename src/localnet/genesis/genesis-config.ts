import type { Cell } from '@ton/core';
import { readBoc } from '../../chain/boc/bag.ts';
import { CellBuilder } from '../../chain/boc/builder.ts';
import { toCoreCell } from '../../chain/boc/ton-core.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import { BOOL, COINS, record, tagged, UINT32, uint, type ValueOf } from '../../chain/tlb/codecs.ts';
import { CONFIG, configParam, GLOBAL_VERSION } from '../../chain/tlb/config.ts';
import { Dictionary, type DictionaryCodec, int32Key } from '../../chain/tlb/dictionary.ts';
import { buildValidatorSet, type ValidatorSet } from '../../chain/tlb/validators.ts';
import { CONFIG_ID, ELECTOR_ID } from './special-accounts.ts';

interface GenesisConfigOptions {
  /** Unix seconds. */
  readonly now: number;
  readonly globalId: number;
  /** 2 to this power is the number of shards of the basechain. */
  readonly splitDepth: number;
  /** Hashes of the basechain's zero state. */
  readonly basechain: { readonly rootHash: Buffer; readonly fileHash: Buffer };
  readonly validatorPublicKey: Buffer;
  /** Account that receives new extra currencies. */
  readonly minter: Buffer;
  /** Root of the dictionary of all extra currencies. */
  readonly extraCurrencies: number;
  /** DNS root; none by default. */
  readonly dnsRoot?: Buffer | undefined;
  /** Accounts besides config and elector that pay no fees. */
  readonly fundamental: readonly Buffer[];
  /** Whether blocks are rewarded as on mainnet, or not at all. */
  readonly blockRewards: boolean;
  readonly elections: ElectionTimes;
}

/**
 * Taken from mainnet as they are: mandatory and critical parameters (9, 10), voting (11), complaints (13),
 * prices and limits (18, 20 to 25), consensus (29), precompiled contracts (45); rewards for blocks (14)
 * where they are wanted. Parameter 5, which burns fees, is left out, and so are all that are about validators, bridges and old times.
 */
const MAINNET_PARAMS = [9, 10, 11, 13, 18, 20, 21, 22, 23, 24, 25, 29, 45];

const BLOCK_REWARDS = 14;

/** Newest global version that the emulator supports. */
const VERSION = 13;
/** Create stats, bounce bodies, version reports, short dequeue, queue sizes, message metadata. */
const CAPABILITIES = 0b1110_1110n;

const TON = 10n ** 9n;

/** Builds the config dictionary that a chain starts with; returns its root. */
export async function buildGenesisConfig(
  arena: BuildingArena,
  options: GenesisConfigOptions,
): Promise<number> {
  const { now, globalId, dnsRoot, blockRewards, elections } = options;
  const mainnet = readBoc(await loadMainnetConfig());
  const validators = singleValidatorSet(options.validatorPublicKey, now);
  const build = (write: (builder: CellBuilder) => void): number => {
    const builder = new CellBuilder();
    write(builder);
    return arena.build(builder);
  };
  const address = (id: Buffer): number => build((builder) => builder.hash(id));
  const maybe = (root: number): number => build((builder) => builder.maybeRef(root));
  const set = (ids: readonly Buffer[]): number =>
    new Dictionary(arena, ACCOUNT_SET).build(ids.toSorted(Buffer.compare).map((id) => [id, true]));

  const cells: [index: number, cell: number][] = [
    [0, address(CONFIG_ID)],
    [1, address(ELECTOR_ID)],
    [2, address(options.minter)],
    [7, maybe(options.extraCurrencies)],
    [8, GLOBAL_VERSION.build(arena, { version: VERSION, capabilities: CAPABILITIES })],
    [12, maybe(new Dictionary(arena, WORKCHAINS).build([[int32Key(0), options]]))],
    [15, ELECTION_TIMES.build(arena, elections)],
    [16, VALIDATOR_COUNTS.build(arena, { max: 400, maxMain: 100, min: 1 })],
    [17, STAKES.build(arena, LOCAL_STAKES)],
    [19, build((builder) => builder.int(globalId, 32))],
    [28, CATCHAIN.build(arena, LOCAL_CATCHAIN)],
    [30, buildSimplex(arena)],
    [31, maybe(set([CONFIG_ID, ELECTOR_ID, ...options.fundamental]))],
    [34, buildValidatorSet(arena, validators)],
  ];
  if (dnsRoot !== undefined) cells.push([4, address(dnsRoot)]);
  if (!blockRewards)
    cells.push([BLOCK_REWARDS, build((builder) => builder.uint(BLOCK_REWARDS_TAG, 8).coins(0n).coins(0n))]);
  for (const index of blockRewards ? [...MAINNET_PARAMS, BLOCK_REWARDS] : MAINNET_PARAMS)
    cells.push([index, arena.add(mainnet, configParam(mainnet, mainnet.root, index))]);
  const sorted = cells.sort(([a], [b]) => a - b);
  return new Dictionary(arena, CONFIG).build(sorted.map(([index, cell]) => [int32Key(index), cell]));
}

const BLOCK_REWARDS_TAG = 0x6b;
const WORKCHAIN_V2 = 0xa7;
const WORKCHAIN_FORMAT_BASIC = 1;

const ACCOUNT_SET: DictionaryCodec<true> = { keyBits: 256, write: () => {} };

/** Param 12: the basechain. */
const WORKCHAINS: DictionaryCodec<GenesisConfigOptions> = {
  keyBits: 32,
  write(builder, { now, splitDepth, basechain }) {
    builder.uint(WORKCHAIN_V2, 8).uint(now, 32);
    // Actual minimum split, minimum split, maximum split.
    builder.uint(0, 8).uint(splitDepth, 8).uint(splitDepth, 8);
    // Basic, active, accepts messages; no flags.
    builder.uint(0b111, 3).uint(0, 13);
    builder.hash(basechain.rootHash).hash(basechain.fileHash).uint(0, 32);
    // Any VM version, no mode.
    builder.uint(WORKCHAIN_FORMAT_BASIC, 4).int(-1, 32).uint64(0n);
    // Splits are due at once and stay so for days: a chain may produce blocks only when a message arrives. The delay, the
    // interval, its minimum, the maximum delay.
    builder.uint(0, 4).uint(0, 32).uint(1_000_000, 32).uint(1, 32).uint(1_000_000, 32);
    // Persistent states in one piece.
    builder.uint(0, 8);
  },
};

/**
 * Param 15: periods of elections, in seconds. From the announcement to the begin of the new set; from the end of stakes to
 * the begin of the new set, more than 60; how long stakes are held after the end of their set.
 */
const ELECTION_TIMES = record({
  electedFor: UINT32,
  startBefore: UINT32,
  endBefore: UINT32,
  stakeHeldFor: UINT32,
});

export type ElectionTimes = ValueOf<typeof ELECTION_TIMES>;

/** Param 16. */
const VALIDATOR_COUNTS = record({ max: uint(16), maxMain: uint(16), min: uint(16) });

/** Param 17. */
const STAKES = record({ min: COINS, max: COINS, minTotal: COINS, maxFactor: UINT32 });

/** Stakes are much lower than on mainnet, so that the money of the faucet is enough for many validators. */
const LOCAL_STAKES: ValueOf<typeof STAKES> = {
  min: 10_000n * TON,
  max: 10_000_000n * TON,
  minTotal: 20_000n * TON,
  // 65536 is 1.
  maxFactor: 3 * 65_536,
};

/** Param 28. */
const CATCHAIN = tagged('catchain_config_new#c2', 'unknown tag of a catchain config', {
  flags: uint(7),
  shuffleMcValidators: BOOL,
  mcCatchainLifetime: UINT32,
  shardCatchainLifetime: UINT32,
  shardValidatorsLifetime: UINT32,
  shardValidatorsNum: UINT32,
});

const LOCAL_CATCHAIN: ValueOf<typeof CATCHAIN> = {
  flags: 0,
  shuffleMcValidators: true,
  mcCatchainLifetime: 250,
  shardCatchainLifetime: 250,
  shardValidatorsLifetime: 1000,
  shardValidatorsNum: 1,
};

const SIMPLEX_ALL = 0x10;
const SIMPLEX_V2 = 0x22;
const SLOTS_PER_LEADER_WINDOW = 4;
/** As in a private network of nodes: a block in 1000 ms, and 1000 ms to wait for the first. */
const SIMPLEX_PARAMS = [
  [0, 1000],
  [1, 1000],
  [10, 2],
] as const;
const NUMBERS: DictionaryCodec<number> = {
  keyBits: 8,
  write: (builder, value) => builder.uint(value, 32),
};

/** Param 30 with equal values for the masterchain and all shards. */
function buildSimplex(arena: BuildingArena): number {
  const numbers = new Dictionary(arena, NUMBERS).build(SIMPLEX_PARAMS.map(([key, n]) => [Buffer.of(key), n]));
  // Protocol version 0, no QUIC.
  const builder = new CellBuilder().uint(SIMPLEX_V2, 8).uint(0, 5).uint(0, 2).boolean(false);
  const cell = arena.build(builder.uint(SLOTS_PER_LEADER_WINDOW, 32).maybeRef(numbers));
  return arena.build(new CellBuilder().uint(SIMPLEX_ALL, 8).maybeRef(cell).maybeRef(cell));
}

/** The clock of a local chain can be moved, so its validators stay until they are replaced. */
const FOREVER = 0xffffffff;
const NO_ADNL_ADDRESS = Buffer.alloc(32);

/** A set of one validator. Elections are announced before its end; by default it has none. */
export function singleValidatorSet(publicKey: Buffer, since: number, until = FOREVER): ValidatorSet {
  const validator = { publicKey, weight: 1n, adnlAddress: NO_ADNL_ADDRESS };
  return { since, until, main: 1, validators: [validator], totalWeight: 1n };
}

/** Value of parameter 34 that makes the owner of a key the only validator. */
export function validatorSetParam(publicKey: Buffer, since: number, until?: number): Cell {
  const arena = new BuildingArena();
  return toCoreCell(arena, buildValidatorSet(arena, singleValidatorSet(publicKey, since, until)));
}

/**
 * The bag of cells of mainnet's configuration as the package of the emulator has it; its root is that of the
 * dictionary of parameters. Loaded when it is needed, as it is large.
 */
async function loadMainnetConfig(): Promise<Buffer> {
  // Not the package's index, which comes with the emulator and more.
  const { defaultConfig } = await import('@ton/sandbox/dist/config/defaultConfig.js');
  return Buffer.from(defaultConfig, 'base64');
}
