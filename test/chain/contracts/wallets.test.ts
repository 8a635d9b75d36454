import { beginCell, Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import {
  accountKindOf,
  readRestrictedWallet,
  recogniseAccount,
  unlockedBalance,
} from '../../../src/chain/contracts/account-kinds.ts';
import { readWallet, type WalletData, walletCodeOf } from '../../../src/chain/contracts/wallets.ts';

const KEY = Buffer.alloc(32, 0x11);
const WALLET_ID = 698983191;

const V3_R2 =
  'te6ccgEBAQEAcQAA3v8AIN0gggFMl7ohggEznLqxn3Gw7UTQ0x/THzHXC//jBOCk8mCDCNcYINMf0x/TH/gjE7vyY+1E0NMf0x/T/9FRMrryoVFEuvKiBPkBVBBV+RDyo/gAkyDXSpbTB9QC+wDo0QGkyMsfyx/L/8ntVA==';
const HIGHLOAD_V1_R1 =
  'te6ccgEBBgEAhgABFP8A9KQT9KDyyAsBAgEgAgMCAUgEBQC88oMI1xgg0x/TH9Mf+CMTu/Jj7UTQ0x/TH9P/0VEyuvKhUUS68qIE+QFUEFX5EPKj9ATR+AB/jhghgBD0eG+hb6EgmALTB9QwAfsAkTLiAbPmWwGkyMsfyx/L/8ntVAAE0DAAEaCZL9qJoa4WPw==';
const HIGHLOAD_V2_R1 =
  'te6ccgEBBwEA1gABFP8A9KQT9KDyyAsBAgEgAgMCAUgEBQHu8oMI1xgg0x/TP/gjqh9TILnyY+1E0NMf0z/T//QE0VNggED0Dm+hMfJgUXO68qIH+QFUEIf5EPKjAvQE0fgAf44YIYAQ9HhvoW+hIJgC0wfUMAH7AJEy4gGz5luDJaHIQDSAQPRDiuYxyBLLHxPLP8v/9ADJ7VQGAATQMABBoZfl2omhpj5jpn+n/mPoCaKkQQCB6BzfQmMktv8ld0fFADgggED0lm+hb6EyURCUMFMDud4gkzM2AZIyMOKz';
const RESTRICTED_R1 =
  'te6ccgECEgEAAUsAART/APSkE/S88sgLAQIBIAIDAgFIBAUD+PKDCNcYINMf0x/THwL4I7vyY+1E0NMf0x/T/1NDuvKhUWK68qIG+QFUEHb5EPKkAY4fMwHT/9EB0x/0BNH4AAOkyMsfFMsfy/8Syx/0AMntVOEC0x/0BNH4ACH4I9s8IYAg9HtvpTGW+gAwcvsCkTDiApMg10qK6NECpMgPEBEABNAwAgEgBgcCASAICQIBSAwNAgFuCgsAEbjJftRNDXCx+AAXrc52omhpn5jrhf/AABesePaiaGmPmOuFj8ABDbbYHwR7Z5AOAQm1B1tnkA4BTu1E0IEBQNch0x/0BNEC2zz4J28QAoAg9HtvpTGX+gAwoXC2CZEw4g8AOiGOETGA8/gzIG6SMHCU0NcLH+IB3yGSAaGSW3/iAAzTB9QC+wAAHssfFMsfEsv/yx/0AMntVA==';

/** The wallet that a code hash and a data cell make. */
function walletOf(codeHash: string, data: Cell): WalletData | undefined {
  const code = walletCodeOf(Buffer.from(codeHash, 'base64'))!;
  const bag = fromCoreCell(data);
  return readWallet(code.layout!, bag, bag.root);
}

/** An account with code and data in one bag. */
function recognise(code: string | undefined, data: Cell | undefined) {
  const root = beginCell();
  if (code !== undefined) root.storeRef(Cell.fromBase64(code));
  if (data !== undefined) root.storeRef(data);
  const bag = fromCoreCell(root.endCell());
  const codeCell = code === undefined ? -1 : bag.ref(bag.root, 0);
  const dataCell = data === undefined ? -1 : bag.ref(bag.root, code === undefined ? 0 : 1);
  return recogniseAccount(bag, codeCell, dataCell);
}

const data = (seqno: number, walletId: number) =>
  beginCell().storeUint(seqno, 32).storeUint(walletId, 32).storeBuffer(KEY).storeBit(0).endCell();

describe('readWallet', () => {
  it('reads seqno and key of v1 and v2', () => {
    const cell = beginCell().storeUint(7, 32).storeBuffer(KEY).endCell();
    for (const [hash, type] of [
      ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', 'wallet v1 r1'],
      ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', 'wallet v1 r2'],
      ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', 'wallet v1 r3'],
      ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', 'wallet v2 r1'],
      ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', 'wallet v2 r2'],
    ] as const) {
      expect(walletCodeOf(Buffer.from(hash, 'base64'))?.type).toBe(type);
      expect(walletOf(hash, cell)).toEqual({
        seqno: 7,
        walletId: undefined,
        signatureAllowed: undefined,
        publicKey: KEY,
      });
    }
  });

  it('reads the wallet id of v3 and v4', () => {
    for (const [hash, type] of [
      ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet v3 r1'],
      ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet v3 r2'],
      ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', 'wallet v4 r1'],
      ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet v4 r2'],
    ] as const) {
      expect(walletCodeOf(Buffer.from(hash, 'base64'))?.type).toBe(type);
      expect(walletOf(hash, data(5, WALLET_ID))).toMatchObject({
        seqno: 5,
        walletId: WALLET_ID,
        publicKey: KEY,
      });
    }
    const vector = Cell.fromBase64(
      'te6cckEBAQEAKwAAUQAAAAUpqaMXERERERERERERERERERERERERERERERERERERERERERFAGvaVSw==',
    );
    expect(walletOf('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', vector)).toMatchObject({
      seqno: 5,
      walletId: WALLET_ID,
      publicKey: KEY,
    });
  });

  it('reads the signature bit of v5, and v5 beta as existing servers do', () => {
    const r1 = 'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=';
    const v5 = (allowed: boolean) =>
      beginCell()
        .storeBit(allowed)
        .storeUint(3, 32)
        .storeUint(0x7fffff11, 32)
        .storeBuffer(KEY)
        .storeBit(0)
        .endCell();
    expect(walletCodeOf(Buffer.from(r1, 'base64'))?.type).toBe('wallet v5 r1');
    const expected = { seqno: 3, walletId: 0x7fffff11, publicKey: KEY };
    expect(walletOf(r1, v5(true))).toEqual({ ...expected, signatureAllowed: true });
    expect(walletOf(r1, v5(false))).toEqual({ ...expected, signatureAllowed: false });
    const beta = '89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=';
    const betaData = beginCell()
      .storeUint(9, 33)
      .storeInt(-239, 32)
      .storeUint(0, 48)
      .storeBuffer(KEY)
      .storeBit(0);
    expect(walletCodeOf(Buffer.from(beta, 'base64'))?.type).toBe('wallet v5 beta');
    expect(walletOf(beta, betaData.endCell())).toEqual({
      seqno: 9,
      walletId: 2 ** 32 - 239,
      signatureAllowed: false,
      publicKey: KEY,
    });
  });

  it('recognises the library reference of v5 beta', () => {
    const code = Buffer.from('5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=', 'base64');
    const reference = beginCell().storeUint(2, 8).storeBuffer(code).endCell({ exotic: true });
    expect(walletCodeOf(reference.hash())?.type).toBe('wallet v5 beta');
    expect(walletCodeOf(code)).toMatchObject({ label: 'wallet_v5_beta', layout: { publicKey: 113 } });
    expect(walletCodeOf(code)?.type).toBeUndefined();
  });

  it('reads highload wallets, which have no wallet type', () => {
    const v1 = walletCodeOf(Cell.fromBase64(HIGHLOAD_V1_R1).hash());
    expect(v1).toMatchObject({ label: 'wallet_highload_v1r1' });
    expect(v1?.type).toBeUndefined();
    const v2 = beginCell().storeUint(WALLET_ID, 32).storeUint(0, 64).storeBuffer(KEY).storeBit(0).endCell();
    expect(walletOf('lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=', v2)).toMatchObject({
      seqno: undefined,
      walletId: WALLET_ID,
      publicKey: KEY,
    });
    const v3 = beginCell().storeBuffer(KEY).storeUint(0x10ad, 32).storeUint(0, 88).endCell();
    expect(walletOf('EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU=', v3)).toMatchObject({
      walletId: 0x10ad,
      publicKey: KEY,
    });
  });

  it('returns undefined for data that is too short, missing or exotic', () => {
    const v3 = 'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=';
    expect(walletOf(v3, beginCell().storeUint(5, 32).storeUint(5, 32).endCell())).toBeUndefined();
    expect(walletOf(v3, Cell.EMPTY)).toBeUndefined();
    const library = beginCell().storeUint(2, 8).storeBuffer(KEY).endCell({ exotic: true });
    expect(walletOf(v3, library)).toBeUndefined();
    const bag = fromCoreCell(Cell.EMPTY);
    expect(readWallet({ publicKey: 0 }, bag, -1)).toBeUndefined();
    expect(walletCodeOf(Buffer.alloc(32))).toBeUndefined();
  });
});

describe('recogniseAccount', () => {
  it('returns uninited without code and raw for unknown code', () => {
    expect(recognise(undefined, undefined)).toEqual({ kind: 'uninited', revision: 0 });
    expect(recognise('te6cckEBAQEAAgAAAEysuc0=', data(1, 1))).toEqual({ kind: 'raw', revision: 0 });
    expect(recognise(V3_R2, undefined)).toEqual({ kind: 'raw', revision: 0 });
    expect(recognise(V3_R2, Cell.EMPTY)).toEqual({ kind: 'raw', revision: 0 });
  });

  it('reads wallets', () => {
    const wallet = { walletId: WALLET_ID, seqno: 42 };
    expect(recognise(V3_R2, data(42, WALLET_ID))).toEqual({ kind: 'wallet.v3', revision: 2, ...wallet });
    expect(recognise(HIGHLOAD_V1_R1, data(42, WALLET_ID))).toEqual({
      kind: 'wallet.highload.v1',
      revision: 1,
      ...wallet,
    });
    const v2 = beginCell().storeUint(WALLET_ID, 32).endCell();
    expect(recognise(HIGHLOAD_V2_R1, v2)).toEqual({
      kind: 'wallet.highload.v2',
      revision: 1,
      walletId: WALLET_ID,
    });
    expect(recognise(HIGHLOAD_V2_R1, undefined)).toMatchObject({ walletId: 0 });
  });

  it.each([
    ['c1Ot4+H3y+3FJbPnvDIm/lrIJ2+lJ5rDf7bvvIj0Irc=', 'dns', -1],
    ['oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=', 'dns', 1],
    ['Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=', 'pchan', -1],
    ['CrH/k6nnnA3v9EBdja1rWsn4wBsvHry0JZ/rnpg4AJk=', 'wallet.highload.v1', -1],
    ['Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw=', 'wallet.highload.v1', -1],
    ['ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk=', 'wallet.highload.v2', -1],
  ])('recognises the code %s', (hash, kind, revision) => {
    expect(accountKindOf(Buffer.from(hash, 'base64'))).toEqual({ kind, revision });
  });

  it('reads restricted wallets', () => {
    const limits = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(4));
    limits.set(-1, 900n);
    limits.set(100, 500n);
    limits.set(200, 0n);
    const cell = (startAt: number) =>
      beginCell()
        .storeUint(4, 32)
        .storeUint(WALLET_ID, 32)
        .storeBuffer(KEY)
        .storeUint(startAt, 32)
        .storeDict(limits);
    const wallet = {
      seqno: 4,
      walletId: WALLET_ID,
      startAt: 1000,
      limits: [
        { seconds: -1, value: 900n },
        { seconds: 100, value: 500n },
        { seconds: 200, value: 0n },
      ],
    };
    expect(recognise(RESTRICTED_R1, cell(1000).endCell())).toEqual({ kind: 'rwallet', revision: 1, wallet });
    const bag = fromCoreCell(cell(0).endCell());
    const waiting = readRestrictedWallet(bag, bag.root);
    expect(unlockedBalance(wallet, 950n, 1050)).toBe(50n);
    expect(unlockedBalance(wallet, 950n, 1100)).toBe(450n);
    expect(unlockedBalance(wallet, 400n, 1100)).toBe(0n);
    expect(unlockedBalance(wallet, 950n, 5000)).toBe(950n);
    expect(unlockedBalance(wallet, 950n, 500)).toBe(950n);
    expect(unlockedBalance(waiting, 950n, 5000)).toBe(50n);
    expect(unlockedBalance(waiting, 950n, 5000, 4900)).toBe(450n);
  });
});
