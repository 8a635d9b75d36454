import type { V2StackEntity } from '../api/v3.d.ts';
import { type Cell, readBoc } from '../cells/boc.ts';
import { CellReader } from '../cells/cell-reader.ts';
import { cellText } from '../cells/cell-text.ts';
import { Address } from '../show/address.tsx';
import { fromBase64, rawForm } from '../show/address-forms.ts';
import { ChainText } from '../show/chain-text.tsx';
import { CopyButton, shortened } from '../show/hash.tsx';

const ADDRESS_BITS = 267;
const MAX_SHOWN = 100;
const MAX_TEXT_CELLS = 128;
/** Numbers of at least so many digits are rather hashes or keys. */
const LONG_NUMBER_DIGITS = 24;

/** The stack that a get-method returned, one entry per line. */
export function Stack({ entries }: { readonly entries: readonly V2StackEntity[] }) {
  if (entries.length === 0) return <p class="empty">The stack is empty.</p>;
  return (
    <ol class="stack">
      {entries.slice(0, MAX_SHOWN).map((entry, i) => (
        <li key={i}>
          <span class="kind">{entry.type}</span> <StackValue entry={entry} />
        </li>
      ))}
      {entries.length > MAX_SHOWN && <li class="muted">{entries.length - MAX_SHOWN} more entries</li>}
    </ol>
  );
}

function StackValue({ entry }: { readonly entry: V2StackEntity }) {
  if (typeof entry.value !== 'string')
    return entry.value.length === 0 ? <span class="muted">empty</span> : <Stack entries={entry.value} />;
  return entry.type === 'num' ? <StackNumber hex={entry.value} /> : <CellValue boc={entry.value} />;
}

function StackNumber({ hex }: { readonly hex: string }) {
  const value = hex.startsWith('-') ? -BigInt(hex.slice(1)) : BigInt(hex);
  const text = value.toString();
  const isLong = text.length >= LONG_NUMBER_DIGITS;
  return (
    <span class="with-copy">
      <span class="hash whole">{isLong ? hex : text}</span>
      {!isLong && value > 9n && <span class="muted">({hex})</span>}
      <CopyButton text={text} label="Copy number" />
    </span>
  );
}

function CellValue({ boc }: { readonly boc: string }) {
  const bytes = fromBase64(boc);
  const cell = bytes === null ? undefined : readBoc(bytes)?.root;
  const copy = <CopyButton text={boc} label="Copy as bag of cells" />;
  if (cell === undefined)
    return (
      <span class="with-copy">
        <span class="hash">{shortened(boc, 12, 12)}</span>
        {copy}
      </span>
    );
  const address = readAddress(cell);
  if (address !== undefined)
    return address === null ? (
      <span class="muted">address of nobody</span>
    ) : (
      <Address address={address} isWhole canCopy canBeName={false} />
    );
  const text = readText(cell);
  return (
    <span class="with-copy">
      {text !== undefined ? <ChainText text={text} /> : <span class="hash whole">{cellText(cell)}</span>}
      {copy}
    </span>
  );
}

/** The address that a cell consists of; null for that of nobody, undefined if it is something else. */
function readAddress(cell: Cell): string | null | undefined {
  if (cell.isExotic || cell.refs.length > 0) return undefined;
  if (cell.bitLength === 2 && (cell.bits[0]! & 0xc0) === 0) return null;
  if (cell.bitLength !== ADDRESS_BITS) return undefined;
  try {
    const address = new CellReader(cell).address();
    return address === null ? undefined : rawForm(address);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Text in a chain of cells, if all of it is readable; undefined otherwise. */
function readText(cell: Cell): string | undefined {
  const parts: number[] = [];
  let next: Cell | undefined = cell;
  for (let i = 0; i < MAX_TEXT_CELLS && next !== undefined; i++) {
    if (next.isExotic || next.bitLength % 8 !== 0 || next.refs.length > 1) return undefined;
    parts.push(...next.bits);
    next = next.refs[0];
  }
  // Metadata begins with a tag of its form, comments with an opcode of zeros.
  const start =
    parts[0] === 1 ? 1 : parts.length > 4 && parts.slice(0, 4).every((byte) => byte === 0) ? 4 : 0;
  if (parts.length - start < 2) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(parts.slice(start)));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell data from text
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
