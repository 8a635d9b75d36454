import type { AdditionalAction, AdditionalRule } from '../../rules/additional.ts';
import type { Block } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { someAccount } from '../../rules/read-body.ts';
import { additionalSwap, type DexTransfer, dexTransferOf, tonSide } from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { moon } from './layouts.ts';

const POOL = 'KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ=';

/** Payloads with which a pool pays jettons for something else than a swap. */
const OTHER_PAYOUTS: readonly number[] = [
  0xc47c1f57, // moon_swap_failed
  0x90d3b4ad, // moon_withdraw_liquidity_payout
  0xff86f067, // moon_withdraw_liquidity_notify
  0x16b463b4, // cancelled deposit
  0xbaaa2c1b, // moon_deposit_record
  0x040beadd, // collected fees
  0x737b4eb6, // moon_provide_liquidity_succeed
  0x7daf7060, // liquidity that was not provided
];

interface Request {
  readonly first: Block;
  readonly pool: string;
  readonly incoming: DexTransfer;
  readonly minOutAmount: bigint;
}

function findSwap(
  { first, pool, incoming, minOutAmount }: Request,
  interfaces: Interfaces,
): AdditionalAction[] {
  if (interfaces.codeHashOf(pool) !== POOL) return [];
  const payouts = first.next.filter((block) => isPayout(block, pool, incoming.asset));
  const [payout] = payouts;
  if (!payout || payouts.length > 1) return [];
  // The TON come together with what is left of the gas: their amount is not known.
  const outgoing =
    payout.type === 'jetton_transfer' ? dexTransferOf(payout) : { ...tonSide(payout, 0n), amount: null };
  return [additionalSwap({ dex: 'moon', incoming, outgoing, minOutAmount }, [first, payout])];
}

/** Whether a pool pays for a swap: with jettons, whatever their payload, or with TON, if the user did not ask for another message. */
function isPayout(block: Block, pool: string, given: string | null): boolean {
  if (block.calls(moon.swap_succeed)) return block.message.source === pool && given !== null;
  if (block.type !== 'jetton_transfer') return false;
  const { sender, asset, request } = jettonTransferOf(block);
  return sender === pool && asset !== given && !OTHER_PAYOUTS.includes(request.payloadOpcode ?? 0);
}

export const moonRules: readonly AdditionalRule[] = [
  {
    name: 'moon swap of TON',
    start: { calls: [moon.swap] },
    find(first, { interfaces }) {
      const pool = someAccount(first.message.destination);
      const { amount, swap_params } = moon.swap.read(first);
      const { min_out: minOutAmount } = swap_params;
      return findSwap({ first, pool, incoming: tonSide(first, amount), minOutAmount }, interfaces);
    },
  },
  {
    name: 'moon swap of jettons',
    start: { type: 'jetton_transfer' },
    find(first, { interfaces }) {
      const { receiver: pool, request } = jettonTransferOf(first);
      const swap = moon.swap_forward_payload.match(request.payload());
      if (!swap || pool === null) return [];
      const { min_out: minOutAmount } = swap.swap_params;
      return findSwap({ first, pool, incoming: dexTransferOf(first), minOutAmount }, interfaces);
    },
  },
];
