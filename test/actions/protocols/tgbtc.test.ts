import { Address, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { testActions } from '../support/action-cases.ts';
import { summarizeActions } from '../support/action-summaries.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [OWNER, WALLET, MASTER, PEGOUT] = [
  account('owner'),
  account('wallet'),
  account('master'),
  account('pegout'),
];
const [CLAIMS, BRIDGE, KEYS] = [account('claims'), account('bridge'), account('keys')];
const raw = (address: string) => Address.parseRaw(address);
const known = { jettonWallets: { [WALLET]: { owner: OWNER, jetton: MASTER } } };

const TXID = `${'00'.repeat(31)}ff`;
const KEY = 0x0abcn;
const mintLog: Step = {
  to: null,
  body: op(0x77a80ef3)
    .storeCoins(70n)
    .storeAddress(raw(OWNER))
    .storeUint(0xffn << 248n, 256),
};
const burnLog: Step = {
  to: null,
  body: op(0xca444ce6).storeCoins(60n).storeAddress(raw(OWNER)).storeAddress(raw(PEGOUT)),
};
const newKeyLog: Step = {
  to: null,
  body: op(0x27756729).storeCoins(50n).storeUint(KEY, 256).storeAddress(raw(PEGOUT)),
};
const keyMadeLog: Step = { to: null, body: op(0x453443a6).storeUint(1_700_000_123n, 64).storeUint(KEY, 256) };
const pegout: Step = { to: PEGOUT, body: op(0xbe44e7a6, 1), sends: [{ to: KEYS, body: op(0x1a84c0e0, 1) }] };

describe('a tgBTC mint', () => {
  const inner = beginCell().storeUint(0x178d4519, 32).storeUint(1, 64).storeCoins(70n);
  const internal = op(0x178d4519, 1).storeCoins(70n).storeAddress(null).storeAddress(null).storeCoins(0n);
  const mint: Step = {
    to: MASTER,
    body: op(0x15, 1).storeAddress(raw(OWNER)).storeCoins(5n).storeRef(inner),
    sends: [{ to: WALLET, body: internal }],
  };
  const minting: Step = { to: BRIDGE, body: op(0xe42a879b, 1), sends: [mintLog, mint] };
  const between = (steps: number, last: Step): Step =>
    steps === 0 ? last : { to: BRIDGE, body: op(0x100 + steps), sends: [between(steps - 1, last)] };
  const classify = (steps: number) =>
    summarizeActions(
      sent(OWNER, { to: CLAIMS, body: op(0x3f781d24), sends: [between(steps, minting)] }),
      known,
    );

  it('includes the claim', () => {
    expect(classify(2)[0]).toEqual({
      type: 'tgbtc_mint',
      success: true,
      source: OWNER,
      source_secondary: BRIDGE,
      destination: OWNER,
      destination_secondary: WALLET,
      asset: MASTER,
      extra: { btc_txid: TXID },
      amount: 70n,
      txs: 'tx0 tx1 tx2 tx3 tx4 tx5 tx6',
    });
    const longest = classify(19).filter(({ type }) => String(type).startsWith('tgbtc'));
    expect(longest).toMatchObject([{ type: 'tgbtc_mint' }]);
  });

  it('is recognised by its log alone without a near claim', () => {
    const alone = {
      type: 'tgbtc_mint_fallback',
      success: true,
      source: BRIDGE,
      source_secondary: BRIDGE,
      destination: OWNER,
      extra: { btc_txid: TXID },
      amount: 70n,
    };
    for (const actions of [classify(20), summarizeActions(sent(OWNER, minting), known)]) {
      const bitcoin = actions.filter(({ type }) => String(type).startsWith('tgbtc'));
      expect(bitcoin).toEqual([{ ...alone, txs: expect.stringMatching(/^tx\d+$/) }]);
      expect(actions).toContainEqual(expect.objectContaining({ type: 'jetton_mint', amount: 70n }));
    }
  });

  it('is not recognised if the log has another layout', () => {
    const broken = { to: null, body: op(0x77a80ef3).storeCoins(70n) };
    expect(summarizeActions(sent(OWNER, { to: BRIDGE, body: op(1), sends: [broken] }))).toMatchObject([
      { type: 'call_contract', opcode: 1 },
    ]);
  });
});

describe('a tgBTC burn', () => {
  const burn = (...sends: readonly Step[]) => {
    const body = op(0x595f07bc, 1).storeCoins(65n).storeAddress(raw(OWNER));
    return sent(OWNER, { to: WALLET, body, sends });
  };

  const fallback = { type: 'tgbtc_burn_fallback', success: true, amount: 60n, txs: 'tx2' };
  const short = { to: null, body: op(0xca444ce6).storeCoins(60n) };

  testActions({
    'has the pegout': {
      trace: burn({ to: MASTER, body: op(0x587643a2, 1), sends: [burnLog, pegout] }),
      known,
      first: {
        type: 'tgbtc_burn',
        success: true,
        source: OWNER,
        source_secondary: WALLET,
        destination: PEGOUT,
        asset: MASTER,
        amount: 60n,
        txs: 'tx0 tx1 tx2 tx3 tx4',
      },
    },
    'is recognised by its log alone after a plain burn': {
      trace: burn({ to: MASTER, body: op(0x7bdd97de, 1), sends: [burnLog] }),
      known,
      has: [
        { ...fallback, source: OWNER, destination: PEGOUT },
        expect.objectContaining({ type: 'jetton_burn', amount: 65n }),
      ],
    },
    'is recognised by a log without addresses': {
      trace: burn({ to: MASTER, body: op(0x7bdd97de, 1), sends: [short] }),
      known,
      has: [fallback],
    },
  });
});

describe('a new tgBTC key', () => {
  const moving: Step = { to: BRIDGE, body: op(0x690f357a, 1), sends: [newKeyLog, pegout] };
  const changing = (...sends: readonly Step[]) => sent(OWNER, { to: KEYS, body: op(7), sends });

  testActions({
    'has the DKG key': {
      trace: changing(keyMadeLog, moving),
      first: {
        type: 'tgbtc_new_key',
        success: true,
        source: KEYS,
        extra: { pubkey: 'abc' },
        destination: BRIDGE,
        destination_secondary: PEGOUT,
        amount: 50n,
        value: 1_700_000_123n,
        txs: 'tx0 tx1 tx2 tx3 tx4',
      },
    },
    'is recognised by the log of the move alone': {
      trace: changing(moving),
      has: [
        {
          type: 'tgbtc_new_key_fallback',
          success: true,
          extra: { pubkey: 'abc' },
          destination: BRIDGE,
          destination_secondary: PEGOUT,
          amount: 50n,
          txs: 'tx2',
        },
      ],
    },
    'is recognised by the log of the DKG alone': {
      trace: changing(keyMadeLog),
      has: [
        {
          type: 'tgbtc_dkg_log_fallback',
          success: true,
          source: KEYS,
          extra: { pubkey: 'abc' },
          value: 1_700_000_123n,
          txs: 'tx1',
        },
      ],
    },
  });
});
