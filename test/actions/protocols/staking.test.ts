import { Address } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { account, op, type Step, sent, text } from '../support/trace-builder.ts';

const [ALICE, BOB, POOL, WALLET, MINTER, NFT] = ['alice', 'bob', 'pool', 'wallet', 'minter', 'NFT'].map(
  (name) => account(name),
) as [string, string, string, string, string, string];
const at = (address: string) => Address.parseRaw(address);
const TON = 1_000_000_000n;

describe('a nominator', () => {
  const known = { nominatorPools: [POOL] };
  const say = (word: string, ...sends: readonly Step[]): Step => ({
    to: POOL,
    value: 5n * TON,
    body: text(word),
    sends,
  });
  const pay = (value: bigint, to = ALICE): Step => ({ to, value });
  const excess: Step = { to: ALICE, body: op(0xd53276db, 1n) };
  const NOMINATOR = { source: ALICE, destination: POOL, staking_data: { provider: 'nominator' } };

  it('deposits a stake', () => {
    expect(summarizeActions(sent(ALICE, say('d', excess)), known)).toEqual([
      { ...NOMINATOR, type: 'stake_deposit', success: true, amount: 5n * TON, txs: 'tx0 tx1 tx2' },
    ]);
    const bounced: Step = { ...say('d', { to: ALICE, body: op(0xffffffff) }), aborted: true };
    expect(summarizeActions(sent(ALICE, bounced), known)).toMatchObject([
      { type: 'stake_deposit', success: false, txs: 'tx0 tx1 tx2' },
    ]);
  });

  it('requests a withdrawal', () => {
    expect(summarizeActions(sent(ALICE, say('w')), known)).toEqual([
      { ...NOMINATOR, type: 'stake_withdrawal_request', success: true, txs: 'tx0 tx1' },
    ]);
    // No more than the sent value is returned.
    expect(summarizeActions(sent(ALICE, say('w', pay(5n * TON))), known)).toEqual([
      { ...NOMINATOR, type: 'stake_withdrawal_request', success: true, txs: 'tx0 tx1 tx2' },
    ]);
  });

  it('is paid at once', () => {
    const paid = { ...NOMINATOR, type: 'stake_withdrawal', success: true };
    expect(summarizeActions(sent(ALICE, say('w', pay(90n * TON))), known)).toEqual([
      { ...paid, amount: 90n * TON, txs: 'tx0 tx1 tx2' },
    ]);
    expect(summarizeActions(sent(ALICE, say('w', pay(3n), pay(90n * TON))), known)).toEqual([
      { ...paid, amount: 3n, txs: 'tx0 tx1 tx2 tx3' },
    ]);
  });

  it('is not paid by more than two transfers', () => {
    expect(typesOf(summarizeActions(sent(ALICE, say('w', pay(9n), pay(9n), pay(9n))), known))).toEqual([
      'stake_withdrawal_request',
      'ton_transfer',
      'ton_transfer',
      'ton_transfer',
    ]);
  });

  it('is paid when the pool owner processes withdrawals', () => {
    const process: Step = {
      to: POOL,
      body: op(2, 1n),
      sends: [pay(7n), pay(8n, BOB), { to: BOB, body: op(9) }],
    };
    const actions = summarizeActions(sent(account('owner'), process), known);
    expect(typesOf(actions).toSorted()).toEqual([
      'call_contract',
      'call_contract',
      'stake_withdrawal',
      'stake_withdrawal',
    ]);
    const paid = { ...NOMINATOR, type: 'stake_withdrawal', success: true };
    expect(actions).toContainEqual({ ...paid, amount: 7n, txs: 'tx1 tx2' });
    expect(actions).toContainEqual({ ...paid, source: BOB, amount: 8n, txs: 'tx1 tx3' });
  });

  it('is recognised only for a known pool', () => {
    for (const step of [say('d'), say('w')])
      expect(typesOf(summarizeActions(sent(ALICE, step)))).toEqual(['ton_transfer']);
    expect(typesOf(summarizeActions(sent(ALICE, { to: POOL, body: op(2, 1n), sends: [pay(7n)] })))).toEqual([
      'call_contract',
      'ton_transfer',
    ]);
    expect(typesOf(summarizeActions(sent(ALICE, say('D')), known))).toEqual(['ton_transfer']);
  });
});

describe('liquid staking', () => {
  const LIQUID = 'liquid_staking';

  it('mints jettons for a deposit', () => {
    const notification: Step = { to: ALICE, body: op(0x7362d09c, 1n) };
    const minted: Step = { to: WALLET, body: op(0x178d4519, 1n).storeCoins(42n), sends: [notification] };
    const deposit: Step = { to: POOL, value: 11n * TON, body: op(0x47d54391, 1n) };
    const actions = summarizeActions(
      sent(ALICE, { ...deposit, sends: [{ to: MINTER, body: op(0x1674b0a0, 1n), sends: [minted] }] }),
    );
    expect(actions).toEqual([
      {
        type: 'stake_deposit',
        success: true,
        source: ALICE,
        destination: POOL,
        amount: 10n * TON,
        asset: MINTER,
        staking_data: { provider: LIQUID, tokens_minted: 42n },
        txs: 'tx0 tx1 tx2 tx3 tx4',
      },
    ]);
    expect(typesOf(summarizeActions(sent(ALICE, { ...deposit, aborted: true })))).toEqual(['call_contract']);
  });

  const burn = (response: Step): Step => ({
    to: WALLET,
    body: op(0x595f07bc, 1n).storeCoins(42n).storeAddress(at(ALICE)),
    sends: [
      {
        to: MINTER,
        body: op(0x7bdd97de, 1n),
        sends: [{ to: POOL, value: TON, body: op(0x319b0cdc, 1n), sends: [response] }],
      },
    ],
  });

  it('pays a withdrawal at once if possible', () => {
    const paid: Step = { to: ALICE, value: 8n * TON, body: op(0x0a77535c, 1n) };
    expect(summarizeActions(sent(ALICE, burn(paid)))).toEqual([
      {
        type: 'stake_withdrawal',
        success: true,
        source: ALICE,
        destination: POOL,
        asset: MINTER,
        amount: 7n * TON,
        staking_data: { provider: LIQUID, tokens_burnt: 42n },
        txs: 'tx0 tx1 tx2 tx3 tx4',
      },
    ]);
  });

  it('gives an NFT for a delayed withdrawal', () => {
    const mint = (...sends: readonly Step[]): Step => ({ to: BOB, body: op(0x1674b0a0, 1n), sends });
    const init: Step = { to: NFT, body: op(0x132f9a45, 1n) };
    const request = {
      type: 'stake_withdrawal_request',
      source: ALICE,
      source_secondary: WALLET,
      destination: POOL,
      asset: MINTER,
      amount: 42n,
    };
    expect(summarizeActions(sent(ALICE, burn(mint(init))))[0]).toMatchObject({
      ...request,
      success: true,
      staking_data: { provider: LIQUID, ts_nft: NFT },
    });
    const items = { nftItems: { [NFT]: {} } };
    const actions = summarizeActions(sent(ALICE, burn(mint({ ...init, body: op(9), deploys: true }))), items);
    expect(actions[0]).toMatchObject({ ...request, success: true, staking_data: { ts_nft: NFT } });
    expect(typesOf(actions)).toContain('nft_mint');
    expect(summarizeActions(sent(ALICE, burn(mint())))[0]).toMatchObject({ ...request, success: false });
  });

  it('is a contract call if the burn is truncated', () => {
    const paid: Step = { to: ALICE, value: 8n * TON, body: op(0x0a77535c, 1n) };
    const short: Step = { ...burn(paid), body: op(0x595f07bc, 1n) };
    expect(new Set(typesOf(summarizeActions(sent(ALICE, short))))).toEqual(new Set(['call_contract']));
  });

  it('is only a burn if the pool does not respond', () => {
    const jettonWallets = { [WALLET]: { owner: ALICE, jetton: MINTER } };
    const actions = summarizeActions(sent(ALICE, burn({ to: ALICE, body: op(9) })), { jettonWallets });
    expect(actions[0]).toMatchObject({ type: 'jetton_burn', amount: 42n });
  });

  /** An NFT is burnt and paid, then the one before it. */
  const payout = (nft: string, owner: string, value: bigint, ...sends: readonly Step[]): Step => ({
    to: nft,
    body: op(0xf127fe4e, 1n),
    sends: [
      {
        to: BOB,
        body: op(0xed58b0b2, 1n).storeCoins(42n).storeAddress(at(owner)),
        sends: [{ to: owner, value, body: op(0xdb3b8abd, 1n) }, ...sends],
      },
    ],
  });

  it('pays for payout NFTs one after another', () => {
    const distribution: Step = {
      to: BOB,
      body: op(0x1140a64f, 1n),
      sends: [payout(NFT, ALICE, 9n, payout(account('second'), WALLET, 8n))],
    };
    const actions = summarizeActions(sent(POOL, distribution)).filter(
      ({ type }) => type === 'stake_withdrawal',
    );
    const paid = { type: 'stake_withdrawal', success: true, destination: POOL };
    expect(actions).toMatchObject([
      {
        ...paid,
        source: ALICE,
        amount: 9n,
        txs: 'tx1 tx2 tx3 tx4',
        staking_data: { provider: LIQUID, ts_nft: NFT, tokens_burnt: 42n },
      },
      { ...paid, source: WALLET, amount: 8n, staking_data: { ts_nft: account('second') } },
    ]);
  });

  it('has no pool for an NFT burnt by others', () => {
    const actions = summarizeActions(sent(POOL, { to: BOB, body: op(9), sends: [payout(NFT, ALICE, 9n)] }));
    const withdrawal = actions.find(({ type }) => type === 'stake_withdrawal');
    expect(withdrawal).toMatchObject({ source: ALICE, amount: 9n });
    expect(withdrawal).not.toHaveProperty('destination');
  });
});

describe('Ethena', () => {
  const USDE = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC';
  const STAKED = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D';
  const [POOL_WALLET, STAKED_WALLET] = [account('wallet of the pool'), account('staked wallet')];

  it('stakes USDe for tsUSDe', () => {
    const minted: Step = { to: STAKED_WALLET, body: op(0x178d4519, 1n).storeCoins(40n).storeAddress(null) };
    const mint: Step = {
      to: STAKED,
      body: op(0x642b7d07, 1n).storeAddress(at(ALICE)).storeCoins(1n),
      sends: [minted],
    };
    const transfer = {
      owner: ALICE,
      wallet: WALLET,
      receiver: POOL,
      receiverWallet: POOL_WALLET,
      amount: 50n,
    };
    const known = (jetton: string) => ({
      jettonWallets: {
        [POOL_WALLET]: { owner: POOL, jetton },
        [STAKED_WALLET]: { owner: ALICE, jetton: STAKED },
      },
    });
    const trace = sent(ALICE, jettonSteps({ ...transfer, sends: [mint] }));
    expect(summarizeActions(trace, known(USDE))).toEqual([
      {
        type: 'stake_deposit',
        success: true,
        source: ALICE,
        source_secondary: WALLET,
        destination: POOL,
        amount: 50n,
        asset: STAKED,
        asset2: USDE,
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
        staking_data: { provider: 'ethena', tokens_minted: 40n },
      },
    ]);
    expect(typesOf(summarizeActions(trace, known(MINTER)))).toEqual(['jetton_transfer', 'jetton_mint']);
  });

  it('requests a withdrawal of tsUSDe', () => {
    const timelocked: Step = { to: BOB, body: op(0xb2583ed5, 1n).storeCoins(30n) };
    const mint: Step = { to: MINTER, body: op(0x642b7d07, 1n), sends: [timelocked] };
    // Sent to the master, which is not a wallet.
    const transfer = {
      owner: ALICE,
      wallet: STAKED_WALLET,
      receiver: POOL,
      receiverWallet: STAKED,
      amount: 50n,
    };
    const trace = sent(ALICE, jettonSteps({ ...transfer, sends: [mint] }));
    const known = (owner: string) => ({
      jettonWallets: { [STAKED_WALLET]: { owner: ALICE, jetton: STAKED }, [BOB]: { owner, jetton: MINTER } },
    });
    expect(summarizeActions(trace, known(ALICE))).toEqual([
      {
        type: 'stake_withdrawal_request',
        success: true,
        source: ALICE,
        source_secondary: STAKED_WALLET,
        destination: POOL,
        asset: STAKED,
        amount: 50n,
        txs: 'tx0 tx1 tx2 tx3 tx4 tx5',
        staking_data: { provider: 'ethena', tokens_minted: 30n },
      },
    ]);
    for (const others of [known(POOL), {}])
      expect(typesOf(summarizeActions(trace, others))).not.toContain('stake_withdrawal_request');
  });
});
