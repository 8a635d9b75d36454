import { useGet } from '../api/use-call.ts';
import { usePages } from '../api/use-pages.ts';
import type { ValidatorCycle } from '../api/v3.d.ts';
import type { PageProps } from '../router.ts';
import { serverInfo } from '../server-info.ts';
import { Address } from '../show/address.tsx';
import { formatTon, Ton } from '../show/amount.tsx';
import { coinName } from '../show/coin.ts';
import { formatShare } from '../show/figures.ts';
import { Hash } from '../show/hash.tsx';
import { ListTable } from '../show/list-panel.tsx';
import { Badge, Loaded, NotFound, PageTitle, Panel } from '../show/panel.tsx';
import { Table } from '../show/table.tsx';
import { Tabs } from '../show/tabs.tsx';
import { Ago, formatSpan, Time } from '../show/time.tsx';

const NEWEST = { limit: 25, sort: 'desc' } as const;
/** The end of a set that stays until there is another one. */
const MAX_TIME = 4_294_967_295;

/** Who validates the network, and how they were elected. */
export function Page({ query }: PageProps) {
  return (
    <>
      <PageTitle kind="Validators">of {serverInfo.value.network}</PageTitle>
      <Tabs
        label="Parts of validation"
        first={query.get('tab')}
        tabs={{
          set: ['Validators', () => <NewestSet />],
          elections: ['Elections', () => <Elections />],
          complaints: ['Complaints', () => <Complaints />],
        }}
      />
    </>
  );
}

function NewestSet() {
  const call = useGet('/api/v3/validators/cycles', { return_validators: true, limit: 1, sort: 'desc' });
  return (
    <Loaded call={call}>
      {({ cycles: [cycle] }) =>
        cycle === undefined ? (
          <NotFound title="Validators">The index has not seen a validator set yet.</NotFound>
        ) : (
          <>
            <Panel title="Newest set" facts={factsOf(cycle)} />
            <Members cycle={cycle} />
          </>
        )
      }
    </Loaded>
  );
}

function factsOf(cycle: ValidatorCycle) {
  return {
    From: <Time at={cycle.cycle_start} />,
    Until: cycle.cycle_end === MAX_TIME ? 'the next set' : <Time at={cycle.cycle_end} />,
    Validators: `${cycle.total}, ${cycle.main} of them in the masterchain`,
    'Total stake': cycle.total_stake && <Ton nano={cycle.total_stake} />,
    'Least stake': cycle.min_stake && <Ton nano={cycle.min_stake} />,
    'Greatest stake': cycle.max_stake && <Ton nano={cycle.max_stake} />,
    'Elected for': formatSpan(cycle.validators_elected_for),
    'Stakes are held for': formatSpan(cycle.stake_held_for),
  };
}

function Members({ cycle: { validators = [], total_weight: total } }: { readonly cycle: ValidatorCycle }) {
  return (
    <Panel title="Members" count={validators.length}>
      <Table
        name="Table of validators"
        rows={validators}
        empty="The members of this set are not known."
        keyOf={({ validator_pubkey: key }) => key}
        columns={{
          Index: { kind: 'number rank', show: ({ validator_index: index }) => index },
          'Stake of': ({ stake_holder_address: holder, complaints }) => (
            <>
              {holder === undefined ? <span class="muted">unknown</span> : <Address address={holder} />}{' '}
              {complaints.length > 0 && <Badge kind="warn">accused</Badge>}
            </>
          ),
          [`Stake, ${coinName()}`]: {
            kind: 'number',
            show: ({ stake }) => (stake === undefined ? '–' : formatTon(stake)),
          },
          Weight: { kind: 'number', show: ({ weight }) => formatShare(weight, total) },
          'Public key': ({ validator_pubkey: key }) => <Hash value={key} name="public key" />,
          'ADNL address': ({ adnl_addr: adnl }) =>
            /^0+$/.test(adnl) ? '–' : <Hash value={adnl} name="ADNL address" />,
        }}
      />
    </Panel>
  );
}

function Elections() {
  return (
    <ListTable
      title="Elections"
      pages={usePages('/api/v3/validators/elections', NEWEST, ['elections', 'election_id'])}
      empty="The index has not seen an election."
      columns={{
        Election: ({ election_id: id }) => id,
        State: ({ failed, finished }) => {
          if (failed) return <Badge kind="bad">failed</Badge>;
          return finished ? <Badge>finished</Badge> : <Badge kind="good">open</Badge>;
        },
        Candidates: { kind: 'number', show: ({ total_participants: count }) => count },
        [`Stakes, ${coinName()}`]: { kind: 'number', show: ({ total_stake: stake }) => formatTon(stake) },
        [`Least stake, ${coinName()}`]: { kind: 'number', show: ({ min_stake: stake }) => formatTon(stake) },
        Closes: { kind: 'number', show: ({ elect_close: at }) => <Ago at={at} /> },
      }}
    />
  );
}

function Complaints() {
  return (
    <ListTable
      title="Complaints"
      pages={usePages('/api/v3/validators/complaints', NEWEST, ['complaints', 'complaint_hash'])}
      empty="Nobody has complained about a validator, as far as the index goes back."
      columns={{
        Accused: ({ stake_holder_address: holder, validator_pubkey: key }) =>
          holder === undefined ? <Hash value={key} canCopy={false} /> : <Address address={holder} />,
        State: ({ is_passed: isPassed }) =>
          isPassed ? <Badge kind="bad">passed</Badge> : <Badge>voted on</Badge>,
        [`Fine, ${coinName()}`]: { kind: 'number', show: ({ suggested_fine: fine }) => formatTon(fine) },
        Approved: { kind: 'number', show: ({ approved_percent: percent }) => `${percent.toFixed(2)} %` },
        'Reward goes to': ({ reward_address: address }) => <Address address={address} />,
        Made: { kind: 'number', show: ({ created_at: at }) => <Ago at={at} /> },
      }}
    />
  );
}
