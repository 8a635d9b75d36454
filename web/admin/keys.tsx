import { useRef, useState } from 'preact/hooks';
import type { Key, Owner } from '../api/admin.d.ts';
import { type AdminAnswer, adminPost } from '../api/admin-client.ts';
import { ChainText } from '../show/chain-text.tsx';
import { Field, Select } from '../show/field.tsx';
import { CopyButton } from '../show/hash.tsx';
import { Badge, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';
import { Ago } from '../show/time.tsx';
import { type Change, ConfirmButton, useChange } from './changes.tsx';

type Plan = AdminAnswer<'/api/admin/plans'>['plans'][number];

interface KeysProps {
  readonly keys: readonly Key[];
  readonly owners: readonly Owner[];
  readonly plans: readonly Plan[];
  readonly reload: () => void;
}

export function Keys({ keys, owners, plans, reload }: KeysProps) {
  const { problem, change } = useChange(reload);
  const [hasRevoked, setRevoked] = useState(false);
  const shown = keys.filter(({ revoked_at: at }) => hasRevoked || at === null);
  const revokedCount = keys.filter(({ revoked_at: at }) => at !== null).length;
  const tools = revokedCount > 0 && (
    <button type="button" class="small" aria-pressed={hasRevoked} onClick={() => setRevoked(!hasRevoked)}>
      {hasRevoked ? 'Hide revoked' : `Show ${revokedCount} revoked`}
    </button>
  );
  return (
    <Panel title="API keys" count={keys.length - revokedCount} tools={tools}>
      <NewKey owners={owners} plans={plans} reload={reload} />
      {problem}
      <Table
        name="API keys"
        kind="admin-table"
        rows={shown}
        empty="No keys."
        keyOf={({ id }) => id}
        kindOf={({ revoked_at: at }) => (at === null ? '' : 'revoked')}
        columns={{
          Id: { kind: 'number rank', show: ({ id }) => id },
          Name: ({ name }) => <ChainText text={name} isInline />,
          Owner: ({ owner }) => (owner === null ? '–' : <ChainText text={owner.name} isInline />),
          Plan: { kind: 'nowrap', show: (key) => <PlanChoice of={key} plans={plans} change={change} /> },
          Networks: ({ networks }) => networks.join(', ') || 'all',
          'Last use': ({ last_used_at: at }) => (at === null ? 'never' : <Ago at={at} clock="machine" />),
          Changes: {
            isUnnamed: true,
            show: ({ id, revoked_at: revokedAt }) =>
              revokedAt === null ? (
                <ConfirmButton
                  label={`Revoke key ${id}`}
                  question="Revoke for good"
                  onConfirm={() => change(() => adminPost('/api/admin/keys/{id}/revoke', { id }))}
                >
                  Revoke
                </ConfirmButton>
              ) : (
                <Badge>revoked</Badge>
              ),
          },
        }}
      />
    </Panel>
  );
}

interface PlanChoiceProps extends Pick<KeysProps, 'plans'> {
  readonly of: Key;
  readonly change: Change;
}

function PlanChoice({ of: { id, plan, rps, owner, revoked_at: revokedAt }, plans, change }: PlanChoiceProps) {
  const shared = owner?.shared ?? null;
  if (revokedAt !== null) return <>{plan}</>;
  if (shared !== null)
    return (
      <>
        {shared.plan}, {shared.rps} rps <Badge>shared</Badge>
      </>
    );
  const names = plans.map(({ name }) => name);
  return (
    <>
      <Select
        label={`Plan of key ${id}`}
        value={plan}
        options={(names.includes(plan) ? names : [plan, ...names]).map((name) => [name, name])}
        onChange={(name) =>
          change(() => adminPost('/api/admin/keys/{id}/plan', { id, body: { plan: name } }))
        }
      />{' '}
      {rps} rps
    </>
  );
}

function NewKey({ owners, plans, reload }: Omit<KeysProps, 'keys'>) {
  const form = useRef<HTMLFormElement>(null);
  const [made, setMade] = useState<{ readonly name: string; readonly key: string } | null>(null);
  const { problem, change } = useChange(reload);
  const create = (event: Event) => {
    event.preventDefault();
    const fields = new FormData(form.current!);
    const text = (name: string) => String(fields.get(name) ?? '').trim() || undefined;
    const rps = text('rps');
    const own = rps === undefined ? {} : { rps: Number(rps) };
    const body = { name: text('name'), owner: text('owner'), plan: text('plan'), ...own };
    return change(async () => {
      const { name, key } = await adminPost('/api/admin/keys', { body });
      setMade({ name, key });
      form.current?.reset();
    });
  };
  return (
    <>
      <form ref={form} class="admin-form" aria-label="New key" onSubmit={create}>
        <Field label="Name of the key" name="name" required maxLength={100} />
        <Field label="Owner (optional)" name="owner" list="owner-names" maxLength={100} />
        <datalist id="owner-names">
          {owners.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
        <label>
          <span>Plan</span>
          <select name="plan">
            {plans.map(({ name, rps }) => (
              <option key={name} value={name}>
                {name} ({rps} rps)
              </option>
            ))}
          </select>
        </label>
        <Field label="Other rate (rps)" name="rps" type="number" min={1} max={100_000} />
        <button type="submit" class="primary">
          Create key
        </button>
      </form>
      {problem}
      {made !== null && (
        <div class="new-key" role="status">
          <span>
            Key <ChainText text={made.name} isInline />, shown only now:
          </span>
          <code>{made.key}</code>
          <CopyButton text={made.key} label="Copy key" />
          <button type="button" class="small" onClick={() => setMade(null)}>
            Done
          </button>
        </div>
      )}
    </>
  );
}

/** Owners of keys, and the plans their keys share. */
export function Owners({ owners, plans, reload }: Omit<KeysProps, 'keys'>) {
  const { problem, change } = useChange(reload);
  const share = (id: string, plan: string) =>
    change(() =>
      plan === ''
        ? adminPost('/api/admin/owners/{id}/unshare', { id })
        : adminPost('/api/admin/owners/{id}/share', { id, body: { plan } }),
    );
  // An empty plan is none.
  const options = [
    ['', 'each key its own'],
    ...plans.map(({ name }) => [name, `${name}, shared`] as const),
  ] as const;
  return (
    <Panel title="Owners" count={owners.length}>
      {problem}
      <Table
        name="Owners"
        kind="admin-table"
        rows={owners}
        empty="No owners: a key that is created for one creates it."
        keyOf={({ id }) => id}
        columns={{
          Owner: ({ name }) => <ChainText text={name} isInline />,
          'Valid keys': { kind: 'number', show: ({ keys }) => keys },
          Rate: {
            kind: 'nowrap',
            show: ({ id, name, shared }) => (
              <>
                <Select
                  label={`Plan that the keys of ${name} share`}
                  value={shared?.plan ?? ''}
                  options={options}
                  onChange={(plan) => share(id, plan)}
                />{' '}
                {shared !== null && `${shared.rps} rps`}
              </>
            ),
          },
          Changes: {
            isUnnamed: true,
            show: ({ id, name, keys }) =>
              keys > 0 && (
                <ConfirmButton
                  label={`Revoke all keys of ${name}`}
                  question={keys === 1 ? 'Revoke its key for good' : `Revoke ${keys} keys for good`}
                  onConfirm={() => change(() => adminPost('/api/admin/owners/{id}/revoke', { id }))}
                >
                  Revoke all
                </ConfirmButton>
              ),
          },
        }}
      />
    </Panel>
  );
}
