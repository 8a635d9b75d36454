import type { Block } from '../block.ts';
import { compose, insertBetween } from '../compose.ts';
import { anyOf, call } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import type { Rule } from '../rule.ts';
import { depositColumns } from './dex-liquidity.ts';
import { JETTON_INTERNAL_TRANSFER, jettonTransferOf } from './jetton-transfer.ts';
import { cameIn } from './pton.ts';

const PROVIDE = 0x37c096df;
/** The pool tells the contract in which the two sides meet; it also gives back what is not wanted. */
const ADD_LIQUIDITY = 0x50c6a654;
const BOTH_SIDES = 0x06ecd527;

interface Side {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly wallet: string | null;
}

interface StonfiDepositData {
  readonly sender: string | null;
  readonly pool: string | null;
  readonly sides: readonly Side[];
  readonly minted: bigint | null;
}

function readProvide(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const sender = readAccount(body);
  const first = body.coins();
  const second = body.coins();
  return { sender, amount: first > 0n ? first : second };
}

function readMinted(internal: Block | undefined): bigint | null {
  if (!internal) return null;
  const body = internal.bodyAfterOpcode();
  body.uint64();
  return body.coins();
}

/** The other side of a deposit, sent beside this one: to the same pool, and of the two one brought the shares. */
function otherSide(first: Block, { sender, pool, minted }: StonfiDepositData): Block | undefined {
  return first.previous?.next.find((block) => {
    if (block.type !== 'dex_deposit_liquidity') return false;
    const other = block.data as StonfiDepositData;
    return (
      other.sides.length === 1 && other.sender === sender && other.pool === pool && other.minted !== minted
    );
  });
}

function describeDeposit({ sender, pool, sides: [first, second], minted }: StonfiDepositData) {
  return {
    source: sender,
    destination: pool,
    ...depositColumns({
      ...{ dex: 'stonfi_v2', asset1: first?.asset ?? null, amount1: first?.amount ?? null },
      ...{ asset2: second?.asset ?? null, amount2: second?.amount ?? null },
      ...{ user_jetton_wallet_1: first?.wallet ?? null, user_jetton_wallet_2: second?.wallet ?? null },
      lp_tokens_minted: minted,
    }),
  };
}

/** One side of a deposit by the second version of STON.fi, joined with the other where that one is known. */
export const stonfiV2Deposit: Rule = {
  name: 'STON.fi v2 deposit',
  test: (block) => block.calls(PROVIDE),
  around: {
    each: call(ADD_LIQUIDITY, {
      each: call(BOTH_SIDES, {
        each: anyOf([
          call(JETTON_INTERNAL_TRANSFER, { as: 'minted' }),
          call(ADD_LIQUIDITY, { as: 'refund' }),
        ]),
        optional: true,
      }),
    }),
    previous: cameIn,
  },
  build(block, found) {
    const { sender, amount } = readProvide(block);
    const first = found.named('in')!;
    const { asset, senderWallet: wallet } =
      first.type === 'jetton_transfer' ? jettonTransferOf(first) : { asset: null, senderWallet: null };
    const own: StonfiDepositData = {
      sender,
      pool: block.message.destination,
      sides: [{ asset, amount, wallet }],
      minted: readMinted(found.named('minted')),
    };
    const other = otherSide(first, own);
    const data = other ? joined(own, other.data as StonfiDepositData) : own;
    const content = {
      ...{ type: 'dex_deposit_liquidity', data, failed: found.named('refund') !== undefined },
      describe: () => describeDeposit(data),
    };
    const beside = other ? [insertBetween(first.previous!, [other, first]), other] : [];
    compose(content, [block, ...found.blocks, ...beside]);
  },
};

function joined(own: StonfiDepositData, other: StonfiDepositData): StonfiDepositData {
  return { ...own, sides: [...own.sides, ...other.sides], minted: own.minted ?? other.minted };
}
