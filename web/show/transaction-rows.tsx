import type { Message, Transaction } from '../api/v3.d.ts';
import { hrefOf, pagePath } from '../router.ts';
import { Address } from './address.tsx';
import { formatTon } from './amount.tsx';
import { coinName } from './coin.ts';
import { shortened } from './hash.tsx';
import { Badge } from './panel.tsx';
import { Table } from './table.tsx';
import { Ago } from './time.tsx';

export function transactionPage(hash: string): string {
  return pagePath('tx', hashInPath(hash));
}

export function tracePage(id: string): string {
  return pagePath('trace', hashInPath(id));
}

/** Hashes in paths are base64url: some proxies do not pass escaped slashes. */
function hashInPath(hash: string): string {
  return hash.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

interface TransactionRowsProps {
  readonly transactions: readonly Transaction[];
  /** All are of one account: who sent the message is shown instead of it. */
  readonly isOfAccount?: boolean;
  /** Shown instead of a table without rows. */
  readonly empty?: string | undefined;
}

export function TransactionRows({ transactions, isOfAccount = false, empty }: TransactionRowsProps) {
  return (
    <Table
      name="Table of transactions"
      kind="transactions"
      rows={transactions}
      empty={empty}
      keyOf={({ hash }) => hash}
      columns={{
        Transaction: {
          kind: 'nowrap on-wide',
          show: ({ hash }) => (
            <a class="hash" href={hrefOf(transactionPage(hash))} title={hash}>
              {shortened(hash, 4, 4)}
            </a>
          ),
        },
        [isOfAccount ? 'From' : 'Account']: (transaction: Transaction) =>
          isOfAccount ? <Sender of={transaction} /> : <Address address={transaction.account} />,
        Message: {
          kind: 'what',
          show: (transaction) => (
            <>
              <a class="plain" href={hrefOf(transactionPage(transaction.hash))}>
                {kindOf(transaction)}
              </a>{' '}
              {isFailed(transaction) && <Badge kind="bad">failed</Badge>}
            </>
          ),
        },
        [`Value, ${coinName()}`]: { kind: 'number value', show: receivedValue },
        Time: { kind: 'number', show: ({ now }) => <Ago at={now} /> },
      }}
    />
  );
}

function Sender({ of: { in_msg: message } }: { readonly of: Transaction }) {
  if (message === null) return <span class="muted">the clock</span>;
  if (message.source === null) return <span class="muted">outside</span>;
  return <Address address={message.source} />;
}

/** Whether a transaction did not do what it was asked for. */
export function isFailed({ description }: Transaction): boolean {
  if (isDeposit(description)) return false;
  return description.aborted === true || description.action?.success === false;
}

/** Money to an account without code is aborted, and yet it arrives. */
export function isDeposit({ compute_ph: compute, bounce }: Transaction['description']): boolean {
  return compute?.skipped === true && compute.reason === 'no_state' && bounce === undefined;
}

/** The subject of a transaction, in a word or two. */
export function kindOf({ in_msg: message, description }: Transaction): string {
  if (description.type === 'tick_tock') return description.is_tock === true ? 'tock' : 'tick';
  if (message === null) return description.type.replaceAll('_', ' ');
  if (message.bounced === true) return 'bounced message';
  return opcodeName(message);
}

/** Smaller opcodes mean something else in every contract, whatever name they are decoded to. */
const FIRST_OWN_OPCODE = 0x100;
export const isOwnOpcode = (opcode: string): boolean => Number(opcode) >= FIRST_OWN_OPCODE;

/** Of the elector and the configuration contract, from their sources; the decoded names of the API have none of them. */
const SYSTEM_OPERATIONS: Readonly<Record<string, string>> = {
  '0x4e73744b': 'new stake',
  '0xf374484c': 'stake accepted',
  '0xee6f454c': 'stake returned',
  '0x47657424': 'recover stake',
  '0xf96f7324': 'stake recovered',
  '0xfffffffe': 'stake not recovered',
  '0x4e565354': 'set next validators',
  '0xee764f4b': 'validators set',
  '0xee764f6f': 'validators not set',
  '0x52674370': 'register complaint',
  '0xf2676350': 'complaint registered',
  '0x56744370': 'vote for complaint',
  '0xd6745240': 'voted before',
  '0xd6745241': 'vote counted',
  '0xd6745242': 'complaint passed',
  '0xd6745243': 'vote too late',
  '0x4e436f64': 'upgrade code',
  '0xce436f64': 'code upgraded',
  '0x6e565052': 'new proposal',
  '0x566f7465': 'vote for proposal',
};
/** The elector and the configuration contract. */
const SYSTEM_ACCOUNTS = /^-1:(?:3{64}|5{64})$/;

/** Name of what a message asks for: decoded, else the number. */
export function opcodeName({ decoded_opcode: name, opcode, source, destination }: Message): string {
  const isShared = typeof opcode === 'string' && Number(opcode) > 0 && Number(opcode) < FIRST_OWN_OPCODE;
  if (name && !isShared) return name.replaceAll('_', ' ');
  if (source === null) return 'external message';
  if (opcode === null || opcode === undefined) return destination === null ? 'event' : 'transfer';
  if (isShared) return `opcode ${Number(opcode)}`;
  if (opcode === '0x00000000') return 'comment';
  return systemOperation(opcode, [source, destination]) ?? opcode;
}

/** What a system contract is asked or answers, if one of the accounts is one. */
export function systemOperation(
  opcode: string,
  accounts: readonly (string | null | undefined)[],
): string | undefined {
  const isSystem = accounts.some((account) => SYSTEM_ACCOUNTS.test(account ?? ''));
  return isSystem ? SYSTEM_OPERATIONS[opcode.toLowerCase()] : undefined;
}

function receivedValue({ in_msg: message }: Transaction): string {
  return message?.value === null || message?.value === undefined ? '' : formatTon(message.value);
}
