import { hash as hashOnce } from 'node:crypto';
import { type Address, beginCell, type Cell } from '@ton/core';
import { beginBody, type ContractState, compiledCode, contractState, textComment } from './contract.ts';

/** DNS root in the masterchain; config parameter 4 has to name it. */
export function dnsRoot(options: { readonly zone: string; readonly resolver: Address }): ContractState {
  const data = beginCell()
    .storeAddress(options.resolver)
    .storeBuffer(Buffer.from(`${options.zone}\0`));
  return contractState(compiledCode('dns-root'), data.endCell(), -1);
}

/** A zone of domains. */
export function dnsCollection(content: Cell): ContractState {
  const data = beginCell().storeRef(content).storeRef(compiledCode('dns-item')).endCell();
  return contractState(compiledCode('dns-collection'), data);
}

/** Item index of a domain in its zone. */
export function domainIndex(name: string): bigint {
  const cell = beginCell().storeBuffer(Buffer.from(name)).endCell();
  return BigInt(`0x${cell.hash().toString('hex')}`);
}

/** Domain item by name without the zone. */
export function dnsItem(collection: Address, name: string): ContractState {
  const data = beginCell().storeUint(domainIndex(name), 256).storeAddress(collection).endCell();
  return contractState(compiledCode('dns-item'), data);
}

/** Registers a domain for the sender. */
export function registerDomain(name: string): Cell {
  return textComment(name);
}

/** Category of a domain record. */
export type RecordName = 'wallet' | 'site' | 'storage' | 'dns_next_resolver';

/** Sets or deletes a domain record. */
export function changeDnsRecord(name: RecordName, value: Cell | null, queryId?: bigint): Cell {
  const body = beginBody(0x4eb1f0f9, queryId).storeBuffer(hashOnce('sha256', name, 'buffer'));
  if (value !== null) body.storeRef(value);
  return body.endCell();
}

/** Record with a contract address, such as a wallet. */
export function contractRecord(address: Address): Cell {
  return beginCell().storeUint(0x9fd3, 16).storeAddress(address).storeUint(0, 8).endCell();
}

/** Record with the ADNL address of a site, 32 bytes. */
export function siteRecord(adnlAddress: Buffer): Cell {
  return beginCell().storeUint(0xad01, 16).storeBuffer(adnlAddress, 32).storeUint(0, 8).endCell();
}

/** Record with a TON Storage bag id, 32 bytes. */
export function storageRecord(bagId: Buffer): Cell {
  return beginCell().storeUint(0x7473, 16).storeBuffer(bagId, 32).endCell();
}
