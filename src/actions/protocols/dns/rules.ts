import type { Slice } from '../../../chain/boc/slice.ts';
import { readDnsText } from '../../../chain/contracts/dns.ts';
import type { ActionData } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import type { Interfaces, NftItemRecord } from '../../rules/classifier-input.ts';
import { BOUNCE, blockOf, call } from '../../rules/pattern.ts';
import { readAccount } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import { FILL_UP, isTonDomain } from '../nfts/rules.ts';

const CHANGE_RECORD = 0x4eb1f0f9;

interface Change {
  readonly type: 'change_dns' | 'delete_dns' | 'renew_dns';
  readonly columns: ActionData | undefined;
}

function readChange(body: Slice): Change {
  body.uint64();
  const key = body.hash();
  if (body.refsLeft > 0)
    return { type: 'change_dns', columns: { key: key.toString('hex'), ...readValue(body.refSlice()) } };
  if (key.every((byte) => byte === 0)) return { type: 'renew_dns', columns: undefined };
  return { type: 'delete_dns', columns: { key: key.toString('hex') } };
}

function readValue(value: Slice): ActionData {
  switch (value.uint(16)) {
    case 0xba93:
      return { value_schema: 'DNSNextResolver', value: readAccount(value) };
    case 0xad01:
      return { value_schema: 'DNSAdnlAddress', value: value.hash().toString('hex'), flags: value.uint(8) };
    case 0x9fd3:
      return { value_schema: 'DNSSmcAddress', value: readAccount(value), flags: value.uint(8) };
    case 0x7473:
      return { value_schema: 'DNSStorageAddress', value: value.hash().toString('hex') };
    case 0x1eda:
      return { value_schema: 'DNSText', value: readDnsText(value).replaceAll('\u0000', '') };
    default:
      return { value_schema: 'Unknown' };
  }
}

/** The owner of a domain sets or deletes a record, or renews the domain. */
export const dnsRecords: Rule = {
  name: 'domain record',
  test: (block) => block.calls(CHANGE_RECORD),
  around: { each: call(BOUNCE, { optional: true, excess: false }) },
  build(block, found, { interfaces }) {
    const { type, columns } = readChange(block.bodyAfterOpcode());
    const { source, destination } = block.message;
    // The reference implementation fails on unknown domains and loses the whole trace.
    const item = destination === null ? undefined : interfaces.nftItem(destination);
    if (!item) return;
    const data = columns && { change_dns_record_data: columns };
    const describe = () => ({ source, destination, asset: item.collection, ...(data && { data }) });
    compose({ type, data: undefined, failed: block.failed, describe }, [block, ...found.blocks]);
  },
};

const RELEASE = 0x4ed14b65;

function tonDomain(address: string | null, interfaces: Interfaces): NftItemRecord | undefined {
  const item = interfaces.nftItem(address ?? '');
  return item && isTonDomain(item) ? item : undefined;
}

function readQueryId(block: Block): bigint | null {
  const body = block.bodyAfterOpcode();
  return body.bitsLeft >= 64 ? body.uint64() : null;
}

/** An expired domain goes back to auction. */
export const dnsRelease: Rule = {
  name: 'domain released',
  test: (block) => block.calls(RELEASE),
  build(block, _found, { interfaces }) {
    const { source, destination, value } = block.message;
    const item = tonDomain(destination, interfaces);
    if (!item) return;
    const columns = {
      source,
      destination,
      value,
      asset: item.collection,
      data: { nft_transfer_data: { query_id: readQueryId(block), nft_item_index: item.index } },
    };
    compose(plainContent('dns_release', columns, block.node.transaction.aborted), [block]);
  },
};

/** After its auction a domain sends the money to its zone when the new owner first uses it. */
export const dnsPurchase: Rule = {
  name: 'domain purchase',
  test: (block) => block.calls(FILL_UP),
  around: { previous: blockOf('call_contract', { as: 'use' }) },
  build(block, found, { interfaces }) {
    const { source, value } = block.message;
    const item = tonDomain(source, interfaces);
    const use = found.named('use');
    if (!item || !use) return;
    const columns = {
      destination: use.message.source,
      asset: item.collection,
      asset_secondary: item.address,
      data: {
        nft_transfer_data: {
          query_id: readQueryId(block),
          is_purchase: true,
          price: value,
          payout_amount: value,
          nft_item_index: item.index,
        },
      },
    };
    compose(plainContent('dns_purchase', columns, block.node.transaction.aborted), [block]);
  },
};
