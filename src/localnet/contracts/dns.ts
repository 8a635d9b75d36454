import { hash as hashOnce } from 'node:crypto';
import { type Address, beginCell, type Cell } from '@ton/core';
import { beginBody, type ContractState, codeCell, contractState, textComment } from './contract.ts';
import { DNS_COLLECTION_CODE, DNS_ITEM_CODE, DNS_ROOT_CODE } from './tolk/compiled.ts';

/** The root of domain names, in the masterchain; configuration parameter 4 has to name it. */
export function dnsRoot(options: { readonly zone: string; readonly resolver: Address }): ContractState {
  const data = beginCell()
    .storeAddress(options.resolver)
    .storeBuffer(Buffer.from(`${options.zone}\0`))
    .endCell();
  return contractState(codeCell(DNS_ROOT_CODE), data, -1);
}

/** A zone of domains. */
export function dnsCollection(content: Cell): ContractState {
  const data = beginCell().storeRef(content).storeRef(codeCell(DNS_ITEM_CODE)).endCell();
  return contractState(codeCell(DNS_COLLECTION_CODE), data);
}

/** The number of a domain among the items of its zone. */
export function domainIndex(name: string): bigint {
  const cell = beginCell().storeBuffer(Buffer.from(name)).endCell();
  return BigInt(`0x${cell.hash().toString('hex')}`);
}

/** A domain by its name without the zone. */
export function dnsItem(collection: Address, name: string): ContractState {
  const data = beginCell().storeUint(domainIndex(name), 256).storeAddress(collection).endCell();
  return contractState(codeCell(DNS_ITEM_CODE), data);
}

/** Asks a zone for a domain; it belongs to the one who asks. */
export function registerDomain(name: string): Cell {
  return textComment(name);
}

/** Which record of a domain is meant. */
export type RecordName = 'wallet' | 'site' | 'storage' | 'dns_next_resolver';

/** Sets a record of a domain, or takes it away. */
export function changeDnsRecord(name: RecordName, value: Cell | null, queryId?: bigint): Cell {
  const body = beginBody(0x4eb1f0f9, queryId).storeBuffer(hashOnce('sha256', name, 'buffer'));
  if (value !== null) body.storeRef(value);
  return body.endCell();
}

/** Shows that a domain is still in use. */
export function renewDomain(queryId?: bigint): Cell {
  return beginBody(0x4eb1f0f9, queryId).storeUint(0, 256).endCell();
}

/** A record that names a contract, such as a wallet. */
export function contractRecord(address: Address): Cell {
  return beginCell().storeUint(0x9fd3, 16).storeAddress(address).storeUint(0, 8).endCell();
}

/** A record that names the resolver of what stands in front of a domain. */
export function nextResolverRecord(address: Address): Cell {
  return beginCell().storeUint(0xba93, 16).storeAddress(address).endCell();
}

/** A record that names a site by its 32 bytes. */
export function siteRecord(adnlAddress: Buffer): Cell {
  return beginCell().storeUint(0xad01, 16).storeBuffer(adnlAddress, 32).storeUint(0, 8).endCell();
}

/** A record that names a bag of files by its 32 bytes. */
export function storageRecord(bagId: Buffer): Cell {
  return beginCell().storeUint(0x7473, 16).storeBuffer(bagId, 32).endCell();
}
