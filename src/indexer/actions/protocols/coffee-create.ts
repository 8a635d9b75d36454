import type { Slice } from '../../../chain/boc/slice.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { blockThat, call } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import { NotThis, type Rule } from '../rule.ts';
import {
  COFFEE_DEPLOY,
  COFFEE_DEPOSIT_LOG,
  COFFEE_NOTIFICATION,
  readCoffeeMinted,
  readCoffeePool,
} from './coffee-bodies.ts';
import { readCoffeeAsset } from './dex-asset.ts';
import { JETTON_INTERNAL_TRANSFER, jettonTransferOf } from './jetton-transfer.ts';

const CREATE_VAULT = 0xc0ffee06;
/** The new vault asks the jetton's master for the address of its wallet, and is told. */
const PROVIDE_WALLET = 0x2c76b973;
const TAKE_WALLET = 0xd1735400;
const CREATE_POOL_NATIVE = 0xc0ffee02;
const CREATE_POOL_EXTRA = 0xc0ffee03;
const POOL_CREATOR_REQUEST = 0xc0ffee23;
const CREATE_POOL = 0xc0ffee25;
const AFTER_NOTIFICATION = 0xb216d31f;

/** A vault for an asset is made. */
export const coffeeCreateVault: Rule = {
  name: 'swap.coffee vault',
  test: (block) => block.calls(CREATE_VAULT),
  around: {
    each: call(COFFEE_DEPLOY, {
      each: call(PROVIDE_WALLET, { each: call(TAKE_WALLET, { optional: true }), optional: true }),
      as: 'vault',
    }),
  },
  build(block, found) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const asset = readCoffeeAsset(body);
    const vault = found.named('vault')!.message.destination;
    const { source, value } = block.message;
    const describe = () => ({ source, destination: vault, asset, value });
    compose({ type: 'coffee_create_vault', data: undefined, describe }, [block, ...found.blocks]);
  },
};

interface PoolCreatorData {
  readonly sender: string | null;
  readonly wallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly recipient: string | null;
  /** The contract in which the two sides of the first deposit meet. */
  readonly creator: string | null;
  readonly pool: readonly [string | null, string | null];
}

type Given = Pick<PoolCreatorData, 'sender' | 'wallet' | 'asset' | 'amount'> & { readonly wish: Slice };

function readGiven(first: Block): Given {
  if (first.type === 'jetton_transfer') {
    const { sender, senderWallet, asset, amount, request } = jettonTransferOf(first);
    const wish = request.payload();
    if (!wish) throw new NotThis('a transfer for nothing');
    wish.skip(32);
    return { sender, wallet: senderWallet, asset, amount, wish };
  }
  if (first.calls(CREATE_POOL_EXTRA)) throw new NotThis('neither TON nor a jetton');
  const wish = first.bodyAfterOpcode();
  wish.uint64();
  return { sender: first.message.source, wallet: null, asset: null, amount: wish.coins(), wish };
}

const givesFirstSide = (block: Block) =>
  block.type === 'jetton_transfer' || block.calls(CREATE_POOL_NATIVE, CREATE_POOL_EXTRA);

/** One side of the first deposit of a pool that is not there yet. */
export const coffeeCreatePoolCreator: Rule = {
  name: 'swap.coffee pool creator',
  test: (block) => block.calls(POOL_CREATOR_REQUEST),
  around: {
    each: call(COFFEE_DEPLOY, { as: 'creator' }),
    previous: blockThat(givesFirstSide, { as: 'in' }),
  },
  build(block, found) {
    const { wish, ...given } = readGiven(found.named('in')!);
    const pool = readCoffeePool(wish);
    const recipient = readAccount(wish);
    const creator = found.named('creator')!.message.destination;
    const data: PoolCreatorData = { ...given, pool, recipient, creator };
    const describe = () => ({
      source: data.sender,
      source_secondary: data.wallet,
      destination: data.recipient,
      destination_secondary: data.creator,
      asset: data.asset,
      asset2: pool[0],
      asset2_secondary: pool[1],
      amount: data.amount,
    });
    compose({ type: 'coffee_create_pool_creator', data, describe }, [block, ...found.blocks]);
  },
};

function readCreatePool(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return { amounts: [body.coins(), body.coins()], initiator: readAccount(body) };
}

/** The side that completes the first deposit makes the pool. */
export const coffeeCreatePool: Rule = {
  name: 'swap.coffee pool',
  test: (block) => block.type === 'coffee_create_pool_creator',
  around: {
    each: call(CREATE_POOL, {
      each: call(COFFEE_DEPLOY, {
        next: [
          call(JETTON_INTERNAL_TRANSFER),
          call(COFFEE_DEPOSIT_LOG, { as: 'log' }),
          call(COFFEE_NOTIFICATION, { each: call(AFTER_NOTIFICATION, { optional: true }), optional: true }),
        ],
        as: 'pool',
      }),
      as: 'request',
    }),
  },
  build(block, found) {
    const { sender, wallet, asset, amount, creator, pool } = block.data as PoolCreatorData;
    const { amounts, initiator } = readCreatePool(found.named('request')!);
    const minted = readCoffeeMinted(found.named('log')!);
    const isSecond = asset !== pool[0] && asset === pool[1];
    const [own, other] = isSecond ? pool.toReversed() : pool;
    const [amount1, amount2] = isSecond ? amounts.toReversed() : amounts;
    const [initiator1, initiator2] = isSecond ? [initiator, sender] : [sender, initiator];
    const describe = () => ({
      source: sender,
      source_secondary: wallet,
      destination: found.named('pool')!.message.destination,
      destination_secondary: creator,
      asset: own ?? null,
      asset2: other ?? null,
      amount,
      data: {
        coffee_create_pool_data: {
          ...{ amount_1: amount1!, amount_2: amount2!, initiator_1: initiator1!, initiator_2: initiator2! },
          ...{ provided_asset: asset, lp_tokens_minted: minted, pool_creator_contract: null },
        },
      },
    });
    compose({ type: 'coffee_create_pool', data: undefined, describe }, [block, ...found.blocks]);
  },
};
