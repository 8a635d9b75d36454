import { Address, beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { testActions } from '../support/action-cases.ts';
import { actionsOf, summarizeActions } from '../support/action-summaries.ts';
import { jettonSteps } from '../support/jetton-steps.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [OWNER, WALLET, POOL, POOL_WALLET] = [
  account('owner'),
  account('wallet'),
  account('pool'),
  account('lock'),
];
const [STAKE, JETTON, MINTER] = [account('stake wallet'), account('jetton'), account('minter')];
const raw = (address: string) => Address.parseRaw(address);

const jettonWallets = {
  [WALLET]: { owner: OWNER, jetton: JETTON },
  [POOL_WALLET]: { owner: POOL, jetton: JETTON },
};
const poolData = beginCell()
  .storeBit(1)
  .storeUint(1, 32)
  .storeAddress(null)
  .storeAddress(raw(OWNER))
  .storeAddress(raw(POOL_WALLET));
const data = {
  [STAKE]: beginCell().storeAddress(raw(POOL)).storeAddress(raw(MINTER)).endCell().toBoc(),
  [POOL]: poolData.endCell().toBoc(),
};
const update: Step = { to: STAKE, body: op(0xae9307ce, 1), sends: [{ to: OWNER, body: op(0xd53276db, 1) }] };
const paid = { owner: POOL, wallet: POOL_WALLET, receiver: OWNER, receiverWallet: WALLET, amount: 90n };
const columns = { source: OWNER, source_secondary: STAKE, destination: POOL };

describe('a JVault stake', () => {
  const classify = (...responses: readonly Step[]) => {
    const payload = beginCell().storeUint(0xc89a3ee4, 32).storeUint(2_592_000, 32).endCell();
    const received = { to: STAKE, body: op(0xd68a4ac1, 1), sends: responses };
    const stake = { owner: OWNER, wallet: WALLET, receiver: POOL, receiverWallet: POOL_WALLET, amount: 90n };
    return summarizeActions(sent(OWNER, jettonSteps({ ...stake, payload, sends: [received] })), {
      jettonWallets,
    })[0];
  };
  const staked = {
    type: 'jvault_stake',
    source: OWNER,
    source_secondary: WALLET,
    destination: POOL,
    asset: JETTON,
    amount: 90n,
    jvault_stake_data: { period: 2_592_000, stake_wallet: STAKE },
  };

  it('has the referrers of the staker', () => {
    const inviter = { to: POOL, body: op(0x55c35b40, 1), sends: [{ to: STAKE, body: op(0x076ee4e0, 1) }] };
    expect(classify({ to: POOL, body: op(0xf5c5baa3, 1), sends: [inviter, update] })).toEqual({
      ...staked,
      success: true,
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7 tx8 tx9',
    });
  });

  it('has hundreds of referrers up to a limit', () => {
    const chain = (length: number): Step =>
      length === 0
        ? { to: STAKE, body: op(0x076ee4e0, 1) }
        : { to: POOL, body: op(0x55c35b40, 1), sends: [chain(length - 1)] };
    const parts = (length: number) => {
      const stake = classify({ to: POOL, body: op(0xf5c5baa3, 1), sends: [chain(length), update] });
      expect(stake).toMatchObject(staked);
      return String(stake?.txs).split(' ').length;
    };
    expect(parts(150)).toBe(159);
    expect(parts(600)).toBeLessThan(500);
  });

  it('fails if the pool cancels it', () => {
    expect(classify({ to: POOL, body: op(0x9eada1d9, 1), sends: [jettonSteps(paid)] })).toEqual({
      ...staked,
      success: false,
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7 tx8',
    });
  });
});

describe('a JVault unstake', () => {
  const unstake = (opcode: number, refused: boolean, ...sends: readonly Step[]): Step => ({
    to: STAKE,
    body: op(opcode, 1).storeCoins(90n),
    sends,
    ...(refused && { aborted: true, exitCode: 512 }),
  });
  const respond = (...sends: readonly Step[]): Step => ({ to: POOL, body: op(0xf5c5baa3, 1), sends });
  const known = { jettonWallets, data };
  const all = { ...columns, asset: JETTON, asset2: MINTER, amount: 90n };

  const unknown = { jettonWallets, data: {} };
  const request = {
    type: 'jvault_unstake_request',
    success: true,
    ...columns,
    amount: 90n,
    txs: 'tx0 tx1 tx2 tx3 tx4',
  };

  testActions({
    'has the payout of the pool': {
      trace: sent(OWNER, unstake(0x499a9262, false, respond(jettonSteps(paid), update))),
      known,
      first: { type: 'jvault_unstake', success: true, ...all, txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7' },
    },
    'may be a request': {
      trace: sent(OWNER, unstake(0x0168d4b7, false, respond(update))),
      known,
      first: { ...request, ...all },
    },
    'has the exit code if the wallet rejected it': {
      trace: sent(OWNER, unstake(0x499a9262, true)),
      known,
      firstHas: { ...all, type: 'jvault_unstake', opcode: 512 },
    },
    'has the exit code if the wallet rejected the request': {
      trace: sent(OWNER, unstake(0x0168d4b7, true)),
      known,
      firstHas: { ...all, type: 'jvault_unstake_request', success: false, opcode: 512 },
    },
    'needs the data of the wallet if the pool did not respond': {
      trace: sent(OWNER, unstake(0x499a9262, true)),
      known: unknown,
      allHave: [{ type: 'call_contract', success: false }],
    },
    'does not need the data of the wallet if the pool responded': {
      trace: sent(OWNER, unstake(0x0168d4b7, false, respond(update))),
      known: unknown,
      first: request,
    },
    'is a contract call if the data of the wallet is broken': {
      trace: sent(OWNER, unstake(0x499a9262, true)),
      known: { jettonWallets, data: { [STAKE]: Buffer.from('no bag of cells') } },
      allHave: [{ type: 'call_contract' }],
    },
    'is not recognised if the pool pays another jetton': {
      trace: sent(OWNER, unstake(0x499a9262, false, respond(jettonSteps(paid), update))),
      known: { jettonWallets: { ...jettonWallets, [POOL_WALLET]: { owner: POOL, jetton: MINTER } }, data },
      types: ['call_contract', 'jetton_transfer'],
    },
  });
});

describe('a JVault rewards claim', () => {
  const claim = (keys: Dictionary<Address, number>) => {
    const rewards = { to: POOL, body: op(0x44bc1fe3, 1), sends: [jettonSteps(paid), update] };
    return sent(OWNER, { to: STAKE, body: op(0x78d9f109, 1).storeDict(keys), sends: [rewards] });
  };
  const dictionary = () => Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Uint(0));

  it('has the jetton wallets', () => {
    const keys = dictionary();
    const wallets = [account('b', -1), account('a')];
    for (const wallet of wallets) keys.set(raw(wallet), 0);
    expect(summarizeActions(claim(keys), { jettonWallets })[0]).toEqual({
      type: 'jvault_claim',
      success: true,
      ...columns,
      jvault_claim_data: { claimed_jettons: expect.arrayContaining(wallets), claimed_amounts: [90n] },
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6 tx7',
    });
    const [empty] = actionsOf(claim(dictionary()), { jettonWallets });
    expect(empty?.data.jvault_claim_data).toEqual({ claimed_jettons: [], claimed_amounts: [90n] });
  });

  it('is a contract call if the keys are not addresses', () => {
    const keys = Dictionary.empty(Dictionary.Keys.BigUint(267), Dictionary.Values.Uint(0)).set(1n, 0);
    const body = op(0x78d9f109, 1).storeDict(keys);
    const rewards = { to: POOL, body: op(0x44bc1fe3, 1), sends: [jettonSteps(paid), update] };
    const [action] = summarizeActions(sent(OWNER, { to: STAKE, body, sends: [rewards] }), { jettonWallets });
    expect(action).toMatchObject({ type: 'call_contract', opcode: 0x78d9f109 });
  });
});
