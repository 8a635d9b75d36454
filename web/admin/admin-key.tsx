import { useRef } from 'preact/hooks';
import { adminKey } from '../api/admin-client.ts';
import type { CallError } from '../api/client.ts';
import { Field } from '../show/field.tsx';

const FORBIDDEN = 403;

interface KeyProps {
  /** Called with a new key in force, or none. */
  readonly onChange: () => void;
}

/** Whether a call was refused because the caller is not the operator. */
export function isRefusal(error: CallError | undefined): error is CallError {
  return error !== undefined && [401, FORBIDDEN, 429].includes(error.status);
}

/** A box for the key, or why no key helps. */
export function AdminKeyBox({ error, onChange }: { readonly error: CallError } & KeyProps) {
  const input = useRef<HTMLInputElement>(null);
  const save = (event: Event) => {
    event.preventDefault();
    adminKey.value = input.current!.value.trim();
    onChange();
  };
  if (error.status === FORBIDDEN)
    return (
      <section class="panel admin-key" aria-label="Administration key">
        <p class="bad" role="alert">
          {error.message}
        </p>
      </section>
    );
  return (
    <section class="panel admin-key" aria-label="Administration key">
      <form onSubmit={save}>
        <Field label="Administration key" inputRef={input} type="password" name="admin-key" required />
        <button type="submit" class="primary">
          Unlock
        </button>
      </form>
      {adminKey.value !== '' ? (
        <p class="bad" role="alert">
          {error.message}
        </p>
      ) : (
        <p class="muted">
          The value of the setting <code>ADMIN_KEY</code>, or if it is not set the key in the file{' '}
          <code>admin-key</code> of <code>DATA_DIR</code>, on a local chain in <code>localnet-api-key</code>.
          It is kept until this tab is closed.
        </p>
      )}
    </section>
  );
}

export function LockButton({ onChange }: KeyProps) {
  if (adminKey.value === '') return null;
  const lock = () => {
    adminKey.value = '';
    onChange();
  };
  return (
    <button type="button" onClick={lock}>
      Lock
    </button>
  );
}
