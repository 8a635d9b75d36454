import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block, BlockContent } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, call } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFICATION } from './jetton-transfer.ts';

export const JETTON_BURN = 0x595f07bc;
export const JETTON_BURN_NOTIFICATION = 0x7bdd97de;
const JETTON_MINT = 0x642b7d07;
const MINTER_MINT = 0x00000015;

/** What later rules read of a burn. */
export interface JettonBurnData {
  readonly owner: string;
  readonly wallet: string | null;
  readonly asset: string;
  readonly amount: bigint;
}

/** A burn; throws where a block is something else. */
export function jettonBurnOf(block: Block): JettonBurnData {
  if (block.type !== 'jetton_burn') throw new NotThis('not a burn of jettons');
  return block.data as JettonBurnData;
}

/** The wallet's owner destroys jettons. */
export const jettonBurn: Rule = {
  name: 'jetton burn',
  test: (block) => block.calls(JETTON_BURN),
  around: { each: call(JETTON_BURN_NOTIFICATION, { optional: true }) },
  build(block, found, { interfaces }) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const amount = body.coins();
    skipMsgAddress(body);
    const wallet = interfaces.jettonWallet(block.message.destination ?? '');
    if (!wallet) return;
    const data: JettonBurnData = {
      owner: wallet.owner,
      wallet: block.message.destination,
      asset: wallet.jetton,
      amount,
    };
    const describe = () => ({
      source: data.owner,
      source_secondary: data.wallet,
      asset: data.asset,
      amount: data.amount,
    });
    compose({ type: 'jetton_burn', data, failed: block.failed, describe }, [block, ...found.blocks]);
  },
};

/** What later rules read of a mint. */
export interface JettonMintData {
  readonly to: string | null;
  readonly toWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint | null;
  readonly tonAmount: bigint;
}

/** A mint; throws where a block is something else. */
export function jettonMintOf(block: Block): JettonMintData {
  if (block.type !== 'jetton_mint') throw new NotThis('not a mint of jettons');
  return block.data as JettonMintData;
}

interface MintRequest {
  /** At the address, which may be of any kind as long as nobody needs it. */
  readonly to: Slice;
  readonly tonAmount: bigint;
  /** Only the minter of the standard says it in its own message. */
  readonly amount: bigint | null;
}

function readMint(block: Block): MintRequest {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const to = body.clone();
  skipMsgAddress(body);
  const tonAmount = body.coins();
  if (block.opcode !== MINTER_MINT) return { to, tonAmount, amount: null };
  const inner = body.refSlice();
  inner.skip(32 + 64);
  return { to, tonAmount, amount: inner.coins() };
}

function mintData(
  block: Block,
  internal: Block | undefined,
  interfaces: Interfaces,
): Pick<BlockContent<JettonMintData>, 'failed' | 'data'> {
  const { to, tonAmount, amount } = readMint(block);
  if (block.failed || !internal) {
    return {
      failed: true,
      data: { to: readAccount(to), toWallet: null, asset: block.message.destination, amount, tonAmount },
    };
  }
  const body = internal.bodyAfterOpcode();
  body.uint64();
  const minted = body.coins();
  const wallet = interfaces.jettonWallet(internal.message.destination ?? '');
  if (!wallet) throw new NotThis('the wallet is not known');
  const data = {
    to: wallet.owner,
    toWallet: wallet.address,
    asset: wallet.jetton,
    amount: minted,
    tonAmount,
  };
  return { failed: internal.failed, data };
}

/** A master makes new jettons. */
export const jettonMint: Rule = {
  name: 'jetton mint',
  test: (block) => block.calls(JETTON_MINT, MINTER_MINT),
  around: {
    each: anyOf(
      [
        call(JETTON_NOTIFICATION),
        call(JETTON_INTERNAL_TRANSFER, { each: call(JETTON_NOTIFICATION, { optional: true }) }),
      ],
      { optional: true },
    ),
  },
  build(block, found, { interfaces }) {
    const { data, failed } = mintData(block, found.call(JETTON_INTERNAL_TRANSFER), interfaces);
    const describe = () => ({
      destination: data.to,
      destination_secondary: data.toWallet,
      asset: data.asset,
      amount: data.amount,
      value: data.tonAmount,
    });
    compose({ type: 'jetton_mint', data, failed: failed ?? false, describe }, [block, ...found.blocks]);
  },
};
