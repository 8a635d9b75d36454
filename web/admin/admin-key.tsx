import { useRef } from 'preact/hooks';
import { adminKey } from '../api/admin-client.ts';
import type { CallError } from '../api/client.ts';

const FORBIDDEN = 403;

/** Whether a call was refused because the caller is not the operator. */
export function isRefusal(error: CallError | undefined): error is CallError {
  return error !== undefined && [401, FORBIDDEN, 429].includes(error.status);
}

/** Why the operator is not recognised, and a box for the key where one helps. */
export function AdminKeyBox({
  error,
  onChange,
}: {
  readonly error: CallError;
  /** Called with a new key in force. */
  readonly onChange: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const isTried = adminKey.value !== '';
  const save = (event: Event) => {
    event.preventDefault();
    adminKey.value = input.current!.value.trim();
    onChange();
  };
  if (error.status === FORBIDDEN)
    return (
      <section class="panel admin-key" aria-label="Administration key">
        <p role="status">
          This part is shown to browsers on the server's own machine. For others, the operator sets{' '}
          <code>ADMIN_KEY</code>.
        </p>
      </section>
    );
  return (
    <section class="panel admin-key" aria-label="Administration key">
      <form onSubmit={save}>
        <label>
          <span>Administration key</span>
          <input ref={input} type="password" name="admin-key" autocomplete="off" maxLength={256} required />
        </label>
        <button type="submit" class="primary">
          Unlock
        </button>
      </form>
      {isTried ? (
        <p class="bad" role="alert">
          {error.message}
        </p>
      ) : (
        <p class="muted">
          The value of the setting <code>ADMIN_KEY</code>. It is kept until this tab is closed.
        </p>
      )}
    </section>
  );
}

/** Forgets the key. */
export function LockButton({ onChange }: { readonly onChange: () => void }) {
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
