import { useState } from 'preact/hooks';
import { formatNumber } from './figures.ts';

/** Text of the chain is cut here unless a person wants more. */
const USUAL_CHARS = 200;
/** A browser would suffer from more. */
const MAX_CHARS = 10_000;

/** Characters that change the order or the look of what stands around them. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu;
/** Invisible ones that only serve to make texts look alike. */
const INVISIBLE =
  /\u034f|\u17b4|\u17b5|[\u180b-\u180d]|[\u00ad\u115f\u1160\u180e\u200b\u200c\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]/gu;
/** More than a few marks on one letter run over the lines around it. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Text of the chain without tricks: directions and control characters are made visible, invisible ones are removed. */
export function cleanText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(DIRECTIONS, (char) => `‹U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`)
    .replace(CONTROLS, (char) =>
      char.charCodeAt(0) < 32 ? String.fromCharCode(0x2400 + char.charCodeAt(0)) : '\ufffd',
    )
    .replace(STACKED_MARKS, '$1');
}

interface ChainTextProps {
  readonly text: string;
  /** Characters that are shown at first. */
  readonly max?: number;
  /** One line without a button, for tables and sentences. */
  readonly isInline?: boolean;
}

/** Text that comes from the chain: never HTML, isolated from the text around it, and cut. */
export function ChainText({ text, max = USUAL_CHARS, isInline = false }: ChainTextProps) {
  const [isOpen, setOpen] = useState(false);
  const limit = isOpen ? MAX_CHARS : max;
  const isCut = text.length > limit;
  // Cut before cleaning: a megabyte is not worth it.
  const shown = cleanText(isCut ? text.slice(0, limit) : text);
  return (
    <>
      <bdi dir="auto" class={isInline ? 'chain-text inline' : 'chain-text'}>
        {isInline ? shown.replace(/\s+/g, ' ') : shown}
        {isCut && '…'}
      </bdi>
      {isCut && !isInline && !isOpen && (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          show all
        </button>
      )}
      {isCut && isOpen && <span class="muted"> ({formatNumber(text.length - limit)} more characters)</span>}
    </>
  );
}
