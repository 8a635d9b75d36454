import type { BlockId } from '../../chain/block-id.ts';
import { toCoreCell } from '../../chain/boc/ton-core.ts';
import { BuildingArena } from '../../chain/state/building-arena.ts';
import { addCurrencies, buildExtraCurrencies, type ExtraCurrency } from '../../chain/tlb/currency.ts';
import { buildMcStateExtra, buildMcStateInfo } from '../../chain/tlb/masterchain-state.ts';
import { validatorSetHash } from '../../chain/tlb/validators.ts';
import { buildGenesisConfig, singleValidatorSet } from './genesis-config.ts';
import {
  adminKeys,
  type FundedWallet,
  openFaucets,
  PUBLIC_SECRET,
  type SigningKey,
  validatorKeys,
} from './keys.ts';
import { CONFIG_ID, configAccount, electorAccount, tickTockAccount } from './special-accounts.ts';
import { buildZeroState, type GenesisAccount } from './zero-state.ts';

/** What a chain is made of before its first block. Equal options give equal bytes. */
export interface GenesisOptions {
  /** Unix seconds. */
  readonly now: number;
  /** Into how many shards the basechain is to be split. */
  readonly shards: 1 | 2 | 4 | 8 | 16;
  /** -4242 unless told otherwise. */
  readonly globalId?: number;
  /** The account of the root of domain names in the masterchain (parameter 4); none if left out. */
  readonly dnsRoot?: Buffer;
  /** What the keys of validators and administrator grow from; `PUBLIC_SECRET` unless told otherwise. */
  readonly secret?: Buffer;
}

/** The beginning of a chain. */
export interface Genesis {
  /** Bags of cells: the masterchain's first, then the basechain's. */
  readonly zeroStates: readonly Buffer[];
  /** The name of the masterchain's zero state. */
  readonly zeroStateId: BlockId;
  readonly globalId: number;
  /** The only validator of the first set; `validatorKeys` gives those of later ones. */
  readonly validator: SigningKey;
  /** Whose signature the configuration contract obeys. */
  readonly admin: SigningKey;
  /** A wallet in the basechain with a lot of money. Its words are public. */
  readonly faucet: FundedWallet;
  /** A wallet of the same words in the masterchain, which holds the extra currency. */
  readonly masterchainFaucet: FundedWallet;
  /** The contract that counts ticks and tocks. */
  readonly tickTockId: Buffer;
}

/** The extra currency that exists from the start. */
export const EXTRA_CURRENCY_ID = 100;

const GLOBAL_ID = -4242;
const TON = 10n ** 9n;
const FAUCET_BALANCE = 1_000_000_000n * TON;
const MASTERCHAIN_FAUCET_BALANCE = 1_000_000n * TON;
const EXTRA_CURRENCIES: readonly ExtraCurrency[] = [{ id: EXTRA_CURRENCY_ID, amount: 1_000_000n * TON }];

/** Makes the zero states of a chain. */
export async function createGenesis(options: GenesisOptions): Promise<Genesis> {
  const { now, shards, globalId = GLOBAL_ID, dnsRoot, secret = PUBLIC_SECRET } = options;
  const arena = new BuildingArena();
  const validator = validatorKeys(0, secret);
  const admin = adminKeys(secret);
  const { basechain: faucet, masterchain: masterchainFaucet } = await openFaucets();
  const tickTock = tickTockAccount();

  const basechain = buildZeroState(arena, {
    workchain: 0,
    globalId,
    now,
    accounts: [walletAccount(faucet, FAUCET_BALANCE)],
  });
  const config = await buildGenesisConfig(arena, {
    now,
    globalId,
    splitDepth: Math.log2(shards),
    basechain: basechain.id,
    validatorPublicKey: validator.publicKey,
    minter: masterchainFaucet.address.hash,
    extraCurrencies: buildExtraCurrencies(arena, EXTRA_CURRENCIES),
    dnsRoot,
    fundamental: [tickTock.id],
  });
  const masterchain = buildZeroState(arena, {
    workchain: -1,
    globalId,
    now,
    accounts: [
      configAccount(toCoreCell(arena, config), admin.publicKey),
      electorAccount(),
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
    zeroStates: [masterchain.bytes, basechain.bytes],
    zeroStateId: masterchain.id,
    globalId,
    validator,
    admin,
    faucet,
    masterchainFaucet,
    tickTockId: tickTock.id,
  };
}

function walletAccount(
  wallet: FundedWallet,
  balance: bigint,
  extraCurrencies?: readonly ExtraCurrency[],
): GenesisAccount {
  const { workChain: workchain, hash: id } = wallet.address;
  return { workchain, id, balance, extraCurrencies, ...wallet.init };
}

/** Who validates the first block, and that there are no blocks before it. */
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
