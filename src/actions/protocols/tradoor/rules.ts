import type { AdditionalRule } from '../../rules/additional.ts';
import type { Block } from '../../rules/block.ts';
import { someAccount } from '../../rules/read-body.ts';
import { RuleMismatch } from '../../rules/rule.ts';
import { tradoor } from './layouts.ts';

/** USDT v2, TON v2 and USDT v3. */
const POOLS: ReadonlySet<string | null> = new Set([
  '0:FF1338C9F6ED1FA4C264A19052BFF64D10C8AD028628F52B2E0F4B357A12227E',
  '0:0D36BA31CC15D776DD529B990872735972B0C4CEEC77741F9ED3344E48E19084',
  '0:1B31DE77FBF382B1023AD114D383E191506366D6E14AF8C6264699081D3A2309',
]);

function poolOf({ message: { source, destination } }: Block): string {
  if (destination !== null || !POOLS.has(source)) throw new RuleMismatch('not a log of a pool');
  return someAccount(source);
}

export const tradoorRules: readonly AdditionalRule[] = [
  {
    name: 'tradoor order',
    start: { calls: [tradoor.order_created] },
    find(block) {
      const destination = poolOf(block);
      const order = tradoor.order_created.read(block).through('order_id');
      return [
        {
          type: 'tradoor_order',
          source: someAccount(order.account),
          destination,
          success: true,
          data: {
            tradoor_order_data: {
              op_type: order.op_type,
              token_id: order.token_id,
              is_long: order.is_long,
              margin_delta: order.margin_delta,
              size_delta: order.size_delta,
              trigger_price: order.trigger_price,
              trigger_above: order.trigger_above,
              execution_fee: order.execution_fee,
              order_id: order.order_id,
            },
          },
          members: [block],
          isBeside: true,
        },
      ];
    },
  },
  {
    name: 'tradoor position',
    start: { calls: [tradoor.increased, tradoor.decreased] },
    find(block) {
      const destination = poolOf(block);
      const is_increase = block.calls(tradoor.increased);
      const change = tradoor[is_increase ? 'increased' : 'decreased'].read(block);
      const { trade_price, entry_price } = change.prices;
      return [
        {
          type: 'tradoor_position',
          source: someAccount(change.account),
          destination,
          success: true,
          data: {
            tradoor_position_data: {
              is_increase,
              op_type: change.op_type,
              token_id: change.token_id,
              is_long: change.is_long,
              position_id: change.position_id,
              order_id: change.order_id,
              margin_delta: change.margin_delta,
              margin_after: change.margin_after,
              size_delta: change.size_delta,
              size_after: change.size_after,
              trade_price,
              entry_price,
            },
          },
          members: [block],
          isBeside: true,
        },
      ];
    },
  },
];
