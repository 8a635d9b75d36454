import { Address } from '@ton/core';
import type { BlockId } from '../../chain/block-id.ts';
import { Failure } from '../../lib/errors.ts';
import { wrongValue } from '../../lib/wrong-value.ts';
import type { RunningLocalnet } from './start-localnet.ts';
import { rotateValidators } from './validators.ts';
import { VALID_UNTIL_HINT } from './vm-runs.ts';

const AMOUNT = /^(\d{1,10})(?:\.(\d{1,9}))?$/;

/** Commands to a running chain, with JSON arguments and results. */
export function createControl({ localnet, liteServer, globalConfigPath, faucet, wallets }: RunningLocalnet) {
  return {
    status() {
      const { rootHash, blockTime, offsetSeconds, blockMs, waitingMessages, ...status } = localnet.status();
      return {
        ...status,
        root_hash: rootHash,
        block_time: blockTime,
        offset_seconds: offsetSeconds,
        block_ms: blockMs,
        waiting_messages: waitingMessages,
        lite_server: {
          host: liteServer.host,
          port: liteServer.port,
          public_key: liteServer.publicKey.toString('base64'),
          config: globalConfigPath,
        },
        faucet: {
          address: faucet.address.toString({ bounceable: false, testOnly: true }),
          mnemonic: wallets.basechain.mnemonic.join(' '),
        },
      };
    },
    /** `amount` is in TON. */
    async fund(address: string, amount: string) {
      const to = readAddress(address);
      await faucet.fund(to, readAmount(amount));
      return { address: to.toRawString(), amount, ...positionOf(localnet.store.head) };
    },
    async advance(seconds: number) {
      const head = await localnet.advance(seconds);
      const { time, offsetSeconds } = localnet.status();
      const hint = `The chain's clock is ${offsetSeconds} s ahead of this machine's: ${VALID_UNTIL_HINT}`;
      return { time, offset_seconds: offsetSeconds, hint, ...positionOf(head) };
    },
    async snapshot(name: string) {
      await localnet.snapshot(name);
      return { name, ...positionOf(localnet.store.head) };
    },
    async restore(name: string) {
      return { name, ...positionOf(await localnet.restore(name)) };
    },
    async rotate() {
      const { set, block } = await rotateValidators(localnet);
      return { validator_set: set, ...positionOf(block) };
    },
    async mine(count: number) {
      return positionOf(await localnet.mine(count));
    },
  };
}

function positionOf({ seqno, rootHash }: BlockId) {
  return { seqno, root_hash: rootHash.toString('hex') };
}

function readAddress(given: string): Address {
  try {
    return Address.parse(given);
  } catch (error) {
    const text = wrongValue('address', 'an account address, raw or friendly', given);
    throw new Failure('bad_request', text, { cause: error });
  }
}

function readAmount(text: string): bigint {
  const parts = AMOUNT.exec(text);
  const form = 'a number of TON with up to 9 digits after the point';
  if (parts === null) throw new Failure('bad_request', wrongValue('amount', form, text));
  return BigInt(parts[1]!) * 10n ** 9n + BigInt((parts[2] ?? '').padEnd(9, '0'));
}
