import { toCoreCell } from '../../chain/boc/ton-core.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { addCurrencies, buildExtraCurrencies, type ExtraCurrency } from '../../chain/tlb/currency.ts';
import { buildMcStateExtra, buildMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import { validatorSetHash } from '../../chain/tlb/validators.ts';
import { buildGenesisConfig, type ElectionTimes, singleValidatorSet } from './genesis-config.ts';
import { adminKeys, type FundedWallet, openFaucets, PUBLIC_SECRET, validatorKeys } from './keys.ts';
import { CONFIG_ID, configAccount, electorAccount, tickTockAccount } from './special-accounts.ts';
import { buildZeroState, type GenesisAccount } from './zero-state.ts';

/** Parameters of a genesis. Equal options give equal bytes. */
export interface GenesisOptions {
  /** Unix seconds. */
  readonly now: number;
  /** Number of shards the basechain is split into. */
  readonly shards: 1 | 2 | 4 | 8 | 16;
  /** Default -4242. */
  readonly globalId?: number;
  /** DNS root in the masterchain (parameter 4); none by default. */
  readonly dnsRoot?: Buffer;
  /**
   * Whether masterchain blocks have transactions that each of them has on public networks: the payment of the block
   * reward, and ticks and tocks of a contract that counts them. Default true.
   */
  readonly routineTransactions?: boolean;
  /** Periods of elections, minutes by default. None is held while the current validator set has no end. */
  readonly elections?: ElectionTimes;
  /** Secret from which the keys of validators and administrator are derived; default `PUBLIC_SECRET`. */
  readonly secret?: Buffer;
}

/** Extra currency minted in the zero state. */
export const EXTRA_CURRENCY_ID = 100;

/** Short enough for a test that waits, and long enough to send stakes by hand. */
export const LOCAL_ELECTIONS: ElectionTimes = {
  electedFor: 1200,
  startBefore: 600,
  endBefore: 180,
  stakeHeldFor: 300,
};

const GLOBAL_ID = -4242;
const TON = 10n ** 9n;
const FAUCET_BALANCE = 1_000_000_000n * TON;
const MASTERCHAIN_FAUCET_BALANCE = 1_000_000n * TON;
const EXTRA_CURRENCIES: readonly ExtraCurrency[] = [{ id: EXTRA_CURRENCY_ID, amount: 1_000_000n * TON }];

/** Creates the zero states of a chain, and its keys. */
export async function createGenesis(options: GenesisOptions) {
  const { now, shards, globalId = GLOBAL_ID, dnsRoot, secret = PUBLIC_SECRET } = options;
  const { routineTransactions = true, elections = LOCAL_ELECTIONS } = options;
  const arena = new BuildingArena();
  const validator = validatorKeys(0, secret);
  const admin = adminKeys(secret);
  const { basechain: faucet, masterchain: masterchainFaucet } = await openFaucets();
  const tickTock = tickTockAccount();

  const accounts = [walletAccount(faucet, FAUCET_BALANCE)];
  const basechain = buildZeroState(arena, { workchain: 0, globalId, now, accounts });
  const config = await buildGenesisConfig(arena, {
    now,
    globalId,
    splitDepth: Math.log2(shards),
    basechain: basechain.id,
    validatorPublicKey: validator.publicKey,
    minter: masterchainFaucet.address.hash,
    extraCurrencies: buildExtraCurrencies(arena, EXTRA_CURRENCIES),
    dnsRoot,
    fundamental: routineTransactions ? [tickTock.id] : [],
    blockRewards: routineTransactions,
    elections,
  });
  const currentSet = Buffer.from(arena.hash(configParam(arena, config, 34)));
  const masterchain = buildZeroState(arena, {
    workchain: -1,
    globalId,
    now,
    accounts: [
      configAccount(toCoreCell(arena, config), admin.publicKey),
      electorAccount(currentSet),
      tickTock,
      walletAccount(masterchainFaucet, MASTERCHAIN_FAUCET_BALANCE, EXTRA_CURRENCIES),
    ],
    buildCustom: (balance) =>
      buildMcStateExtra(arena, {
        // The first block registers the basechain.
        shardHashes: -1,
        configAddress: CONFIG_ID,
        config,
        info: buildFirstInfo(arena, validator.publicKey),
        globalBalance: addCurrencies(balance, basechain.totalBalance, arena),
      }),
  });
  return {
    /** BoCs: the masterchain's first, then the basechain's. */
    zeroStates: [masterchain.bytes, basechain.bytes],
    /** Id of the masterchain's zero state. */
    zeroStateId: masterchain.id,
    globalId,
    /** The only validator of the first set; `validatorKeys` returns those of later ones. */
    validator,
    /** Key whose signature the config contract accepts. */
    admin,
    /** Funded wallet in the basechain. Its mnemonic is public. */
    faucet,
    /** Wallet of the same mnemonic in the masterchain, which holds the extra currency. */
    masterchainFaucet,
    /** The contract that counts ticks and tocks. */
    tickTockId: tickTock.id,
  };
}

function walletAccount(
  { address, init }: FundedWallet,
  balance: bigint,
  extraCurrencies?: readonly ExtraCurrency[],
): GenesisAccount {
  return { workchain: address.workChain, id: address.hash, balance, extraCurrencies, ...init };
}

/** Validator info and previous blocks: the validator of the first block, no blocks before it. */
function buildFirstInfo(arena: BuildingArena, validatorPublicKey: Buffer): number {
  const { validators } = singleValidatorSet(validatorPublicKey, 0);
  return buildMcStateInfo(arena, {
    validatorListHashShort: validatorSetHash(validators, 0),
    catchainSeqno: 0,
    nextCatchainUpdated: true,
    prevBlocks: { root: -1, hasKeyBlock: false, maxEndLt: 0n },
    afterKeyBlock: true,
    lastKeyBlock: undefined,
    blockCreateStats: undefined,
  });
}
