import { readDnsText } from '../../../chain/contracts/dns.ts';
import type { ActionData } from '../../rules/action.ts';
import { type Block, compose, plainContent } from '../../rules/block.ts';
import type { Interfaces, NftItemRecord } from '../../rules/classifier-input.ts';
import { BOUNCE, blockOf, call } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import type { Rule } from '../../rules/rule.ts';
import { nft } from '../nfts/layouts.ts';
import { isTonDomain } from '../nfts/rules.ts';
import { dns } from './layouts.ts';

interface Change {
  readonly type: 'change_dns' | 'delete_dns' | 'renew_dns';
  readonly columns: ActionData | undefined;
}

function readChange(block: Block): Change {
  const change = dns.change_dns_record.read(block);
  const { key } = change;
  const rest = change.sliceAt('value');
  if (rest.refsLeft > 0) {
    // A record of another kind has at least its tag.
    rest.refSlice().skip(16);
    const value = readValue(tryRead(() => change.value));
    return { type: 'change_dns', columns: { key: key.toString('hex'), ...value } };
  }
  if (key.every((byte) => byte === 0)) return { type: 'renew_dns', columns: undefined };
  return { type: 'delete_dns', columns: { key: key.toString('hex') } };
}

type DnsRecord = ReturnType<typeof dns.change_dns_record.read>['value'];

function readValue(record: DnsRecord | undefined): ActionData {
  switch (record?.['@type']) {
    case 'dns_next_resolver':
      return { value_schema: 'DNSNextResolver', value: record.resolver };
    case 'dns_adnl_address':
      return { value_schema: 'DNSAdnlAddress', value: record.adnl_addr.toString('hex'), flags: record.flags };
    case 'dns_smc_address':
      return { value_schema: 'DNSSmcAddress', value: record.smc_addr, flags: record.flags };
    case 'dns_storage_address':
      return { value_schema: 'DNSStorageAddress', value: record.bag_id.toString('hex') };
    case 'dns_text':
      return { value_schema: 'DNSText', value: readDnsText(record.slice()).replaceAll('\u0000', '') };
    default:
      return { value_schema: 'Unknown' };
  }
}

/** The owner of a domain sets or deletes a record, or renews the domain. */
export const dnsRecords: Rule = {
  type: 'change_dns',
  calls: [dns.change_dns_record],
  around: { each: call(BOUNCE, { optional: true, excess: false }) },
  build(block, match, { interfaces }) {
    const { type, columns } = readChange(block);
    const { source, destination } = block.message;
    // The reference implementation fails on unknown domains and loses the whole trace.
    const item = destination === null ? undefined : interfaces.nftItem(destination);
    if (!item) return;
    const data = columns && { change_dns_record_data: columns };
    const content = { source, destination, asset: item.collection, ...(data && { data }) };
    compose(plainContent(type, content, block.failed), [block, ...match.blocks]);
  },
};

function queryIdOf(message: { readonly query_id: bigint }): bigint | null {
  return tryRead(() => message.query_id) ?? null;
}

function tonDomain(address: string | null, interfaces: Interfaces): NftItemRecord | undefined {
  const item = interfaces.nftItem(address ?? '');
  return item && isTonDomain(item) ? item : undefined;
}

/** An expired domain goes back to auction. */
export const dnsRelease: Rule = {
  type: 'dns_release',
  calls: [dns.dns_balance_release],
  build(block, _match, { interfaces }) {
    const { source, destination, value } = block.message;
    const item = tonDomain(destination, interfaces);
    if (!item) return undefined;
    return {
      source,
      destination,
      value,
      asset: item.collection,
      data: {
        nft_transfer_data: {
          query_id: queryIdOf(dns.dns_balance_release.read(block)),
          nft_item_index: item.index,
        },
      },
      success: !block.node.transaction.aborted,
    };
  },
};

/** After its auction a domain sends the money to its zone when the new owner first uses it. */
export const dnsPurchase: Rule = {
  type: 'dns_purchase',
  calls: [nft.auction_fill_up],
  around: { previous: blockOf('call_contract', { as: 'use' }) },
  build(block, match, { interfaces }) {
    const { source, value } = block.message;
    const item = tonDomain(source, interfaces);
    if (!item) return undefined;
    return {
      destination: match.named('use')!.message.source,
      asset: item.collection,
      asset_secondary: item.address,
      data: {
        nft_transfer_data: {
          query_id: queryIdOf(nft.auction_fill_up.read(block)),
          is_purchase: true,
          price: value,
          payout_amount: value,
          nft_item_index: item.index,
        },
      },
      success: !block.node.transaction.aborted,
      members: [block],
    };
  },
};
