import type { AdditionalRule } from '../../rules/additional.ts';
import { messagesOf } from '../../rules/message-layouts.ts';
import { GENERAL } from '../general/layouts.ts';
import { jettonTransferOf, transferColumns } from '../jettons/rules.ts';

const { invoice_payload: paid, invoice_payload_forward_payload: payload } = messagesOf(GENERAL);

/** The id of an invoice as its issuer writes it: a UUID. */
function formatInvoiceId(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export const invoiceRules: readonly AdditionalRule[] = [
  // An invoice is paid in TON or extra currencies.
  {
    name: 'purchase',
    start: { calls: [paid] },
    find(block) {
      const { source, destination, value, extraCurrencies } = block.message;
      if (source === null || destination === null || !value) return [];
      const { id } = paid.read(block).through('url');
      return [
        {
          type: 'purchase',
          source,
          destination,
          amount: value,
          value_extra_currencies: extraCurrencies,
          success: !block.failed,
          data: { purchase_data: { invoice_id: formatInvoiceId(id) } },
          members: [block],
        },
      ];
    },
  },
  // An invoice is paid in jettons.
  {
    name: 'purchase with jettons',
    start: { type: 'jetton_transfer' },
    find(block) {
      const transfer = jettonTransferOf(block);
      const invoice = payload.match(transfer.request.payload())?.through('url');
      if (!invoice) return [];
      return [
        {
          ...transferColumns(transfer),
          type: 'purchase',
          success: !block.failed,
          data: { purchase_data: { invoice_id: formatInvoiceId(invoice.id) } },
          members: [block],
        },
      ];
    },
  },
];
