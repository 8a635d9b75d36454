import type { Slice } from '../../../chain/boc/slice.ts';
import { readDnsText } from '../../../chain/contracts/dns-record.ts';
import type { ActionData } from '../action.ts';
import { compose } from '../compose.ts';
import { BOUNCE, call } from '../pattern.ts';
import { readAccount } from '../read-body.ts';
import type { Rule } from '../rule.ts';

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

/** The owner of a domain sets a record, takes one away, or shows that it is still in use. */
export const dnsRecords: Rule = {
  name: 'domain record',
  test: (block) => block.calls(CHANGE_RECORD),
  around: { each: call(BOUNCE, { optional: true, excess: false }) },
  build(block, found, { interfaces }) {
    const { type, columns } = readChange(block.bodyAfterOpcode());
    const { source, destination } = block.message;
    // The reference fails on something that is not known to be a domain, and so loses the whole trace.
    const item = destination === null ? undefined : interfaces.nftItem(destination);
    if (!item) return;
    const data = columns && { change_dns_record_data: columns };
    const describe = () => ({ source, destination, asset: item.collection, ...(data && { data }) });
    compose({ type, data: undefined, failed: block.failed, describe }, [block, ...found.blocks]);
  },
};
