import {
  Address,
  beginCell,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  type StateInit,
  storeMessage,
  storeShardAccount,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig.js';
import { WalletContractV4 } from '@ton/ton';
import type { GetMethodRun } from '../../src/vm/runs.ts';
import { prepareConfig } from '../../src/vm/shared-inputs.ts';

/** A configuration of the mainnet of version 12, as the emulator's package brings it. */
export const CONFIG_BOC = Buffer.from(defaultConfig, 'base64');
export const config = prepareConfig(CONFIG_BOC);

export const UTIME = 1_700_000_100;
export const RAND_SEED = Buffer.alloc(32, 1);
export const ADDRESS = `0:${'11'.repeat(32)}`;

const keys = keyPairFromSeed(Buffer.alloc(32, 9));

/** A wallet of the version 4, whose key is known here. */
export const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });

/** A cell as a bag of cells. */
export function boc(cell: Cell): Buffer {
  return cell.toBoc({ idx: false, crc32: false });
}

/** A cell of bytes in hex: code, as far as it goes without references. */
export function hexCell(hex: string): Cell {
  return beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell();
}

/** A get-method of code in hex. Code starts with the codepage: FF00. */
export function codeRun(code: Cell | string, more: Partial<GetMethodRun> = {}): GetMethodRun {
  return {
    code: boc(typeof code === 'string' ? hexCell(code) : code),
    data: boc(beginCell().endCell()),
    address: ADDRESS,
    balance: 1000n,
    config,
    utime: UTIME,
    methodId: 0,
    ...more,
  };
}

/** An account as a shard state lists it; without `init` it is not deployed. */
export function shardAccount(address: Address, balance: bigint, init?: StateInit): Buffer {
  const account = {
    addr: address,
    storage: {
      lastTransLt: 0n,
      balance: { coins: balance },
      state: init ? ({ type: 'active', state: init } as const) : ({ type: 'uninit' } as const),
    },
    storageStats: {
      used: { cells: 0n, bits: 0n },
      lastPaid: UTIME - 100,
      duePayment: null,
      storageExtra: null,
    },
  };
  return boc(
    beginCell()
      .store(storeShardAccount({ account, lastTransactionHash: 0n, lastTransactionLt: 0n }))
      .endCell(),
  );
}

/** An account that does not exist. */
export const NO_ACCOUNT = boc(
  beginCell()
    .store(storeShardAccount({ account: null, lastTransactionHash: 0n, lastTransactionLt: 0n }))
    .endCell(),
);

/** An internal message with a body of hex. */
export function internalMessage(to: Address, value: bigint, body = ''): Buffer {
  const info = internal({ to, value, bounce: true, body: hexCell(body) });
  const message = {
    ...info,
    info: { ...info.info, src: Address.parse(`0:${'22'.repeat(32)}`), createdLt: 1n, createdAt: UTIME },
  };
  return boc(
    beginCell()
      .store(storeMessage(message as never))
      .endCell(),
  );
}

/** An order to the wallet to pay, as an external message; the first one deploys it. */
export function payment(seqno: number, { deploy = false, secretKey = keys.secretKey } = {}): Buffer {
  const to = Address.parse(`0:${'33'.repeat(32)}`);
  const messages: MessageRelaxed[] = [internal({ to, value: toNano('0.01'), bounce: false, body: 'hello' })];
  const body = wallet.createTransfer({ seqno, secretKey, messages, timeout: UTIME + 3600 });
  const init = deploy ? wallet.init : undefined;
  return boc(
    beginCell()
      .store(storeMessage(external({ to: wallet.address, init, body })))
      .endCell(),
  );
}
