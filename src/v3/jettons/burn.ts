import Type, { type Static } from 'typebox';
import type { JettonBurnRow } from '../../db/queries/token-events.ts';
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

/** A burn of jettons, as a wallet was asked for it. */
export const jettonBurnSchema = Type.Object({
  query_id: PlainText(),
  owner: PlainText({ description: 'Who asked for it.' }),
  jetton_wallet: PlainText(),
  jetton_master: PlainText(),
  ...eventTransactionSchema,
  amount: PlainText({ description: 'In the smallest units.' }),
  response_destination: PlainText({ description: 'An address or `addr_none`.' }),
  custom_payload: payloadSchema,
  decoded_custom_payload: meaningSchema,
  trace_id: PlainText(),
});

/** Writes a burn of jettons. */
export function toJettonBurn(row: JettonBurnRow, bodies: DecodedBodies): Static<typeof jettonBurnSchema> {
  return {
    query_id: row.query_id,
    owner: formatAccount(row.owner),
    jetton_wallet: formatAccount(row.account),
    jetton_master: formatAccount(row.jetton),
    ...toEventTransaction(row),
    amount: row.amount,
    response_destination: formatNamed(row.response_destination),
    custom_payload: formatPayload(row.custom_payload),
    decoded_custom_payload: bodies.meaningOf(row.custom_payload),
    trace_id: formatHash(row.trace_id),
  };
}

/** A burn as the docs page shows it. */
export const JETTON_BURN_EXAMPLE: Static<typeof jettonBurnSchema> = {
  query_id: '0',
  owner: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  jetton_wallet: '0:9E5A6F6A2F4B8A3F3E1A5C0D7B2E4F6081A3C5E7092B4D6F8193A5C7E90B2D4F',
  jetton_master: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  transaction_hash: 'QOyNIyk+3mKLGnlSSlIwiFXNx7ZgqKJdOnuAwB8sX1g=',
  transaction_lt: '46000000005',
  transaction_now: 1730000000,
  transaction_aborted: false,
  amount: '1000',
  response_destination: 'addr_none',
  custom_payload: null,
  decoded_custom_payload: null,
  trace_id: 'vzUJZmbK1gS/6QK/QJnzSMZzH0hbQ6tcbR3cwq9TQbM=',
};
