import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { call, EXCESS } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import type { Rule } from '../rule.ts';

const CREATE_POOL = 0x2e3034ef;
const INIT_POOL = 0x441c39ed;

function readCreatePool(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const wallets = { jetton0_router_wallet: readAccount(body), jetton1_router_wallet: readAccount(body) };
  const terms = {
    ...{ tick_spacing: body.int(24), initial_price_x96: body.bigUint(160), protocol_fee: body.uint(16) },
    ...{ lp_fee_base: body.uint(16), lp_fee_current: body.uint(16) },
  };
  body.refSlice();
  body.refSlice();
  const minters = body.refSlice();
  return {
    ...wallets,
    ...terms,
    jetton0_minter: readAccount(minters),
    jetton1_minter: readAccount(minters),
  };
}

function readIsActive(init: Block): boolean {
  const body = init.bodyAfterOpcode();
  body.uint64();
  body.skip(2);
  skipMsgAddress(body);
  body.skip(1);
  skipMsgAddress(body);
  body.skip(1 + 24 + 1 + 160 + 1);
  return body.boolean();
}

/** A pool of TONCO is made. */
export const toncoDeployPool: Rule = {
  name: 'TONCO pool',
  test: (block) => block.calls(CREATE_POOL),
  around: { each: call(INIT_POOL, { each: call(EXCESS, { optional: true, as: 'excess' }), as: 'pool' }) },
  build(block, found) {
    const pool = found.named('pool')!;
    const data = { ...readCreatePool(block), pool_active: readIsActive(pool) };
    const { source, destination } = block.message;
    const describe = () => ({
      source,
      destination,
      destination_secondary: pool.message.destination,
      data: { tonco_deploy_pool_data: data },
    });
    const excess = found.named('excess');
    compose({ type: 'tonco_deploy_pool', data: undefined, describe }, [
      block,
      pool,
      ...(excess ? [excess] : []),
    ]);
  },
};
