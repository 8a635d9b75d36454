import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export type Change = (work: () => Promise<unknown>) => Promise<void>;

/** Runs changes one at a time; `problem` says why the last one failed. */
export function useChange(onDone: () => void): { problem: ComponentChildren; change: Change } {
  const [text, setText] = useState('');
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      setText('');
    } catch (error) {
      setText((error as Error).message);
    }
    onDone();
  };
  const problem = text !== '' && (
    <p class="bad" role="alert">
      {text}
    </p>
  );
  return { problem, change };
}

interface ConfirmButtonProps {
  readonly children: ComponentChildren;
  /** Its subject, for screen readers. */
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for what cannot be undone: it asks once more. */
export function ConfirmButton({ children, label, question, onConfirm }: ConfirmButtonProps) {
  const [state, setState] = useState<'idle' | 'asking' | 'busy'>('idle');
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === 'asking') confirm.current?.focus();
  }, [state]);
  if (state === 'idle')
    return (
      <button type="button" class="small" aria-label={label} onClick={() => setState('asking')}>
        {children}
      </button>
    );
  const run = async () => {
    setState('busy');
    await onConfirm().finally(() => setState('idle'));
  };
  return (
    <span class="confirm">
      <button ref={confirm} type="button" class="small danger" disabled={state === 'busy'} onClick={run}>
        {question}
      </button>
      <button type="button" class="small" disabled={state === 'busy'} onClick={() => setState('idle')}>
        Cancel
      </button>
    </span>
  );
}
