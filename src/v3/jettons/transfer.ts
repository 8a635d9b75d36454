import Type, { type Static } from 'typebox';
import type { JettonTransferRow } from '../../db/queries/token-events.ts';
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

/** A transfer of jettons, as the wallet of the sender was asked for it. */
export const jettonTransferSchema = Type.Object({
  query_id: PlainText(),
  source: PlainText({ description: 'Who asked for it.' }),
  destination: PlainText({ description: 'The owner who is to get it, or `addr_none`.' }),
  amount: PlainText({ description: 'In the smallest units.' }),
  source_wallet: PlainText(),
  jetton_master: PlainText(),
  ...eventTransactionSchema,
  response_destination: PlainText({ description: 'An address or `addr_none`.' }),
  custom_payload: payloadSchema,
  decoded_custom_payload: meaningSchema,
  forward_ton_amount: PlainText(),
  forward_payload: payloadSchema,
  decoded_forward_payload: meaningSchema,
  trace_id: PlainText(),
});

/** Writes a transfer of jettons. */
export function toJettonTransfer(
  row: JettonTransferRow,
  bodies: DecodedBodies,
): Static<typeof jettonTransferSchema> {
  return {
    query_id: row.query_id,
    source: formatAccount(row.source),
    destination: formatNamed(row.destination),
    amount: row.amount,
    source_wallet: formatAccount(row.account),
    jetton_master: formatAccount(row.jetton),
    ...toEventTransaction(row),
    response_destination: formatNamed(row.response_destination),
    custom_payload: formatPayload(row.custom_payload),
    decoded_custom_payload: bodies.meaningOf(row.custom_payload),
    forward_ton_amount: row.forward_ton_amount,
    forward_payload: formatPayload(row.forward_payload),
    decoded_forward_payload: bodies.meaningOf(row.forward_payload),
    trace_id: formatHash(row.trace_id),
  };
}

/** A transfer as the docs page shows it. */
export const JETTON_TRANSFER_EXAMPLE: Static<typeof jettonTransferSchema> = {
  query_id: '0',
  source: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  destination: '0:5555555555555555555555555555555555555555555555555555555555555555',
  amount: '250000',
  source_wallet: '0:9E5A6F6A2F4B8A3F3E1A5C0D7B2E4F6081A3C5E7092B4D6F8193A5C7E90B2D4F',
  jetton_master: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  transaction_hash: 'QOyNIyk+3mKLGnlSSlIwiFXNx7ZgqKJdOnuAwB8sX1g=',
  transaction_lt: '46000000005',
  transaction_now: 1730000000,
  transaction_aborted: false,
  response_destination: 'addr_none',
  custom_payload: null,
  decoded_custom_payload: null,
  forward_ton_amount: '1',
  forward_payload: null,
  decoded_forward_payload: null,
  trace_id: 'vzUJZmbK1gS/6QK/QJnzSMZzH0hbQ6tcbR3cwq9TQbM=',
};
