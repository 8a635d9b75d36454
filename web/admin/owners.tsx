import type { Owner } from '../api/admin.d.ts';
import { adminPost } from '../api/admin-client.ts';
import { ChainText } from '../show/chain-text.tsx';
import { Panel } from '../show/panel.tsx';
import { Select } from '../show/select.tsx';
import { Table } from '../show/table.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import type { Plan } from './keys.tsx';
import { useChange } from './use-change.tsx';

interface OwnersProps {
  readonly owners: readonly Owner[];
  readonly plans: readonly Plan[];
  readonly reload: () => void;
}

const OWN = '';

/** Owners of keys, and the plans their keys share. */
export function Owners({ owners, plans, reload }: OwnersProps) {
  const { problem, change } = useChange(reload);
  const share = (id: string, plan: string) =>
    change(() =>
      plan === OWN
        ? adminPost('/api/admin/owners/{id}/unshare', { id })
        : adminPost('/api/admin/owners/{id}/share', { id, body: { plan } }),
    );
  const options = [
    [OWN, 'each key its own'],
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
                  value={shared?.plan ?? OWN}
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
