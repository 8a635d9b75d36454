import { fromAccountOrText } from '../../chain/address/account-or-text.ts';
import type { ActionRow } from '../../db/queries/action-order.ts';

/** The columns of an action that details are made of. Addresses are raw texts; some columns hold other texts. */
export interface ActionColumns {
  readonly type: string;
  readonly source: string | null;
  readonly source_secondary: string | null;
  readonly destination: string | null;
  readonly destination_secondary: string | null;
  readonly asset: string | null;
  readonly asset_secondary: string | null;
  readonly asset2: string | null;
  readonly asset2_secondary: string | null;
  readonly opcode: string | null;
  readonly value: string | null;
  readonly amount: string | null;
  readonly value_extra_currencies: Readonly<Record<string, string>>;
  /** Groups of columns by name: `jetton_transfer_data` and so on. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Names of columns that hold addresses, and sometimes other texts. */
export const ADDRESS_COLUMNS = [
  ...(['source', 'source_secondary', 'destination', 'destination_secondary'] as const),
  ...(['asset', 'asset_secondary', 'asset2', 'asset2_secondary'] as const),
] as const;

/** Reads the columns of a stored action. */
export function toActionColumns(row: ActionRow): ActionColumns {
  const { type, opcode, value, amount } = row;
  return {
    ...{ type, opcode, value, amount },
    source: textOf(row.source),
    source_secondary: textOf(row.source_secondary),
    destination: textOf(row.destination),
    destination_secondary: textOf(row.destination_secondary),
    asset: textOf(row.asset),
    asset_secondary: textOf(row.asset_secondary),
    asset2: textOf(row.asset2),
    asset2_secondary: textOf(row.asset2_secondary),
    value_extra_currencies: row.value_extra_currencies ?? {},
    data: row.data ?? {},
  };
}

function textOf(bytes: Buffer | null): string | null {
  return bytes && fromAccountOrText(bytes);
}
