import { mnemonicToPrivateKey, mnemonicValidate } from '@ton/crypto';
import { WalletContractV4 } from '@ton/ton';
import { beforeAll, describe, expect, it } from 'vitest';
import { adnlShortId } from '../../../src/chain/adnl/keys.ts';
import { WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { signedData } from '../../../src/chain/tl/signatures.ts';
import { type Account, codeHash, readAccount } from '../../../src/chain/tlb/account.ts';
import { configParam, readFundamentalAddresses, readWorkchains } from '../../../src/chain/tlb/config.ts';
import { type CurrencyCollection, readExtraCurrencies } from '../../../src/chain/tlb/currency.ts';
import { readShardAccounts, walkShardAccounts } from '../../../src/chain/tlb/shard-accounts.ts';
import { readShardStateTotals } from '../../../src/chain/tlb/shard-state.ts';
import { signWithSeed } from '../../../src/lib/ed25519.ts';
import { checkSignatures, createSignersCache } from '../../../src/lite/methods/signatures.ts';
import { createGenesis, EXTRA_CURRENCY_ID } from '../../../src/localnet/genesis/create-genesis.ts';
import { CONFIG_ID, ELECTOR_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import { createChainStore } from '../../../src/localnet/store/chain-store.ts';
import { makeMerkleProof } from '../../chain/support/proofs.ts';
import type { Genesis } from '../support/genesis.ts';
import { type OpenState, openMasterchain, openState } from './open-states.ts';

const NOW = 1_800_000_000;
const TON = 10n ** 9n;

describe('zero states', () => {
  let genesis: Genesis;
  beforeAll(async () => {
    genesis = await createGenesis({ now: NOW, shards: 4 });
  });

  it('contain the system contracts and the funded faucets', () => {
    const [masterchain, basechain] = genesis.zeroStates.map(openState);
    const { faucet, masterchainFaucet, tickTockId } = genesis;
    const currencies = [{ id: EXTRA_CURRENCY_ID, amount: 1_000_000n * TON }];
    expect(balances(masterchain!)).toEqual(
      new Map([
        [masterchainFaucet.address.hash.toString('hex'), { grams: 1_000_000n * TON, currencies }],
        [ELECTOR_ID.toString('hex'), { grams: 10n * TON, currencies: [] }],
        [CONFIG_ID.toString('hex'), { grams: 10n * TON, currencies: [] }],
        [tickTockId.toString('hex'), { grams: TON, currencies: [] }],
      ]),
    );
    expect(balances(basechain!)).toEqual(
      new Map([[faucet.address.hash.toString('hex'), { grams: 1_000_000_000n * TON, currencies: [] }]]),
    );
  });

  it('have the correct total balance', () => {
    const { cells: mcCells, globalBalance } = openMasterchain(genesis);
    const all = { grams: 0n, amounts: new Map<number, bigint>() };
    for (const { cells, state } of genesis.zeroStates.map(openState)) {
      const { totalBalance, totalValidatorFees } = readShardStateTotals(cells, state.totals);
      const { balance } = readShardAccounts(cells, state.accounts);
      expect(amount(cells, totalBalance)).toEqual(amount(cells, balance));
      expect(totalValidatorFees).toEqual({ grams: 0n, extra: -1 });
      let grams = 0n;
      for (const [, entry] of balances({ cells, state })) {
        grams += entry.grams;
        for (const { id, amount: more } of entry.currencies)
          all.amounts.set(id, (all.amounts.get(id) ?? 0n) + more);
      }
      expect(totalBalance.grams).toBe(grams);
      all.grams += grams;
    }
    const total = amount(mcCells, globalBalance);
    expect(total.grams).toBe(all.grams);
    expect(new Map(total.currencies.map(({ id, amount: sum }) => [id, sum]))).toEqual(all.amounts);
  });

  /** On what the active accounts of the masterchain run, by account. */
  function specialAccounts({ zeroStates }: Genesis): Map<string, unknown> {
    const special = new Map<string, unknown>();
    for (const [id, account] of accountsOf(openState(zeroStates[0]!)))
      special.set(id, account.state.kind === 'active' ? account.state.init.special : 'not active');
    return special;
  }

  it('have no counter of ticks and no block rewards without routine transactions', async () => {
    const quiet = await createGenesis({ now: NOW, shards: 1, routineTransactions: false });
    const { cells, config } = openMasterchain(quiet);
    const fundamental = readFundamentalAddresses(cells, configParam(cells, config, 31));
    expect(fundamental).toEqual([ELECTOR_ID, CONFIG_ID]);
    const rewards = new Slice(cells, configParam(cells, config, 14));
    expect([rewards.uint(8), rewards.coins(), rewards.coins()]).toEqual([0x6b, 0n, 0n]);
  });

  it('run special contracts as public networks do', () => {
    expect(specialAccounts(genesis)).toEqual(
      new Map<string, unknown>([
        [CONFIG_ID.toString('hex'), { tick: false, tock: true }],
        [ELECTOR_ID.toString('hex'), { tick: true, tock: false }],
        [genesis.tickTockId.toString('hex'), { tick: true, tock: true }],
        [genesis.masterchainFaucet.address.hash.toString('hex'), undefined],
      ]),
    );
  });

  it('contain the config in its contract as well', () => {
    const { cells, state, config, configAddress } = openMasterchain(genesis);
    expect(configAddress).toEqual(CONFIG_ID);
    const account = accountsOf({ cells, state }).get(CONFIG_ID.toString('hex'))!;
    if (account.state.kind !== 'active') throw new Error('expected an active account');
    expect(cells.ref(account.state.init.data, 0)).toBe(config);
  });

  it('match their block ids', () => {
    const store = createChainStore({ zeroStates: genesis.zeroStates });
    expect(store.head).toEqual(genesis.zeroStateId);
    expect(store.zeroState).toEqual(genesis.zeroStateId);
    const { cells, config } = openMasterchain(genesis);
    const [basechain] = readWorkchains(cells, configParam(cells, config, 12));
    const { zeroStateRootHash: rootHash, zeroStateFileHash: fileHash } = basechain!;
    const id = { workchain: 0, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash };
    expect(store.zeroStateBytes(id)).toBe(genesis.zeroStates[1]);
    expect(store.state(id)).toBeTypeOf('object');
  });

  it('are equal for equal options and differ for others', async () => {
    const again = await createGenesis({ now: NOW, shards: 4 });
    expect(again.zeroStates).toEqual(genesis.zeroStates);
    expect(again.zeroStateId).toEqual(genesis.zeroStateId);
    const others = [
      await createGenesis({ now: NOW + 1, shards: 4 }),
      await createGenesis({ now: NOW, shards: 2 }),
      await createGenesis({ now: NOW, shards: 4, globalId: -7 }),
      await createGenesis({ now: NOW, shards: 4, secret: Buffer.from('own') }),
    ];
    const names = [genesis, ...others].map(({ zeroStateId }) => zeroStateId.rootHash.toString('hex'));
    expect(new Set(names).size).toBe(5);
    expect(openMasterchain(others[2]!).state.globalId).toBe(-7);
  });

  it('name the validator whose signature finalises a block', async () => {
    const { cells } = openMasterchain(genesis);
    const proof = makeMerkleProof(cells, cells.root, () => true);
    const signers = createSignersCache()(genesis.zeroStateId, proof, 0);
    const block = { ...genesis.zeroStateId, seqno: 1, rootHash: Buffer.alloc(32, 1) };
    const { seed, publicKey } = genesis.validator;
    const unsigned = {
      kind: 'ordinary' as const,
      catchainSeqno: 0,
      validatorSetHash: signers.setHash,
      signatures: [],
    };
    const signature = signWithSeed(seed, signedData(unsigned, block));
    const signatures = [{ nodeIdShort: adnlShortId(publicKey), signature }];
    await checkSignatures({ ...unsigned, signatures }, block, signers);
    await expect(checkSignatures(unsigned, block, signers)).rejects.toThrow('too small sig weight');
  });
});

describe('faucets', () => {
  it('are the wallets that apps derive from the public mnemonic', async () => {
    const { faucet, masterchainFaucet } = await createGenesis({ now: NOW, shards: 1 });
    const mnemonic = [...faucet.mnemonic];
    expect(await mnemonicValidate(mnemonic)).toBe(true);
    const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic);
    for (const wallet of [faucet, masterchainFaucet]) {
      expect(wallet).toMatchObject({ publicKey, secretKey });
      const known = WalletContractV4.create({ publicKey, workchain: wallet.address.workChain });
      expect(wallet.address.equals(known.address)).toBe(true);
    }
    expect(faucet.address.toString()).toBe('EQCaU808DpGpNExdWfXxJ30O81GT13O9VQHTkWuk1xrQhzhq');
  });
});

function accountsOf({ cells, state }: OpenState): Map<string, Account> {
  const found = new Map<string, Account>();
  walkShardAccounts(cells, state.accounts, (id, { account, lastTransLt, lastTransHash }) => {
    const read = readAccount(cells, account)!;
    expect(read.address).toMatchObject({ kind: 'std', workchain: state.workchain, hash: Buffer.from(id) });
    expect(codeHash(cells, read)).toBeDefined();
    expect([lastTransLt, lastTransHash]).toEqual([0n, Buffer.alloc(32)]);
    found.set(id.toString('hex'), read);
  });
  return found;
}

function balances(opened: OpenState) {
  return new Map(
    [...accountsOf(opened)].map(([id, { balance }]) => [id, amount(opened.cells, balance)] as const),
  );
}

function amount(cells: OpenState['cells'], value: CurrencyCollection) {
  return { grams: value.grams, currencies: readExtraCurrencies(cells, value) };
}
