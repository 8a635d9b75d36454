import { useState } from 'preact/hooks';
import { hrefOf } from '../router.ts';
import { ChainText } from './chain-text.tsx';
import { NotFound, PageTitle } from './panel.tsx';

const SHOWN_MS = 1500;

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  return (
    <button type="button" class="copy" title={label} aria-label={isDone ? 'Copied' : label} onClick={copy}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={isDone ? 'M3 8.5l3.5 3.5L13 5' : 'M6 5.5h7v8H6zM3 11V2.5h7'} />
      </svg>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard interface exists only over https and on this machine.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

const HASH = /^(?:[0-9a-f]{64}|0x[0-9a-f]{64}|[\w+/-]{43}=?)$/i;

/** Whether a text has the form of a hash: in hex, base64 or base64url. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

export function shortened(text: string, start = 6, end = 6): string {
  return text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`;
}

interface HashProps {
  readonly value: string;
  /** Page it leads to, from `pagePath`. */
  readonly page?: string | undefined;
  /** Shows it whole where there is room. */
  readonly isWhole?: boolean;
  readonly canCopy?: boolean;
  /** Its meaning, for screen readers. */
  readonly name?: string;
}

export function Hash({ value, page, isWhole = false, canCopy = true, name = 'hash' }: HashProps) {
  const Element = page === undefined ? 'span' : 'a';
  return (
    <span class="with-copy">
      <Element class={isWhole ? 'hash whole' : 'hash'} href={page && hrefOf(page)} title={value}>
        {isWhole ? value : shortened(value)}
      </Element>
      {canCopy && <CopyButton text={value} label={`Copy ${name}`} />}
    </span>
  );
}

/** Stands where the address of a page should have a hash and has something else. */
export function NoHash({ kind, text }: { readonly kind: string; readonly text: string }) {
  return (
    <>
      <PageTitle kind={kind} />
      <NotFound>
        <ChainText text={text} isInline /> is not a hash. Hashes have 32 bytes: 64 hexadecimal digits, or 44
        characters of base64.
      </NotFound>
    </>
  );
}
