import { formatRaw } from '../../../chain/address/format-address.ts';
import { Slice } from '../../../chain/boc/slice.ts';
import { dictionaryEntries } from '../../../chain/tlb/dictionary-entries.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, call } from '../pattern.ts';
import { plainContent } from '../plain-content.ts';
import { NotThis, type Rule } from '../rule.ts';
import { jettonTransferOf } from './jetton-transfer.ts';
import { REQUEST_UPDATE, referrers, updateRewards } from './jvault-parts.ts';

const RECEIVE_JETTONS = 0xd68a4ac1;
const CANCEL = 0x9eada1d9;
const SET_DATA = 0x383411ea;
const CLAIM = 0x78d9f109;
const SEND_REWARDS = 0x44bc1fe3;
const ADDRESS_BITS = 267;

/** Somebody stakes jettons for a time. */
export const jvaultStake: Rule = {
  name: 'JVault stake',
  test: (block) => block.type === 'jetton_transfer',
  around: {
    next: [
      call(RECEIVE_JETTONS, {
        as: 'received',
        each: anyOf([
          call(REQUEST_UPDATE, { as: 'update', next: [referrers, updateRewards] }),
          call(CANCEL, { as: 'cancelled', each: blockOf('jetton_transfer', { optional: true }) }),
        ]),
      }),
      call(SET_DATA, { optional: true }),
    ],
  },
  build(block, found) {
    const { sender, senderWallet, asset, request } = jettonTransferOf(block);
    const payload = request.payload();
    if (!payload) throw new NotThis('no payload');
    payload.skip(32);
    const received = found.named('received')!;
    const columns = {
      source: sender,
      source_secondary: senderWallet,
      destination: received.message.source,
      asset,
      amount: request.amount,
      data: {
        jvault_stake_data: { period: payload.uint(32), stake_wallet: received.message.destination },
      },
    };
    const failed =
      found.named('cancelled') !== undefined || received.failed || found.named('update')?.failed === true;
    compose(plainContent('jvault_stake', columns, failed), [block, ...found.blocks]);
  },
};

/** A staker takes his rewards. */
export const jvaultClaim: Rule = {
  name: 'JVault claim',
  test: (block) => block.calls(CLAIM),
  around: {
    each: call(SEND_REWARDS, {
      as: 'rewards',
      next: [blockOf('jetton_transfer', { as: 'paid' }), updateRewards],
    }),
  },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    body.skip(64);
    const columns = {
      source: block.message.source,
      source_secondary: block.message.destination,
      destination: found.named('rewards')!.message.destination,
      data: {
        jvault_claim_data: {
          claimed_jettons: readAddresses(body),
          claimed_amounts: [jettonTransferOf(found.named('paid')!).request.amount],
        },
      },
    };
    compose(plainContent('jvault_claim', columns), [block, ...found.blocks]);
  },
};

/** The keys of a dictionary of addresses. */
function readAddresses(body: Slice): string[] {
  const root = body.maybeRef();
  if (root < 0) return [];
  const addresses: string[] = [];
  for (const { key } of dictionaryEntries(new Slice(body.cells, root), ADDRESS_BITS)) {
    addresses.push(addressOfKey(key));
  }
  return addresses;
}

/** A key is the address as messages write it: two bits of its kind, one for anycast, eight of the workchain, the account. */
function addressOfKey(key: Buffer): string {
  if (key[0]! >> 5 !== 0b100) throw new NotThis('a key that is no address');
  const bits = (BigInt(`0x${key.toString('hex')}`) >> 5n) & ((1n << 264n) - 1n);
  const bytes = Buffer.from(bits.toString(16).padStart(66, '0'), 'hex');
  return formatRaw({ workchain: bytes.readInt8(0), hash: bytes.subarray(1) }, 'upper');
}
