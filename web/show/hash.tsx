import { useState } from 'preact/hooks';
import { hrefOf } from '../router.ts';

const SHOWN_MS = 1500;

/** A button that copies a text. */
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
        {isDone ? <path d="M3 8.5l3.5 3.5L13 5" /> : <path d="M6 5.5h7v8H6zM3 11V2.5h7" />}
      </svg>
    </button>
  );
}

/** Copies a text; the clipboard interface exists only over https and on this machine. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (isCopied) return true;
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

/** The ends of a long text. */
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

/** A hash, shortened in the middle. */
export function Hash({ value, page, isWhole = false, canCopy = true, name = 'hash' }: HashProps) {
  const text = isWhole ? value : shortened(value);
  const classes = isWhole ? 'hash whole' : 'hash';
  return (
    <span class="with-copy">
      {page === undefined ? (
        <span class={classes} title={value}>
          {text}
        </span>
      ) : (
        <a class={classes} href={hrefOf(page)} title={value}>
          {text}
        </a>
      )}
      {canCopy && <CopyButton text={value} label={`Copy ${name}`} />}
    </span>
  );
}
