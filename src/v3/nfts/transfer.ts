import Type, { type Static } from 'typebox';
import type { NftTransferRow } from '../../db/queries/token-events.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { type DecodedBodies, meaningSchema } from '../decoded-bodies.ts';
import {
  eventTransactionSchema,
  formatNamed,
  formatPayload,
  payloadSchema,
  toEventTransaction,
} from '../event-json.ts';
import { formatHash } from '../value-texts.ts';

/** A transfer of an NFT, as it was asked for it. */
export const nftTransferSchema = Type.Object({
  query_id: PlainText(),
  nft_address: PlainText(),
  nft_collection: PlainText({ description: 'Empty when it belongs to none.' }),
  ...eventTransactionSchema,
  old_owner: PlainText({ description: 'Who asked for it.' }),
  new_owner: PlainText({ description: 'An address or `addr_none`.' }),
  response_destination: PlainText({ description: 'An address or `addr_none`.' }),
  custom_payload: payloadSchema,
  decoded_custom_payload: meaningSchema,
  forward_amount: PlainText(),
  forward_payload: payloadSchema,
  decoded_forward_payload: meaningSchema,
  trace_id: PlainText(),
});

/** Writes a transfer of an NFT. */
export function toNftTransfer(row: NftTransferRow, bodies: DecodedBodies): Static<typeof nftTransferSchema> {
  return {
    query_id: row.query_id,
    nft_address: formatAccount(row.account),
    nft_collection: row.collection === null ? '' : formatAccount(row.collection),
    ...toEventTransaction(row),
    old_owner: formatAccount(row.old_owner),
    new_owner: formatNamed(row.new_owner),
    response_destination: formatNamed(row.response_destination),
    custom_payload: formatPayload(row.custom_payload),
    decoded_custom_payload: bodies.meaningOf(row.custom_payload),
    forward_amount: row.forward_amount,
    forward_payload: formatPayload(row.forward_payload),
    decoded_forward_payload: bodies.meaningOf(row.forward_payload),
    trace_id: formatHash(row.trace_id),
  };
}

/** A transfer as the docs page shows it. */
export const NFT_TRANSFER_EXAMPLE: Static<typeof nftTransferSchema> = {
  query_id: '0',
  nft_address: '0:6B8F5A1C3D7E9F20416385A7C9EB0D2F41638507A9CBED0F21436587A9CBED0F',
  nft_collection: '0:06D811F426598591B32B2C49F29F66C821368E4ACB1DE16762B04E0174532465',
  transaction_hash: 'QOyNIyk+3mKLGnlSSlIwiFXNx7ZgqKJdOnuAwB8sX1g=',
  transaction_lt: '46000000005',
  transaction_now: 1730000000,
  transaction_aborted: false,
  old_owner: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  new_owner: '0:5555555555555555555555555555555555555555555555555555555555555555',
  response_destination: 'addr_none',
  custom_payload: null,
  decoded_custom_payload: null,
  forward_amount: '0',
  forward_payload: null,
  decoded_forward_payload: null,
  trace_id: 'vzUJZmbK1gS/6QK/QJnzSMZzH0hbQ6tcbR3cwq9TQbM=',
};
