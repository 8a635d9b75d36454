import type { components } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';
import { Address } from './address.tsx';
import { formatTon } from './amount.tsx';
import { shortened } from './hash.tsx';
import { Badge, ScrollRegion } from './panel.tsx';
import { Ago } from './time.tsx';

type Transaction = components['schemas']['Transaction'];

/** Path of the page of a transaction. */
export function transactionPage(hash: string): string {
  return pagePath('tx', hashInPath(hash));
}

/** Path of the page of a trace. */
export function tracePage(id: string): string {
  return pagePath('trace', hashInPath(id));
}

/** Hashes in paths are base64url: some proxies do not pass escaped slashes. */
function hashInPath(hash: string): string {
  return hash.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Transactions as a table. */
export function TransactionRows({ transactions }: { readonly transactions: readonly Transaction[] }) {
  return (
    <ScrollRegion name="Table of transactions" kind="transactions">
      <table>
        <thead>
          <tr>
            <th>Transaction</th>
            <th>Account</th>
            <th>Message</th>
            <th class="number">Value, TON</th>
            <th class="number">Time</th>
          </tr>
        </thead>
        <tbody>
          {transactions.map((transaction) => (
            <tr key={transaction.hash}>
              <td class="nowrap on-wide">
                <a class="hash" href={hrefOf(transactionPage(transaction.hash))} title={transaction.hash}>
                  {shortened(transaction.hash, 4, 4)}
                </a>
              </td>
              <td>
                <Address address={transaction.account} />
              </td>
              <td class="what">
                <a class="plain" href={hrefOf(transactionPage(transaction.hash))}>
                  {kindOf(transaction)}
                </a>{' '}
                {isFailed(transaction) && <Badge kind="bad">failed</Badge>}
              </td>
              <td class="number value">{receivedValue(transaction)}</td>
              <td class="number">
                <Ago at={transaction.now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Whether a transaction did not do what it was asked for. */
export function isFailed({ description }: Transaction): boolean {
  return description.aborted === true || description.action?.success === false;
}

/** What a transaction is about, in a word or two. */
export function kindOf({ in_msg: message, description }: Transaction): string {
  if (description.type === 'tick_tock') return description.is_tock === true ? 'tock' : 'tick';
  if (message === null) return description.type.replaceAll('_', ' ');
  if (message.bounced === true) return 'bounced message';
  return opcodeName(message);
}

/** Name of what a message asks for: decoded, else the number. */
export function opcodeName({
  decoded_opcode: name,
  opcode,
  source,
}: components['schemas']['Message']): string {
  if (name !== null && name !== undefined && name !== '') return name.replaceAll('_', ' ');
  if (source === null) return 'external message';
  if (opcode === null || opcode === undefined) return 'transfer';
  return opcode === '0x00000000' ? 'comment' : opcode;
}

function receivedValue({ in_msg: message }: Transaction): string {
  return message?.value === null || message?.value === undefined ? '' : formatTon(message.value);
}
