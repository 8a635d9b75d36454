import Type from 'typebox';
import { type AccountId, formatFriendly, hasFriendlyForm } from '../chain/address.ts';
import type { BlockId } from '../chain/block-id.ts';
import { bocText } from '../chain/boc/boc-text.ts';
import type { Cells } from '../chain/boc/cells.ts';
import type { ExtraCurrency } from '../chain/tlb/currency.ts';
import { PlainText } from '../http/serializer.ts';
import type { CellRef } from '../lite/methods/proofs.ts';

/** A 256-bit hash in base64. */
export const Hash256 = () => PlainText({ pattern: '^[A-Za-z0-9+/]{43}=$' });

/** A signed 64-bit number as a decimal string. */
export const Int64Text = () => PlainText({ pattern: '^-?[0-9]{1,19}$' });

/** `ton.blockIdExt`: a block by its whole name. */
export const BlockIdExt = Type.Object({
  '@type': Type.Literal('ton.blockIdExt'),
  workchain: Type.Integer(),
  shard: Int64Text(),
  seqno: Type.Integer(),
  root_hash: Hash256(),
  file_hash: Hash256(),
});

/** Writes `ton.blockIdExt`. */
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

/** `internal.transactionId`; a time of zero and a hash of zeros stand for no transaction. */
export const TransactionId = Type.Object({
  '@type': Type.Literal('internal.transactionId'),
  lt: Int64Text(),
  hash: Hash256(),
});

/** Writes `internal.transactionId`. */
export function transactionId(lt: bigint, hash: Buffer) {
  return {
    '@type': 'internal.transactionId' as const,
    lt: String(BigInt.asIntN(64, lt)),
    hash: hash.toString('base64'),
  };
}

/** `accountAddress`; empty where there is no address. */
export const AccountAddress = Type.Object({
  '@type': Type.Literal('accountAddress'),
  account_address: PlainText(),
});

/** Writes `accountAddress`. */
export function accountAddress(text: string) {
  return { '@type': 'accountAddress' as const, account_address: text };
}

/** The friendly form in which answers name accounts of the chain: bounceable, never test-only. */
export function friendlyAddress(address: AccountId): string {
  return hasFriendlyForm(address.workchain)
    ? formatFriendly(address, { bounceable: true, testOnly: false })
    : '';
}

/** `extraCurrency` entries in the order of their ids. */
export const ExtraCurrencies = Type.Array(
  Type.Object({
    '@type': Type.Literal('extraCurrency'),
    id: Type.Integer(),
    amount: PlainText({ pattern: '^[0-9]+$' }),
  }),
);

/** Writes `extraCurrency` entries. */
export function extraCurrencies(currencies: readonly ExtraCurrency[]) {
  return currencies.map(({ id, amount }) => ({
    '@type': 'extraCurrency' as const,
    id: id | 0,
    amount: String(amount),
  }));
}

/** A bag of cells in base64, in the order that existing clients know; empty where there is no cell. */
export const BocText = () => PlainText({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

/** `tvm.cell`. */
export const TvmCell = Type.Object({ '@type': Type.Literal('tvm.cell'), bytes: BocText() });

/** Writes `tvm.cell`; a cell of -1 is none. */
export function tvmCell(cells: Cells, cell: number) {
  return { '@type': 'tvm.cell' as const, bytes: bocText(cells, cell) };
}

/** Bytes in base64. */
export const Base64 = () => PlainText({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });

/** An amount that is not negative, as a decimal string. */
export const AmountText = () => PlainText({ pattern: '^[0-9]+$' });

/** A 256-bit hash in base64, or nothing. */
export const MaybeHash256 = () => PlainText({ pattern: '^([A-Za-z0-9+/]{43}=)?$' });

/** Writes a hash in base64, or nothing. */
export function maybeHash(hash: Buffer | undefined): string {
  return hash?.toString('base64') ?? '';
}

/** Writes a cell in base64, or nothing. */
export function maybeBoc(found: CellRef | undefined): string {
  return found === undefined ? '' : bocText(found.cells, found.cell);
}
