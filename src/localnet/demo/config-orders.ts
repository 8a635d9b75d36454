import { Address, type Cell, Dictionary } from '@ton/core';
import { adminKeys } from '../genesis/keys.ts';
import { CONFIG_ID, type ConfigChange, configChangeMessage } from '../genesis/special-accounts.ts';
import { contractData, type DemoChain } from './demo-chain.ts';
import { VALID_SECONDS } from './story.ts';

const CONFIG_CONTRACT = new Address(-1, CONFIG_ID);

/** Reads the seqno and the params of the config contract. */
export function readConfigContract(chain: DemoChain): { seqno: number; params: Dictionary<number, Cell> } {
  const data = contractData(chain, CONFIG_CONTRACT)!.beginParse();
  const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), data.loadRef());
  return { seqno: data.loadUint(32), params };
}

/** The external message by which the administrator changes the config. One fits into a round. */
export function configOrder(chain: DemoChain, change: ConfigChange['change']): Cell {
  return configChangeMessage({
    admin: adminKeys(),
    seqno: readConfigContract(chain).seqno,
    validUntil: chain.now() + VALID_SECONDS,
    change,
  });
}
