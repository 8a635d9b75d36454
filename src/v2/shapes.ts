import type { Static, TProperties } from 'typebox';
import Type from 'typebox';
import { type AccountId, formatFriendly, hasFriendlyForm } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import type { CellRef, Cells } from '../chain/boc/cells.ts';
import { bocText } from '../chain/boc/writer.ts';
import type { ExtraCurrency } from '../chain/tlb/currency.ts';
import { PlainText } from '../http/serializer.ts';

/** An object of tonlib: its type in `@type`, its name in the document as `title`. */
export function TonlibObject<Name extends string, Fields extends TProperties>(
  type: Name,
  title: string,
  fields: Fields,
) {
  return Type.Object({ '@type': Type.Literal(type), ...fields }, { title });
}

export const Hash256 = () => PlainText({ pattern: '^[A-Za-z0-9+/]{43}=$' });

/** Declares an object of tonlib that is written of a value: the schema of each field, and how it follows from the value. */
export function shapeOf<T>() {
  return <Name extends string, Fields extends TProperties>(
    type: Name,
    title: string,
    fields: {
      readonly [K in keyof Fields]: readonly [Fields[K], (value: T) => Static<Fields[K]> | undefined];
    },
  ) => {
    const entries = Object.entries(fields);
    const schemas = Object.fromEntries(entries.map(([name, [schema]]) => [name, schema])) as Fields;
    const schema = TonlibObject(type, title, schemas);
    const write = (value: T): Static<typeof schema> => {
      const json: Record<string, unknown> = { '@type': type };
      for (const [name, [, of]] of entries) json[name] = of(value);
      return json as Static<typeof schema>;
    };
    return { schema, write };
  };
}

/** A signed 64-bit number as a decimal string. */
export const Int64Text = () => PlainText({ pattern: '^-?[0-9]{1,19}$' });

/** `ton.blockIdExt`: the full id of a block. */
export const BlockIdExt = TonlibObject('ton.blockIdExt', 'TonBlockIdExt', {
  workchain: Type.Integer(),
  shard: Int64Text(),
  seqno: Type.Integer(),
  root_hash: Hash256(),
  file_hash: Hash256(),
});

export function blockIdExt({ workchain, shard, seqno, rootHash, fileHash }: BlockId) {
  return {
    '@type': 'ton.blockIdExt' as const,
    workchain,
    shard: String(shard),
    seqno,
    root_hash: rootHash.toString('base64'),
    file_hash: fileHash.toString('base64'),
  };
}

/** `internal.transactionId`; lt 0 and a hash of zeros mean no transaction. */
export const TransactionId = TonlibObject('internal.transactionId', 'InternalTransactionId', {
  lt: Int64Text(),
  hash: Hash256(),
});

export function transactionId(lt: bigint, hash: Buffer) {
  return {
    '@type': 'internal.transactionId' as const,
    lt: String(BigInt.asIntN(64, lt)),
    hash: hash.toString('base64'),
  };
}

/** `accountAddress`; empty if there is no address. */
export const AccountAddress = TonlibObject('accountAddress', 'AccountAddress', {
  account_address: PlainText(),
});

export function accountAddress(text: string) {
  return { '@type': 'accountAddress' as const, account_address: text };
}

/** The friendly form of v2 responses: bounceable, never test-only. */
export function friendlyAddress(address: AccountId): string {
  return hasFriendlyForm(address.workchain)
    ? formatFriendly(address, { bounceable: true, testOnly: false })
    : '';
}

/** `extraCurrency` entries in the order of their ids. */
export const ExtraCurrencies = Type.Array(
  TonlibObject('extraCurrency', 'ExtraCurrencyBalance', {
    id: Type.Integer(),
    amount: PlainText({ pattern: '^[0-9]+$' }),
  }),
);

export function extraCurrencies(currencies: readonly ExtraCurrency[]) {
  return currencies.map(({ id, amount }) => ({
    '@type': 'extraCurrency' as const,
    id: id | 0,
    amount: String(amount),
  }));
}

/** A bag of cells in base64, cells in the order of tonlib; empty if there is no cell. */
export const BocText = () => PlainText({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

export const TvmCell = TonlibObject('tvm.cell', 'TvmCell', { bytes: BocText() });

/** Writes `tvm.cell`; -1 means no cell. */
export function tvmCell(cells: Cells, cell: number) {
  return { '@type': 'tvm.cell' as const, bytes: bocText(cells, cell) };
}

export const Base64 = () => PlainText({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

/** A non-negative amount as a decimal string. */
export const AmountText = () => PlainText({ pattern: '^[0-9]+$' });

export const MaybeHash256 = () => PlainText({ pattern: '^([A-Za-z0-9+/]{43}=)?$' });

/** Writes a hash in base64, or an empty string. */
export function maybeHash(hash: Buffer | undefined): string {
  return hash?.toString('base64') ?? '';
}

/** Writes a cell as a bag in base64, or an empty string. */
export function maybeBoc(cell: CellRef | undefined): string {
  return cell === undefined ? '' : bocText(cell.cells, cell.cell);
}
