import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf, withNames } from '../support/action-summaries.ts';
import { accountsNamed, log, to } from '../support/dex-steps.ts';
import { op, type Step, sent } from '../support/trace-builder.ts';

const A = accountsNamed('trader', 'trader wallet', 'master');
const GASPUMP = { codeHashes: { [A.master]: '6ox2FGgwSndqH0lxBiss6BMBM2reNTNNKPu5yjNVTRc=' } };
const URANUS = { codeHashes: { [A.master]: 'ci03vlGO4NS2cUB3cn7WByS/N56PFHnCILhT0a888A0=' } };
const walletsOf = (hash: string) => ({ walletCodeHashes: { [A.master]: hash } });
const BLUM = walletsOf('pG74dG9OpmnCzpRVvhKbaTzRxjjLAh+qrFjH3wHgoWM=');
const TONFUN = walletsOf('ImgwVG3JqxaH3HK8il7cxgIQORp8YGmMT+ImYY13jWg=');
const MEMESLAB = walletsOf('ipKseGXVM3nzsWGuSptUyN721dwpyvwHemFB6YK/Kis=');

const coins = (opcode: number, ...amounts: bigint[]) =>
  amounts.reduce((body, amount) => body.storeCoins(amount), op(opcode).storeAddress(to(A.trader)));
const reserves = (opcode: number, tons: bigint, jettons: bigint) =>
  op(opcode, 3)
    .storeUint(11, 64)
    .storeUint(12, 64)
    .storeUint(tons, 64)
    .storeUint(jettons, 64)
    .storeAddress(to(A.trader))
    .storeUint(0, 4);

/** A request to the master, which writes a log and sends these messages. */
const trade = (body: Builder, ...sends: Step[]) =>
  sent(A.trader, { to: A.master, body: op(0x1234_5678, 1), sends: [log(body), ...sends] });

const CASES = {
  'gaspump, with the deployment': [
    'launchpad_buy',
    'gaspump',
    GASPUMP,
    coins(0x67617301, 110n, 100n, 7n, 10n).storeBit(0),
    10n,
  ],
  'gaspump, a purchase': [
    'launchpad_buy',
    'gaspump',
    GASPUMP,
    coins(0x67617302, 110n, 100n, 7n, 10n).storeBit(1),
    10n,
  ],
  'gaspump, a sale': ['launchpad_sell', 'gaspump', GASPUMP, coins(0x67617303, 100n, 7n, 10n), 10n],
  'blum, a purchase': ['launchpad_buy', 'blum', BLUM, coins(0xceac8af4, 100n, 7n, 70n, 900n).storeBit(0)],
  'blum, a sale': ['launchpad_sell', 'blum', BLUM, coins(0xef2e2def, 100n, 7n, 70n, 900n).storeBit(0)],
  'tonfun, a purchase': [
    'launchpad_buy',
    'tonfun',
    TONFUN,
    coins(0xcd78325d, 100n, 7n, 70n, 900n).storeBit(0),
  ],
  'tonfun, a sale': ['launchpad_sell', 'tonfun', TONFUN, coins(0x5e97d116, 100n, 7n, 70n, 900n).storeBit(0)],
  'memeslab, a purchase': ['launchpad_buy', 'memeslab', MEMESLAB, reserves(0xace8e777, 100n, 7n)],
  'memeslab, a sale': ['launchpad_sell', 'memeslab', MEMESLAB, reserves(0xace8e778, 100n, 7n)],
  'uranus, a purchase': [
    'launchpad_buy',
    'uranus',
    URANUS,
    coins(0xa0aa6bc2, 100n, 7n, 1n, 2n, 3n, 4n, 5n, 6n).storeBit(0),
  ],
  'uranus, a sale': ['launchpad_sell', 'uranus', URANUS, coins(0x3ab0fccc, 7n, 100n, 1n, 2n, 3n, 4n, 5n, 6n)],
} as const;

describe('a trade on a launchpad', () => {
  it.each(Object.entries(CASES))('%s', (_title, [type, launchpad, known, body, fee]) => {
    const actions = withNames(summarizeActions(trade(body), known), A);
    expect(typesOf(actions)).toEqual([`${type}/call_contract`, type]);
    expect(actions[1]).toEqual({
      type,
      success: true,
      source: 'trader',
      destination: 'master',
      asset: 'master',
      value: 100n,
      amount: 7n,
      launchpad_trade_data: { launchpad, ...(fee && { fee }) },
      txs: 'tx0 tx1',
    });
  });

  it.each(Object.entries(CASES))(
    '%s: counts only if the code is that of the launchpad',
    (_title, [, , , body]) => {
      const other = { codeHashes: { [A.master]: 'AAAA' }, ...walletsOf('AAAA') };
      for (const known of [undefined, other])
        expect(typesOf(summarizeActions(trade(body), known))).toEqual(['call_contract']);
    },
  );

  it('is a log, not a message with its opcode', () => {
    const step = { to: A.master, body: coins(0x67617303, 100n, 7n, 10n) };
    expect(typesOf(summarizeActions(sent(A.trader, step), GASPUMP))).toEqual(['call_contract']);
  });

  it('covers the jettons that go to the trader, and no others', () => {
    const jettons = (amount: bigint) => ({
      to: A['trader wallet'],
      body: op(0x178d4519, 7)
        .storeCoins(amount)
        .storeAddress(null)
        .storeAddress(to(A.trader))
        .storeCoins(0n)
        .storeBit(0),
    });
    const known = {
      ...GASPUMP,
      jettonWallets: { [A['trader wallet']]: { owner: A.trader, jetton: A.master } },
    };
    const bought = coins(0x67617302, 110n, 100n, 7n, 10n).storeBit(0);
    expect(typesOf(summarizeActions(trade(bought, jettons(7n), jettons(8n)), known))).toEqual([
      'launchpad_buy/call_contract',
      'launchpad_buy/call_contract',
      'call_contract',
      'launchpad_buy',
    ]);
  });

  it('is none if the log is cut short', () => {
    const short = beginCell().storeUint(0x67617302, 32);
    expect(typesOf(summarizeActions(trade(short), GASPUMP))).toEqual(['call_contract']);
  });
});
