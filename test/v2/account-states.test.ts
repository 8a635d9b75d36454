import { Address, beginCell, type Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { readPaymentChannel } from '../../src/chain/contracts/payment-channel.ts';
import { compileSerializer } from '../../src/http/serializer.ts';
import walletCodes from '../../src/localnet/contracts/wallet-codes.json' with { type: 'json' };
import {
  accountContent,
  accountStatus,
  paymentChannel,
  RecognisedState,
  recognisedState,
} from '../../src/v2/account-states.ts';
import { type AccountFields, buildAccountAt } from '../live/support/built-account.ts';

const HIGHLOAD_V1_R1 =
  'te6ccgEBBgEAhgABFP8A9KQT9KDyyAsBAgEgAgMCAUgEBQC88oMI1xgg0x/TH9Mf+CMTu/Jj7UTQ0x/TH9P/0VEyuvKhUUS68qIE+QFUEFX5EPKj9ATR+AB/jhghgBD0eG+hb6EgmALTB9QwAfsAkTLiAbPmWwGkyMsfyx/L/8ntVAAE0DAAEaCZL9qJoa4WPw==';
const HIGHLOAD_V2_R1 =
  'te6ccgEBBwEA1gABFP8A9KQT9KDyyAsBAgEgAgMCAUgEBQHu8oMI1xgg0x/TP/gjqh9TILnyY+1E0NMf0z/T//QE0VNggED0Dm+hMfJgUXO68qIH+QFUEIf5EPKjAvQE0fgAf44YIYAQ9HhvoW+hIJgC0wfUMAH7AJEy4gGz5luDJaHIQDSAQPRDiuYxyBLLHxPLP8v/9ADJ7VQGAATQMABBoZfl2omhpj5jpn+n/mPoCaKkQQCB6BzfQmMktv8ld0fFADgggED0lm+hb6EyURCUMFMDud4gkzM2AZIyMOKz';
const RESTRICTED_R1 =
  'te6ccgECEgEAAUsAART/APSkE/S88sgLAQIBIAIDAgFIBAUD+PKDCNcYINMf0x/THwL4I7vyY+1E0NMf0x/T/1NDuvKhUWK68qIG+QFUEHb5EPKkAY4fMwHT/9EB0x/0BNH4AAOkyMsfFMsfy/8Syx/0AMntVOEC0x/0BNH4ACH4I9s8IYAg9HtvpTGW+gAwcvsCkTDiApMg10qK6NECpMgPEBEABNAwAgEgBgcCASAICQIBSAwNAgFuCgsAEbjJftRNDXCx+AAXrc52omhpn5jrhf/AABesePaiaGmPmOuFj8ABDbbYHwR7Z5AOAQm1B1tnkA4BTu1E0IEBQNch0x/0BNEC2zz4J28QAoAg9HtvpTGX+gAwoXC2CZEw4g8AOiGOETGA8/gzIG6SMHCU0NcLH+IB3yGSAaGSW3/iAAzTB9QC+wAAHssfFMsfEsv/yx/0AMntVA==';
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

const KEY = Buffer.alloc(32, 0x11);
const LARGE = 2n ** 60n + 1n;
const write = compileSerializer(RecognisedState);

function recognise(made: AccountFields | undefined): { json: string; state: unknown; revision: number } {
  const { proven } = buildAccountAt(made);
  const { account_state, revision } = recognisedState(accountContent(proven), proven.genUtime);
  const json = write(account_state);
  return { json, state: JSON.parse(json), revision };
}

const walletData = (seqno: number, walletId: number): Cell =>
  beginCell().storeUint(seqno, 32).storeUint(walletId, 32).storeBuffer(KEY).storeBit(0).endCell();

describe('accountStatus', () => {
  const statusOf = (made: AccountFields | undefined) =>
    accountStatus(accountContent(buildAccountAt(made).proven));

  it('is uninitialized for an account that does not exist', () => {
    expect(statusOf(undefined)).toBe('uninitialized');
  });

  it('is active for an account with code', () => {
    expect(statusOf({ code: EMPTY_CELL })).toBe('active');
  });

  it('is uninitialized for an active account without code', () => {
    expect(statusOf({ active: true, data: beginCell().endCell() })).toBe('uninitialized');
  });

  it('is frozen for a frozen account', () => {
    expect(statusOf({ frozenHash: KEY })).toBe('frozen');
  });
});

describe('recognisedState', () => {
  it.each([
    ['wallet.v3', 1, walletCodes.v3r1.boc],
    ['wallet.v3', 2, walletCodes.v3r2.boc],
    ['wallet.v4', 2, walletCodes.v4r2.boc],
    ['wallet.highload.v1', 1, HIGHLOAD_V1_R1],
  ])('decodes a %s of revision %i with its seqno', (kind, revision, code) => {
    expect(recognise({ code, data: walletData(5, 0xfffffff0) })).toMatchObject({
      state: { '@type': `${kind}.accountState`, wallet_id: 0xfffffff0, seqno: 5 },
      revision,
    });
    expect(recognise({ code, data: walletData(2 ** 32 - 1, 1) }).state).toMatchObject({ seqno: -1 });
  });

  it('decodes a highload wallet v2 without a seqno', () => {
    const data = beginCell()
      .storeUint(0xfffffff0, 32)
      .storeUint(0, 64)
      .storeBuffer(KEY)
      .storeBit(0)
      .endCell();
    expect(recognise({ code: HIGHLOAD_V2_R1, data })).toMatchObject({
      json: '{"@type":"wallet.highload.v2.accountState","wallet_id":4294967280}',
      revision: 1,
    });
  });

  it.each<[string, AccountFields]>([
    ['a wallet that is not known', { code: walletCodes.v4r1.boc, data: walletData(1, 1) }],
    ['data that does not fit', { code: walletCodes.v3r2.boc, data: beginCell().endCell() }],
    ['no data', { code: EMPTY_CELL }],
  ])('is raw for %s', (_, made) => {
    const data = made.data?.toBoc({ idx: false, crc32: true }).toString('base64') ?? '';
    expect(recognise(made)).toMatchObject({
      state: { '@type': 'raw.accountState', data, frozen_hash: '' },
      revision: 0,
    });
  });

  it.each([
    ['does not exist', undefined, ''],
    ['has a balance and nothing else', { balance: 1n }, ''],
    ['has data and no code', { active: true, data: walletData(1, 1) }, ''],
    ['is frozen', { frozenHash: KEY }, KEY.toString('base64')],
  ])('is uninited for an account that %s', (_, made, frozen_hash) => {
    expect(recognise(made)).toMatchObject({
      state: { '@type': 'uninited.accountState', frozen_hash },
      revision: 0,
    });
  });

  it('decodes a restricted wallet with all digits of its amounts', () => {
    const limits = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(4));
    limits.set(-1, LARGE);
    limits.set(100, 500n);
    const data = beginCell()
      .storeUint(4, 32)
      .storeUint(0xfffffff0, 32)
      .storeBuffer(KEY)
      .storeUint(1000, 32)
      .storeDict(limits)
      .endCell();
    const at = (genUtime: number) =>
      recognise({ code: RESTRICTED_R1, data, balance: LARGE + 900n, genUtime });
    expect(at(1050)).toMatchObject({
      json:
        '{"@type":"rwallet.accountState","wallet_id":4294967280,"seqno":4,"unlocked_balance":900,' +
        '"config":{"@type":"rwallet.config","start_at":1000,"limits":[' +
        '{"@type":"rwallet.limit","seconds":-1,"value":1152921504606846977},' +
        '{"@type":"rwallet.limit","seconds":100,"value":500}]}}',
      revision: 1,
    });
    expect(at(1100).json).toContain('"unlocked_balance":1152921504606847377');
  });
});

describe('paymentChannel', () => {
  const address = (byte: number) => new Address(0, Buffer.alloc(32, byte));

  function channel(state: ReturnType<typeof beginCell>): string {
    const config = beginCell()
      .storeUint(60, 32)
      .storeUint(70, 32)
      .storeBuffer(KEY)
      .storeBuffer(KEY)
      .storeRef(beginCell().storeAddress(address(1)))
      .storeRef(beginCell().storeAddress(address(2)))
      .storeInt(-LARGE, 64)
      .storeCoins(0);
    const bag = fromCoreCell(beginCell().storeRef(config).storeRef(state).endCell());
    return write(paymentChannel.write(readPaymentChannel(bag, bag.root)));
  }

  it.each([
    [0, 'pchan.stateInit'],
    [1, 'pchan.stateClose'],
  ])('puts each amount under its own name while the channel is open (%i)', (tag, type) => {
    const state = beginCell().storeUint(tag, 3).storeBit(1).storeBit(0).storeCoins(3).storeCoins(4);
    const json = channel(state.storeUint(99, 32).storeCoins(LARGE).storeCoins(2));
    expect(json).toContain('"channel_id":-1152921504606846977');
    expect(json).toContain('"A":1152921504606846977,"B":2}');
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'pchan.accountState',
      config: {
        '@type': 'pchan.config',
        alice_address: { '@type': 'accountAddress', account_address: address(1).toString() },
        bob_address: { '@type': 'accountAddress', account_address: address(2).toString() },
        alice_public_key: expect.stringMatching(/^[\w-]{48}$/),
        init_timeout: 60,
        close_timeout: 70,
      },
      state: { '@type': type, signed_A: true, signed_B: false, min_A: 3, min_B: 4, expire_at: 99 },
      description: expect.stringMatching(/^\(chan_state_/),
    });
  });

  it('has only the amounts after the payout', () => {
    const json = channel(beginCell().storeUint(2, 3).storeCoins(LARGE).storeCoins(0));
    expect(json).toContain('"state":{"@type":"pchan.statePayout","A":1152921504606846977,"B":0}');
  });
});
