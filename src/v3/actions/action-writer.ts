import { ACCOUNT_BYTES } from '../../chain/address/account-key.ts';
import { toAccountOrText } from '../../chain/address/account-or-text.ts';
import type { ActionRow } from '../../db/queries/action-order.ts';
import type { V3Call } from '../call.ts';
import { type ActionJson, toAction } from './action.ts';
import { ADDRESS_COLUMNS } from './action-columns.ts';
import { readPayloadComment } from './payload-comment.ts';

/** Writes the actions of one answer, and remembers the accounts that they name. */
export interface ActionWriter {
  readonly write: (row: ActionRow) => ActionJson;
  /** Accounts of the address book, some of them more than once. */
  readonly accounts: readonly Buffer[];
}

/** A writer for one answer. */
export function createActionWriter({ ports }: Pick<V3Call, 'ports'>): ActionWriter {
  const accounts: Buffer[] = [];
  const note = (bytes: Buffer | null) => {
    // What is of another length is another text.
    if (bytes?.length === ACCOUNT_BYTES) accounts.push(bytes);
  };
  const context = {
    testOnly: ports.testOnly,
    onAddress: (address: string) => note(toAccountOrText(address)),
    commentOf: rememberLast(readPayloadComment),
  };
  return {
    accounts,
    write: (row) => {
      for (const column of ADDRESS_COLUMNS) note(row[column]);
      return toAction(row, context);
    },
  };
}

/** Two keys of details come of one payload. */
function rememberLast<T>(read: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}
