import { hash as hashOnce } from 'node:crypto';
import { type Address, beginCell, type Cell, Dictionary } from '@ton/core';
import { contractRecord } from '../../../src/localnet/contracts/dns.ts';

/** A dictionary of address records by category name, with one record of an unknown kind. */
export function dnsRecordsOf(records: Readonly<Record<string, Address>>): Cell {
  const table = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, address] of Object.entries(records))
    table.set(hashOnce('sha256', name, 'buffer'), contractRecord(address));
  table.set(hashOnce('sha256', 'unknown', 'buffer'), beginCell().storeUint(0x1234, 16).endCell());
  return beginCell().storeDictDirect(table).endCell();
}
